/** A migration that ends early in any way: a second run goes on where the first one was. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { HANGS_MS, eventually } from '../../support/patience.ts';
import type { AccountScene } from '../search/account.ts';
import { openSpacesScene, rolesOf, type SpacesProcess, type SpacesScene } from './scene.ts';

let scene: SpacesScene;
let account: AccountScene;
let after: SpacesProcess;

const UNITS = 150;
/** Units of one part, which may be embedded twice. */
const PART = 64;

beforeEach(async () => {
  scene = await openSpacesScene();
  account = await scene.account();
  after = scene.process(rolesOf(scene.stub.baseUrl));
  for (let n = 0; n < UNITS / 2; n += 1) {
    await account.message({ speaker: 'anna', text: `note number ${n}` });
    await account.statement({ text: `statement number ${n}` });
  }
  await account.refresh();
});
afterEach(() => scene.close(), HANGS_MS);

/** Begins `embeddings migrate` in a process of its own and kills it at once when the endpoint is asked the n-th time. */
async function killedAt(calls: number): Promise<void> {
  const asked = scene.stub.requests.length;
  const { promise: until, resolve } = Promise.withResolvers<void>();
  const held = { kind: 'held', until } as const;
  scene.stub.script(
    ...Array.from({ length: calls - 1 }, () => ({ kind: 'default' }) as const),
    held,
  );
  const child = spawn(
    process.execPath,
    [
      new URL('migrating.ts', import.meta.url).pathname,
      scene.database.appUrl,
      scene.prefix,
      scene.stub.baseUrl,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (data) => (said += String(data)));
  const ended = once(child, 'exit');
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`it ended by itself: ${said}`);
    return scene.stub.requests.length - asked >= calls;
  });
  child.kill('SIGKILL');
  await ended;
  resolve();
}

async function isWhole(): Promise<void> {
  // A worker sees to the marks of the run that died, as soon as they come due.
  await scene.database.rows('update dirty_marks set available_at = clock_timestamp()');
  const input = {
    accountId: account.id,
    shard: 0,
    limit: 500,
    signal: new AbortController().signal,
  };
  for (let more = true; more;) ({ more } = await after.retrieval.indexer.refresh(input));
  expect(await after.drift(account)).toEqual([0, 0]);
  expect(await scene.before.drift(account)).toEqual([0, 0]);
}

describe('kill -9', () => {
  test.each([1, 2, 3, 5])('in call %i to the embedder loses nothing', async (calls) => {
    await killedAt(calls);
    // Searches still use the earlier vectors: a process of the new settings searches the old collection.
    await after.retrieval.vectorSpaces?.isReady();
    const before = scene.embedded().length;
    expect(await after.migrate()).toMatchObject({ switched: true, stopped: null });
    expect(before).toBeGreaterThan(0);
    expect(scene.embedded().length).toBeLessThanOrEqual(UNITS + PART);
    expect(new Set(scene.embedded()).size).toBe(UNITS);
    await isWhole();
  });

  test('leaves no trace of a unit that is erased before the second run', async () => {
    await killedAt(3);
    const [row] = await scene.database.rows(`select id from messages order by id limit 1`);
    const erased = String(row?.['id']);
    await scene.database.rows(
      `insert into dirty_marks as m (account_id, engine, unit, unit_id, scope_id, shard)
       select $1, e, 'message', $2, $1, 0 from unnest(enum_range(null::index_engine)) e
       on conflict (account_id, engine, unit, unit_id) do update set available_at = clock_timestamp()`,
      [account.id, erased],
    );
    await scene.database.rows('delete from messages where id = $1', [erased]);
    await account.refresh();
    expect(await scene.held(account, 'message', [erased])).toBe(0);
    await after.migrate();
    expect(await scene.held(account, 'message', [erased])).toBe(0);
    await isWhole();
  });
});

describe('a run', () => {
  test('that is interrupted is followed by one that goes on', async () => {
    const interrupted = new AbortController();
    const onProgress = (): void => interrupted.abort(new Error('ctrl-c'));
    await expect(after.migrate({ signal: interrupted.signal, onProgress })).rejects.toThrow(
      'ctrl-c',
    );
    const done = scene.embedded().length;
    expect(done).toBeGreaterThan(0);
    expect(await after.migrate()).toMatchObject({ switched: true, kept: done });
    expect(scene.embedded()).toHaveLength(UNITS);
    await isWhole();
  });

  test('whose embedder fails switches nothing, names the class, and goes on later', async () => {
    scene.stub.script({ kind: 'default' }, { kind: 'default' }, { kind: 'status', status: 401 });
    expect(await after.migrate()).toMatchObject({
      switched: false,
      stopped: 'credentials_rejected',
    });
    expect(await after.migrate()).toMatchObject({ switched: true, stopped: null });
    await isWhole();
  });

  test('whose embedder answers another width stops at once', async () => {
    const wrong = scene.process(rolesOf(scene.stub.baseUrl, 16));
    expect(await wrong.migrate()).toMatchObject({
      switched: false,
      stopped: 'embedding_width_mismatch',
      written: 0,
    });
    expect(scene.stub.requests).toHaveLength(1);
  });

  test('does not begin while another one is at work', async () => {
    const { promise: until, resolve } = Promise.withResolvers<void>();
    scene.stub.script({ kind: 'held', until });
    const first = after.migrate();
    await eventually(async () => scene.stub.requests.length === 1);
    const second = scene.process(rolesOf(scene.stub.baseUrl));
    await expect(second.migrate()).rejects.toMatchObject({ code: 'conflict' });
    resolve();
    expect(await first).toMatchObject({ switched: true });
  });
});
