/** Another embedder: its collection is filled beside the old one while the service goes on, then used. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { HANGS_MS, eventually } from '../../support/patience.ts';
import { NO_ROLES } from '../../unit/models/fixtures.ts';
import type { AccountScene } from '../search/account.ts';
import { openSpacesScene, rolesOf, type SpacesProcess, type SpacesScene } from './scene.ts';

let scene: SpacesScene;
let account: AccountScene;
let anna: Caller;
/** A process of the new embedder. */
let after: SpacesProcess;

const CANOE = 'The red canoe lies at the lake';
const CLEAN = [0, 0] as const;

beforeEach(async () => {
  scene = await openSpacesScene();
  account = await scene.account();
  anna = await account.caller({ peer: 'anna' });
  after = scene.process(rolesOf(scene.stub.baseUrl));
});
afterEach(() => scene.close(), HANGS_MS);

const say = (text: string) => account.message({ speaker: 'anna', text });
/** Runs once, when the endpoint is asked the next time; the endpoint answers when it is over. */
function meanwhile(work: () => Promise<unknown>): { readonly isOver: () => boolean } {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  let over = false;
  const asked = scene.stub.requests.length;
  scene.stub.script({ kind: 'held', until });
  const run = async (): Promise<void> => {
    await eventually(async () => scene.stub.requests.length > asked);
    await work();
    over = true;
    resolve();
  };
  run().catch(() => resolve());
  return { isOver: () => over };
}

describe('before, while and after the new collection is filled', () => {
  test('searches go on: by words in every process, by meaning in those of an embedder whose collection is ready', async () => {
    await account.statement({ text: CANOE });
    const message = await say(CANOE);
    await account.refresh();
    const oldSearch = await scene.before.search(anna, 'red canoe');
    expect(oldSearch).toMatchObject({ texts: [CANOE], outcomes: { semantic: 'completed' } });

    // Restarted with the new settings too early: words and filters go on.
    await after.retrieval.ensureIndexes();
    const early = {
      texts: [CANOE],
      outcomes: { lexical: 'completed', semantic: 'dependency_unavailable' },
    };
    expect(await after.search(anna, 'red canoe')).toMatchObject(early);
    expect(await after.sources(anna, 'red canoe')).toEqual(['unavailable', undefined]);
    expect(scene.embedded()).toEqual([]);

    let during: unknown;
    const held = meanwhile(async () => {
      during = [
        await scene.before.search(anna, 'red canoe'),
        await scene.before.sources(anna, 'red canoe'),
      ];
    });
    const replica = scene.process(rolesOf(scene.stub.baseUrl));
    await replica.retrieval.ensureIndexes();
    expect(await after.migrate()).toMatchObject({ switched: true, stopped: null, written: 2 });
    expect(held.isOver()).toBe(true);
    expect(during).toEqual([oldSearch, ['ready', message]]);

    // All processes of the new embedder notice; those of the old one go on.
    const found = { texts: [CANOE], outcomes: { lexical: 'completed', semantic: 'completed' } };
    expect(await after.search(anna, CANOE)).toMatchObject(found);
    await eventually(async () => {
      const answer = await replica.search(anna, CANOE);
      return (answer.outcomes as { semantic: string }).semantic === 'completed';
    });
    expect(await replica.sources(anna, CANOE)).toEqual(['ready', message]);
    expect(await scene.before.search(anna, 'red canoe')).toEqual(oldSearch);
    expect([await scene.before.drift(account), await after.drift(account)]).toEqual([CLEAN, CLEAN]);
  });

  test('each text is embedded once, in calls that the ledger knows', async () => {
    for (let n = 0; n < 70; n += 1) await say(`note number ${n}`);
    await account.refresh();
    await after.migrate();
    const texts = scene.embedded();
    expect(texts).toHaveLength(70);
    expect(new Set(texts).size).toBe(70);
    // Parts of 64 units, in calls of 32 texts.
    expect(await scene.attempts(account)).toBe(3);
    expect(await after.migrate()).toMatchObject({ switched: true, written: 0, kept: 70 });
    expect(scene.embedded()).toHaveLength(70);
  });
});

