/** Dirty marks: which are taken, in which batches, and what becomes of those whose drain never reports. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ON_THE_LOOP } from '../../../engine/offload/text-work.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import type { HeldMark } from '../../../stores/postgres/indexes/mark-holds.store.ts';
import type { Stores } from '../../../stores/postgres/stores.ts';
import { openSearchScene, type AccountScene, type SearchScene } from '../search/scene.ts';

const SHARD = 0;
const signal = new AbortController().signal;

let scene: SearchScene;
beforeAll(async () => {
  scene = await openSearchScene();
});
afterAll(() => scene.close());
afterEach(() => {
  scene.rebuilt({});
});

const inAccount = <T>(account: AccountScene, work: (stores: Stores) => Promise<T>): Promise<T> =>
  createInAccount(scene.pool)(account.id, work);

const take = (account: AccountScene, limit = 500, bytes = 1_000_000) =>
  inAccount(account, ({ markHolds }) => markHolds.take(SHARD, { limit, bytes }));

const unitsOf = (marks: readonly HeldMark[]) => [...new Set(marks.map((mark) => mark.unit_id))];

/** What a worker that died leaves behind, an hour later. */
const comeBack = (account: AccountScene) =>
  scene.sql(`update dirty_marks set available_at = now() where account_id = $1`, [account.id]);

async function messages(account: AccountScene, ...contents: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const text of contents) ids.push(await account.message({ speaker: 'anna', text }));
  return ids;
}

describe('a mark', () => {
  test('that was cleared and made again is not cleared by the holder of the earlier one', async () => {
    const account = await scene.account();
    const unitId = await account.statement({ text: 'Cork floats' });
    const scopeId = await account.scope('/poc');
    const early = await take(account);
    await inAccount(account, ({ dirtyMarks }) => dirtyMarks.clear(early));
    const again = { unit: 'statement' as const, unitId, scopeId, shard: SHARD };
    await inAccount(account, ({ dirtyMarks }) => dirtyMarks.add([again]));
    await inAccount(account, ({ dirtyMarks }) => dirtyMarks.clear(early));
    expect(await scene.sql('select from dirty_marks where unit_id = $1', [unitId])).toHaveLength(2);
  });

  test('that its unit got again during a write is due at once, and the written attempt does not count', async () => {
    const account = await scene.account();
    const unitId = await account.statement({ text: 'Cork floats' });
    const again = {
      unit: 'statement' as const,
      unitId,
      scopeId: await account.scope('/poc'),
      shard: SHARD,
    };
    const early = await take(account);
    await inAccount(account, ({ dirtyMarks }) => dirtyMarks.add([again]));
    await inAccount(account, ({ dirtyMarks }) => dirtyMarks.clear(early));
    const marks = await scene.sql(
      `select attempt_count, unheard_attempts, available_at <= now() as due
       from dirty_marks where unit_id = $1`,
      [unitId],
    );
    const fresh = { attempt_count: 0, unheard_attempts: 0, due: true };
    expect(marks).toEqual([fresh, fresh]);
  });
});

