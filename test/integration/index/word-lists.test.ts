/** The lists of words of scopes: what is in them, and that it goes with its statements. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { spellingKeys } from '../../../domain/text/spelling.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import type { WordListChanges } from '../../../stores/postgres/indexes/word-lists.store.ts';
import type { AccountScene, StatementInput } from '../search/account.ts';
import { openSearchScene, type SearchScene } from '../search/scene.ts';

let scene: SearchScene;

beforeAll(async () => {
  scene = await openSearchScene();
});
afterAll(() => scene.close());

/** Words with their counts by path, and whether exactly their keys are there. */
async function listOf(account: AccountScene) {
  const words = await scene.sql(
    `select s.path, w.word, w.statements, array(
       select k.key from scope_word_keys k
       where k.account_id = w.account_id and k.scope_id = w.scope_id and k.word = w.word order by 1) as keys
     from scope_words w join scopes s on s.account_id = w.account_id and s.id = w.scope_id
     where w.account_id = $1 order by 1, 2`,
    [account.id],
  );
  const [orphans] = await scene.sql(
    `select count(*)::integer as orphans from scope_word_keys k where k.account_id = $1 and not exists (
       select from scope_words w where w.account_id = k.account_id and w.scope_id = k.scope_id and w.word = k.word)`,
    [account.id],
  );
  expect(orphans).toEqual({ orphans: 0 });
  for (const { keys, word } of words) {
    expect(new Set(keys as string[])).toEqual(new Set(spellingKeys(String(word))));
  }
  return words.map(({ path, statements, word }) => [path, word, statements]);
}

async function becomes(account: AccountScene, id: string, change: string): Promise<void> {
  await scene.sql(`update knowledge set ${change} where account_id = $1 and id = $2`, [
    account.id,
    id,
  ]);
  await scene.sql(
    `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
     select account_id, e, 'statement', id, scope_id, 0 from knowledge, unnest(enum_range(null::index_engine)) e
     where account_id = $1 and id = $2`,
    [account.id, id],
  );
  await account.refresh();
}

describe('the words of a scope', () => {
  test('are those of active public and internal statements alone', async () => {
    const account = await scene.account();
    const kinds: [string, Partial<StatementInput>][] = [
      ['arden', {}],
      ['borden', { sensitivity: 'internal' }],
      ['corden', { sensitivity: 'personal' }],
      ['dorden', { sensitivity: 'restricted' }],
      ...(
        [
          'proposed',
          'provisional',
          'held',
          'needs_revalidation',
          'stale',
          'contested',
          'superseded',
          'expired',
          'rejected',
        ] as const
      ).map((state): [string, Partial<StatementInput>] => [
        `zz${state.replaceAll('_', '')}`,
        { state },
      ]),
    ];
    for (const [word, more] of kinds) await account.statement({ text: `${word} is it`, ...more });
    await account.message({ speaker: 'anna', text: 'nobody listed eggplants' });
    await account.refresh();
    expect(await listOf(account)).toEqual([
      ['/poc', 'arden', 1],
      ['/poc', 'borden', 1],
    ]);
  });

  test.each([
    ['it is redacted', "state = 'redacted', statement = null"],
    ['it is superseded', "state = 'superseded'"],
    ['it expires', "state = 'expired'"],
    ['it becomes personal', "sensitivity = 'personal'"],
  ])('lose those of a statement when %s', async (_, change) => {
    const account = await scene.account();
    const id = await account.statement({ text: 'the photography workshop' });
    await account.statement({ text: 'a second workshop' });
    await account.refresh();
    expect(await listOf(account)).toEqual([
      ['/poc', 'photography', 1],
      ['/poc', 'second', 1],
      ['/poc', 'workshop', 2],
    ]);
    await becomes(account, id, change);
    expect(await listOf(account)).toEqual([
      ['/poc', 'second', 1],
      ['/poc', 'workshop', 1],
    ]);
    expect(
      await scene.sql('select from statement_words where account_id = $1', [account.id]),
    ).toHaveLength(1);
  });

  test('follow a statement to another scope and another text', async () => {
    const account = await scene.account();
    const id = await account.statement({ text: 'the photography workshop' });
    await account.refresh();
    const far = await account.scope('/far');
    await becomes(account, id, `scope_id = '${far}', statement = 'the pottery workshop'`);
    expect(await listOf(account)).toEqual([
      ['/far', 'pottery', 1],
      ['/far', 'workshop', 1],
    ]);
  });

  test('are the same in whatever order, however often and beside what else statements are written', async () => {
    const account = await scene.account();
    const scopeId = await account.scope('/words');
    const words = ['canoe', 'paddle', 'harbour', 'lighthouse', 'anchors'];
    const statements = Array.from({ length: 24 }, (_, n) => ({
      statementId: uuidv7(),
      scopeId,
      words: [words[n % 5] ?? '', words[(n + 1 + (n % 3)) % 5] ?? ''],
    }));
    const write = (changes: WordListChanges) =>
      createInAccount(scene.pool)(account.id, (stores) => stores.wordLists.rewrite(changes));
    const gone = statements.map(({ statementId }) => statementId);
    await Promise.all([
      write({ counted: statements }),
      write({ counted: statements.toReversed() }),
      write({ gone: gone.slice(0, 9) }),
    ]);
    await Promise.all([
      write({ gone: gone.slice(4, 12) }),
      write({ counted: statements.slice(12) }),
    ]);
    await write({ counted: statements });
    await write({ counted: statements });
    const counts = new Map<string, number>();
    for (const word of statements.flatMap((one) => one.words)) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    expect(await listOf(account)).toEqual(
      [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([word, n]) => ['/words', word, n]),
    );
    await write({ gone });
    expect(await listOf(account)).toEqual([]);
  });

  test('are written anew by a rebuild', async () => {
    const account = await scene.account();
    await account.statement({ text: 'the photography workshop' });
    await account.refresh();
    const before = await listOf(account);
    for (const table of ['statement_words', 'scope_words', 'scope_word_keys']) {
      await scene.sql(`delete from ${table} where account_id = $1`, [account.id]);
    }
    await scene.retrieval.indexes.rebuild(account.id, null, new AbortController().signal);
    expect(await listOf(account)).toEqual(before);
    expect(before).toHaveLength(2);
  });
});

test('words near an unknown one are those of the scopes listed, counted over them', async () => {
  const account = await scene.account();
  await account.statement({ text: 'the canoe', path: '/one' });
  await account.statement({ text: 'a canoe and a canon', path: '/two' });
  await account.statement({ text: 'a canvas', path: '/two' });
  await account.statement({ text: 'a canopy', path: '/three' });
  await account.refresh();
  const scopeIds = [await account.scope('/one'), await account.scope('/two')];
  const near = await createInAccount(scene.pool)(account.id, (stores) =>
    stores.wordLists.near(['canooe', 'nothing'], scopeIds),
  );
  expect([...near.keys()]).toEqual(['canooe']);
  expect(near.get('canooe')?.[0]).toEqual({ word: 'canoe', statements: 2 });
  expect(near.get('canooe')?.map(({ word }) => word)).not.toContain('canopy');
});
