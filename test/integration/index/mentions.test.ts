/** The tables of names: what is in them, and that it goes with its statements. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import type { AccountScene, StatementInput } from '../search/account.ts';
import { openSearchScene, type SearchScene } from '../search/scene.ts';

let scene: SearchScene;

beforeAll(async () => {
  scene = await openSearchScene();
});
afterAll(() => scene.close());

/** Both tables, without ids. */
async function tablesOf(account: AccountScene) {
  const mentions = await scene.sql(
    `select k.statement, m.alias, m.is_public, m.is_sure, m.is_of_subject
     from entity_mentions m left join knowledge k on k.account_id = m.account_id and k.id = m.statement_id
     where m.account_id = $1 order by 1, 2`,
    [account.id],
  );
  const names = await scene.sql(
    `select s.path, n.word, n.alias, n.statements, n.public_statements, n.sure_statements, n.sure_public_statements,
       n.subject_statements, n.subject_public_statements
     from scope_names n join scopes s on s.account_id = n.account_id and s.id = n.scope_id
     where n.account_id = $1 order by 1, 2, 3`,
    [account.id],
  );
  return { mentions, names };
}

const aliasesOf = async (account: AccountScene) =>
  (await tablesOf(account)).names.map((row) => String(row['alias']));

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

describe('the names of statements', () => {
  test('are kept of active public and internal statements alone', async () => {
    const account = await scene.account();
    const kinds: [string, Partial<StatementInput>][] = [
      ['Arden', {}],
      ['Borden', { sensitivity: 'internal' }],
      ['Corden', { sensitivity: 'personal' }],
      ['Dorden', { sensitivity: 'restricted' }],
      ...['proposed', 'provisional', 'held', 'needs_revalidation', 'stale', 'contested'].map(
        (state): [string, Partial<StatementInput>] => [`In ${state}`, { state }],
      ),
    ];
    for (const [name, more] of kinds) {
      await account.statement({ text: `we saw ${name} Hall`, subject: 'x', ...more });
    }
    await account.refresh();
    expect(new Set(await aliasesOf(account))).toEqual(new Set(['arden hall', 'borden hall']));
  });

  test.each([
    ['it is redacted', "state = 'redacted', statement = null"],
    ['it is no longer active', "state = 'contested'"],
    ['it becomes personal', "sensitivity = 'personal'"],
  ])('go when %s', async (_, change) => {
    const account = await scene.account();
    const id = await account.statement({ text: 'we saw Arden Hall with Bob', subject: null });
    await account.statement({ text: 'we saw Bob', subject: null });
    await account.refresh();
    await becomes(account, id, change);
    expect(await tablesOf(account)).toEqual({
      mentions: [
        {
          statement: 'we saw Bob',
          alias: 'bob',
          is_public: true,
          is_sure: true,
          is_of_subject: false,
        },
      ],
      names: [
        {
          path: '/poc',
          word: 'bob',
          alias: 'bob',
          statements: 1,
          public_statements: 1,
          sure_statements: 1,
          sure_public_statements: 1,
          subject_statements: 0,
          subject_public_statements: 0,
        },
      ],
    });
  });

  test('follow a statement to another scope, another text and another audience', async () => {
    const account = await scene.account();
    const id = await account.statement({ text: 'we saw Arden Hall', subject: null });
    await account.refresh();
    const far = await account.scope('/far');
    await becomes(
      account,
      id,
      `scope_id = '${far}', statement = 'Arden came and Bob', sensitivity = 'internal'`,
    );
    const { mentions, names } = await tablesOf(account);
    expect(mentions).toEqual([
      {
        statement: 'Arden came and Bob',
        alias: 'arden',
        is_public: false,
        is_sure: false,
        is_of_subject: false,
      },
      {
        statement: 'Arden came and Bob',
        alias: 'bob',
        is_public: false,
        is_sure: true,
        is_of_subject: false,
      },
    ]);
    expect(names).toMatchObject([
      { path: '/far', alias: 'arden', statements: 1, public_statements: 0, sure_statements: 0 },
      { path: '/far', alias: 'bob', statements: 1, public_statements: 0, sure_statements: 1 },
    ]);
  });

  test('are the same in whatever order, however often and beside what else statements are written', async () => {
    const people = ['Anna Smith', 'Anna Jones', 'Bob'];
    const inputs = Array.from({ length: 24 }, (_, n) => ({
      text: `${n % 2 === 0 ? 'we met ' : ''}${people[n % 3] ?? ''} on day ${n} at Acme Rockets`,
      subject: null,
      sensitivity: n % 4 === 0 ? 'internal' : 'public',
    }));
    const tables = [];
    for (const ordered of [inputs, inputs.toReversed()]) {
      const account = await scene.account();
      const ids: string[] = [];
      for (const input of ordered) ids.push(await account.statement(input));
      await account.refresh();
      const rows = await scene.sql(
        'select statement_id, scope_id, is_public, alias, is_sure from entity_mentions where account_id = $1',
        [account.id],
      );
      const byStatement = [...Map.groupBy(rows, (row) => String(row['statement_id']))];
      const write = (order: typeof byStatement) =>
        createInAccount(scene.pool)(account.id, async (stores) => {
          await stores.mentions.rewrite({
            counted: order.map(([statementId, mentioned]) => ({
              statementId,
              scopeId: String(mentioned[0]?.['scope_id']),
              isPublic: Boolean(mentioned[0]?.['is_public']),
              mentions: mentioned.map((row) => ({
                alias: String(row['alias']),
                isSure: Boolean(row['is_sure']),
                isOfSubject: false,
              })),
            })),
          });
        });
      const forget = (some: readonly string[]) =>
        createInAccount(scene.pool)(account.id, (stores) =>
          stores.mentions.rewrite({ gone: some }),
        );
      await Promise.all([
        write(byStatement),
        write(byStatement.toReversed()),
        forget(ids.slice(0, 9)),
      ]);
      await Promise.all([forget(ids.slice(4, 12)), write(byStatement.slice(12))]);
      await write(byStatement);
      tables.push(await tablesOf(account));
    }
    expect(tables[1]).toEqual(tables[0]);
    expect(tables[0]?.names.length).toBeGreaterThan(4);
  });

  test('are written anew by a rebuild', async () => {
    const account = await scene.account();
    await account.statement({ text: 'we saw Arden Hall', subject: null });
    await account.refresh();
    const before = await tablesOf(account);
    await scene.sql('delete from entity_mentions where account_id = $1', [account.id]);
    await scene.sql('delete from scope_names where account_id = $1', [account.id]);
    await scene.retrieval.indexes.rebuild(account.id, null, new AbortController().signal);
    expect(await tablesOf(account)).toEqual(before);
    expect(before.names).toHaveLength(2);
  });

  test('of people are those of counted statements of the scope, and no other', async () => {
    const account = await scene.account();
    await account.statement({
      text: 'dana-7 likes tea',
      subject: 'dana-7',
      sensitivity: 'personal',
    });
    await account.statement({ text: 'erik-7 likes tea', subject: 'erik-7', path: '/other' });
    await account.statement({ text: 'fay-7 likes tea', subject: 'fay-7' });
    await account.refresh();
    await account.statement({ text: 'we asked dana-7, erik-7 and fay-7', subject: null });
    await account.refresh();
    const { mentions } = await tablesOf(account);
    expect(
      mentions
        .filter(({ statement }) => statement === 'we asked dana-7, erik-7 and fay-7')
        .map(({ alias }) => alias),
    ).toEqual(['fay 7']);
  });

  test('of people in public statements are those of public statements', async () => {
    const account = await scene.account();
    const inside = { sensitivity: 'internal' };
    await account.statement({ text: 'dana-7 likes tea', subject: 'dana-7', ...inside });
    await account.statement({ text: 'fay-7 likes tea', subject: 'fay-7' });
    await account.refresh();
    await account.statement({ text: 'we asked dana-7 and fay-7', subject: null });
    await account.statement({ text: 'they met dana-7 and fay-7', subject: null, ...inside });
    await account.refresh();
    const { mentions } = await tablesOf(account);
    const of = (text: string) =>
      mentions.filter(({ statement }) => statement === text).map(({ alias }) => alias);
    expect(of('we asked dana-7 and fay-7')).toEqual(['fay 7']);
    expect(of('they met dana-7 and fay-7')).toEqual(['dana 7', 'fay 7']);
  });
});
