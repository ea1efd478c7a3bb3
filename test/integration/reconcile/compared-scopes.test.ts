/** Scopes whose statements lack counted words or cards come back by the reconcile. Real: Postgres, Qdrant, Meilisearch. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createScopeMarker, takenOf } from '../../../engine/reconcile/compared-scopes.ts';
import { createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import { openSearchScene, type AccountScene, type SearchScene } from '../search/scene.ts';

let scene: SearchScene;
let account: AccountScene;

beforeAll(async () => {
  scene = await openSearchScene();
});
beforeEach(async () => {
  account = await scene.account();
});
afterAll(() => scene.close());

const pass = () => createScopeMarker(createRefusingInAccount(scene.pool))(account.id);
const own = (query: string) => scene.sql(query, [account.id]);
const age = () =>
  own(`update knowledge set updated_at = now() - interval '10 minutes' where account_id = $1`);
const forget = async (...tables: string[]): Promise<void> => {
  for (const table of tables) await own(`delete from ${table} where account_id = $1`);
};
const markedUnits = async () =>
  (await own('select distinct unit_id from dirty_marks where account_id = $1')).map(
    (row) => row['unit_id'],
  );
const markedCards = async () =>
  (
    await own(
      'select kind, scope_id from projection_marks where account_id = $1 order by scope_id, kind',
    )
  ).map(({ kind, scope_id: scopeId }) => [kind, scopeId]);

/** Statements that were there for a while, written to both indexes; cards are made by nobody here. */
async function settled(...inputs: Parameters<AccountScene['statement']>[0][]): Promise<string[]> {
  const ids: string[] = [];
  for (const input of inputs) ids.push(await account.statement(input));
  await account.refresh();
  await age();
  await forget('projection_marks', 'projection_work');
  return ids;
}

describe('a placed statement', () => {
  test('whose words are not counted is marked for both indexes, and its words are counted again', async () => {
    const [id = ''] = await settled({ text: 'The red canoe lies at the lake', path: '/boats' });
    expect(await pass()).toEqual({ scopes: 0, mailboxes: [] });
    await forget('indexed_units');
    expect(await pass()).toEqual({
      scopes: 1,
      mailboxes: [{ accountId: account.id, kind: 'projection', shard: expect.any(Number) }],
    });
    expect(await markedUnits()).toEqual([id]);
    // What is marked is on its way.
    expect(await pass()).toMatchObject({ scopes: 0 });
    await account.refresh();
    expect(await own('select unit_id from indexed_units where account_id = $1')).toEqual([
      { unit_id: id },
    ]);
  });

  test('that changed a moment ago, or whose words nobody counts, is left alone', async () => {
    await settled(
      { text: 'Anna is ill', sensitivity: 'personal', subject: 'anna', level: 'peer' },
      { text: 'The old canoe is red', state: 'held' },
      { text: 'The new canoe is red' },
    );
    await forget('indexed_units');
    await own(
      `update knowledge set updated_at = now() where account_id = $1 and statement = 'The new canoe is red'`,
    );
    await forget('projection_marks');
    expect(await pass()).toMatchObject({ scopes: 0 });
    expect(await markedUnits()).toEqual([]);
  });
});

describe('a scope', () => {
  const two = (path: string) => [
    { text: `The red canoe lies in ${path}`, path },
    { text: `The blue canoe lies in ${path}`, path },
  ];

  test('with two placed statements and neither card nor mark gets its cards marked', async () => {
    await settled(...two('/boats'), { text: 'A barn stands here', path: '/farm' });
    const boats = await account.scope('/boats');
    expect(await pass()).toEqual({ scopes: 1, mailboxes: [] });
    expect(await markedCards()).toEqual([
      ['scope_card', boats],
      ['entity_card', boats],
    ]);
    expect(await pass()).toMatchObject({ scopes: 0 });
  });

  test('that has its card is left alone', async () => {
    const ids = await settled(...two('/boats'));
    await scene.sql(
      `insert into projections (account_id, kind, scope_id, target_id, source_ids, source_versions, source_total, summary_mode)
       values ($1, 'scope_card', $2, $2, $3, '{1,1}', 2, 'none')`,
      [account.id, await account.scope('/boats'), ids],
    );
    expect(await pass()).toMatchObject({ scopes: 0 });
  });
});

describe('a pass', () => {
  const lacking = (n: number, scope: string) => ({
    id: `statement-${n}`,
    scope_id: scope,
    is_uncounted: true,
    is_bare: false,
  });
  const limit = { scopes: 2, statements: 5 };

  test('takes so many scopes and goes on behind their last statement', () => {
    const rows = ['a', 'b', 'a', 'c', 'b'].map((scope, n) => lacking(n, scope));
    expect(takenOf({ lacking: rows, size: 5, last: 'statement-9' }, limit)).toEqual({
      taken: rows.slice(0, 3),
      next: 'statement-2',
    });
  });

  test('goes on behind a full page, and begins anew after the last one', () => {
    const rows = [lacking(1, 'a')];
    expect(takenOf({ lacking: rows, size: 5, last: 'statement-9' }, limit).next).toBe(
      'statement-9',
    );
    expect(takenOf({ lacking: rows, size: 4, last: 'statement-9' }, limit).next).toBeNull();
  });
});