describe('what changes while the new collection is filled', () => {
  test('reaches both: what is written meanwhile is in both, what is erased or redacted is in neither', async () => {
    const erased = await say('This message is erased');
    const redacted = await account.statement({ text: 'This statement is redacted' });
    await account.statement({ text: 'This statement stays' });
    await account.refresh();
    let written = '';
    const held = meanwhile(async () => {
      written = await account.statement({ text: CANOE });
      await redact(redacted);
      await erase(erased);
      await account.refresh();
    });
    expect(await after.migrate()).toMatchObject({ switched: true, stopped: null });
    expect(held.isOver()).toBe(true);
    expect(await scene.held(account, 'message', [erased])).toBe(0);
    expect(await scene.held(account, 'statement', [redacted])).toBe(0);
    expect(await scene.held(account, 'statement', [written])).toBe(2);
    // Written by a process that cannot ask the new embedder, and given its vector before the switch.
    expect(scene.embedded()).toContain(CANOE);
    expect((await after.search(anna, CANOE)).texts).toContain(CANOE);
    await workOff(after);
    expect([await scene.before.drift(account), await after.drift(account)]).toEqual([CLEAN, CLEAN]);
  });

  test('and after the switch too, whoever writes', async () => {
    await account.statement({ text: 'This statement stays' });
    await account.refresh();
    await after.migrate();
    const byOld = await account.statement({ text: CANOE });
    await account.refresh();
    expect(await scene.held(account, 'statement', [byOld])).toBe(2);
    expect(await after.drift(account)).toEqual([0, 1]);
    expect(await after.migrate()).toMatchObject({ written: 1, kept: 1 });
    expect(await after.drift(account)).toEqual(CLEAN);

    const byNew = await account.statement({ text: 'Bread is baked on Tuesdays' });
    await workOff(after);
    expect(await scene.held(account, 'statement', [byNew])).toBe(2);
    expect(await after.drift(account)).toEqual(CLEAN);
    // The way back: the old embedder is asked for what came since, and for nothing else.
    expect(await scene.before.drift(account)).toEqual([0, 1]);
    expect(await scene.before.migrate()).toMatchObject({ switched: true, written: 1, kept: 2 });
    expect(await scene.before.drift(account)).toEqual(CLEAN);
    await redact(byNew);
    await workOff(after);
    expect(await scene.held(account, 'statement', [byNew])).toBe(0);
  });
});

test('a large account keeps no other from its turn', async () => {
  for (let n = 0; n < 300; n += 1) await say(`note number ${n}`);
  const small = await scene.account();
  await small.message({ speaker: 'ben', text: CANOE });
  await account.refresh();
  await small.refresh();
  const progress: (readonly [number, number])[] = [];
  await after.migrate({
    onProgress: ({ written, accountsDone }) => progress.push([written, accountsDone]),
  });
  expect(scene.embedded().indexOf(CANOE)).toBeLessThanOrEqual(256);
  expect(progress.at(-1)).toEqual([301, 2]);
});

test('an account whose calls fail is put off, and keeps no other from its turn', async () => {
  const [first, second] = [account, await scene.account()];
  await first.message({ speaker: 'anna', text: 'This one is refused at first' });
  await second.message({ speaker: 'ben', text: CANOE });
  await first.refresh();
  await second.refresh();
  scene.stub.script({ kind: 'status', status: 503 });
  const patient = scene.process(rolesOf(scene.stub.baseUrl), [300, 300]);
  expect(await patient.migrate()).toMatchObject({ switched: true, written: 2 });
  expect(scene.embedded()).toEqual([
    'This one is refused at first',
    CANOE,
    'This one is refused at first',
  ]);
});