describe('a drain takes marks', () => {
  test('as many as the bytes of their texts allow, and always one', async () => {
    const account = await scene.account();
    const [first = '', second = ''] = await messages(
      account,
      'a'.repeat(3_000),
      'é'.repeat(1_500),
      'c',
    );
    expect(await take(account, 500, 10)).toMatchObject([{ unit_id: first, bytes: 3_000 }]);
    await scene.sql('delete from dirty_marks where unit_id = $1', [first]);
    expect(unitsOf(await take(account, 500, 6_000))).toEqual([second]);
  });

  test('by units, where many are marked at once, so that each unit is read once', async () => {
    const account = await scene.account();
    const scopeId = await account.scope('/poc');
    const ids = await messages(account, ...Array.from({ length: 12 }, (_, n) => `Cork ${n}`));
    await inAccount(account, async ({ dirtyMarks, markHolds }) => {
      await dirtyMarks.clear(await markHolds.take(SHARD, { limit: 500, bytes: 1_000_000 }));
      await dirtyMarks.add(
        ids.map((unitId) => ({ unit: 'message', unitId, scopeId, shard: SHARD })),
      );
    });
    const marks = await take(account, 10);
    expect(marks).toHaveLength(10);
    expect(unitsOf(marks)).toHaveLength(5);
  });

  test('once: an attempt is counted before the work, and the next one comes later', async () => {
    const account = await scene.account();
    await messages(account, 'one', 'two');
    expect(await take(account)).toHaveLength(4);
    expect(await take(account)).toEqual([]);
    const rows = await scene.sql(
      `select distinct attempt_count, unheard_attempts from dirty_marks
       where account_id = $1 and available_at > now()`,
      [account.id],
    );
    expect(rows).toEqual([{ attempt_count: 1, unheard_attempts: 1 }]);
  });

  test('in smaller batches each time that a drain never reports, until each unit stands alone', async () => {
    const account = await scene.account();
    await messages(account, ...Array.from({ length: 12 }, (_, index) => `message ${index}`));
    const sizes: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await comeBack(account);
      sizes.push((await take(account, 64)).length);
    }
    // All; then an eighth of 64; then a 64th; then what the one unit at fault has, and nothing else.
    expect(sizes).toEqual([24, 8, 1, 1]);
    // What is not at fault is not held up by it.
    await comeBack(account);
    await scene.sql(
      `update dirty_marks set available_at = now() + interval '1 h'
       where account_id = $1 and unheard_attempts > 1`,
      [account.id],
    );
    expect(await take(account, 64)).toHaveLength(8);
  });
});

describe('a refresh', () => {
  test('puts off the one message that cannot be analysed, and writes the others', async () => {
    const account = await scene.account();
    const [good = '', bad = '', other = ''] = await messages(account, 'good', 'bad', 'other');
    const rebuilt = scene.rebuilt({
      text: {
        ...ON_THE_LOOP,
        analyseMessages: async (texts, given) => {
          const all = await ON_THE_LOOP.analyseMessages(texts, given);
          return all.map((one, index) => (texts[index]?.content === 'bad' ? null : one));
        },
      },
    });
    const input = { accountId: account.id, shard: SHARD, limit: 100, signal };
    expect(await rebuilt.indexer.refresh(input)).toMatchObject({ written: 4, failed: 2 });
    const left = await scene.sql(
      `select unit_id, unheard_attempts, available_at > now() + interval '30 s' as later
       from dirty_marks where unit_id = any($1)`,
      [[good, bad, other]],
    );
    const aside = { unit_id: bad, unheard_attempts: 3, later: true };
    expect(left).toEqual([aside, aside]);
  });

  test('that is cancelled gives its marks back as they were', async () => {
    const account = await scene.account();
    await messages(account, 'one');
    const called = new AbortController();
    const rebuilt = scene.rebuilt({
      text: {
        ...ON_THE_LOOP,
        analyseMessages: async () => {
          called.abort();
          throw called.signal.reason;
        },
      },
    });
    const input = { accountId: account.id, shard: SHARD, limit: 100, signal: called.signal };
    await expect(rebuilt.indexer.refresh(input)).rejects.toThrow();
    const rows = await scene.sql(
      `select attempt_count, unheard_attempts, available_at <= now() as due from dirty_marks
       where account_id = $1`,
      [account.id],
    );
    const back = { attempt_count: 0, unheard_attempts: 0, due: true };
    expect(rows).toEqual([back, back]);
  });

  test('does not count an attempt against the units when an index was away', async () => {
    const account = await scene.account();
    await messages(account, 'one');
    const NOWHERE = { url: 'http://127.0.0.1:9', apiKey: null };
    const rebuilt = scene.rebuilt({ qdrant: NOWHERE });
    const input = { accountId: account.id, shard: SHARD, limit: 100, signal };
    expect(await rebuilt.indexer.refresh(input)).toMatchObject({ written: 1, failed: 1 });
    expect(
      await scene.sql(
        `select attempt_count, unheard_attempts, available_at > now() as later from dirty_marks
         where account_id = $1`,
        [account.id],
      ),
    ).toEqual([{ attempt_count: 1, unheard_attempts: 0, later: true }]);
  });
});