test('a deployment without an embedder gets one, and can do without again', async () => {
  const without = await scene.bare();
  const none = without.process(NO_ROLES);
  await none.retrieval.ensureIndexes();
  const own = await without.account(none);
  const ben = await own.caller({ peer: 'anna' });
  await own.statement({ text: CANOE });
  const message = await own.message({ speaker: 'anna', text: CANOE });
  await own.refresh();
  const next = without.process(rolesOf(scene.stub.baseUrl));
  await next.retrieval.ensureIndexes();
  expect(await next.search(ben, 'canoe')).toMatchObject({ texts: [CANOE] });
  expect(await next.sources(ben, 'canoe')).toEqual(['unavailable', undefined]);
  expect(await next.migrate()).toMatchObject({ switched: true, written: 2 });
  expect(await next.sources(ben, CANOE)).toEqual(['ready', message]);
  await next.retrieval.vectorSpaces?.retire();
  await none.retrieval.vectorSpaces?.isReady();
  expect(await none.search(ben, 'canoe')).toMatchObject({
    texts: [CANOE],
    outcomes: { lexical: 'completed', semantic: 'applicability' },
  });
});

describe('afterwards', () => {
  test('the old collection is removed by hand, and processes of the old settings search by words then', async () => {
    await account.statement({ text: CANOE });
    await account.refresh();
    await expect(after.retrieval.vectorSpaces?.retire()).rejects.toMatchObject({
      code: 'conflict',
    });
    await after.migrate();
    const [first, second] = (await after.retrieval.vectorSpaces?.list()) ?? [];
    expect(first).toMatchObject({ configured: true, state: 'ready', dimensions: 8, points: 1 });
    expect(second).toMatchObject({ configured: false, state: 'ready', dimensions: 384, points: 1 });
    expect(await after.retrieval.vectorSpaces?.retire()).toEqual([second?.collection]);
    expect(await scene.collections()).toEqual([first?.collection]);
    await scene.before.retrieval.vectorSpaces?.isReady();
    expect(await scene.before.search(anna, 'red canoe')).toMatchObject({
      texts: [CANOE],
      outcomes: { lexical: 'completed', semantic: 'dependency_unavailable' },
    });
    const late = await account.statement({ text: 'Bread is baked on Tuesdays' });
    await account.refresh();
    expect(await scene.held(account, 'statement', [late])).toBe(1);
  });

  test('an embedder that was retired begins anew, whatever Qdrant still holds of it', async () => {
    await account.statement({ text: CANOE });
    await account.refresh();
    await after.migrate();
    await scene.before.retrieval.vectorSpaces?.retire();
    expect(await scene.collections()).toHaveLength(1);
    expect(await after.migrate()).toMatchObject({ switched: true, written: 1, kept: 0 });
    expect(await after.drift(account)).toEqual(CLEAN);
  });
});

async function redact(statementId: string): Promise<void> {
  await scene.database.rows(
    `update knowledge set state = 'redacted', statement = null, row_version = row_version + 1 where id = $1`,
    [statementId],
  );
  await marked('statement', statementId);
}

/** As an erasure does it: the row goes with a mark, and the indexes that nobody searches are told at once. */
async function erase(messageId: string): Promise<void> {
  await marked('message', messageId);
  await scene.database.rows('delete from messages where id = $1', [messageId]);
  await scene.before.retrieval.indexEraser.eraseElsewhere(account.id, 'message', {
    gone: [messageId],
    staying: [],
  });
}

async function marked(unit: 'statement' | 'message', id: string): Promise<void> {
  await scene.database.rows(
    `insert into dirty_marks as m (account_id, engine, unit, unit_id, scope_id, shard)
     select $1, e, $2::unit_kind, $3, $1, 0 from unnest(enum_range(null::index_engine)) e
     on conflict (account_id, engine, unit, unit_id)
       do update set generation = excluded.generation, available_at = clock_timestamp()`,
    [account.id, unit, id],
  );
}

/** Works off what is due in a process. */
async function workOff({ retrieval }: SpacesProcess): Promise<void> {
  await scene.database.rows('update dirty_marks set available_at = clock_timestamp()');
  const signal = new AbortController().signal;
  for (let more = true; more;) {
    const input = { accountId: account.id, shard: 0, limit: 100, signal };
    ({ more } = await retrieval.indexer.refresh(input));
  }
}
