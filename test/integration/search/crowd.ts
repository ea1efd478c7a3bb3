/** Very many units of an account, made by SQL from one of each kind, with the words of other texts. */
import type { AccountScene, RunSql } from './account.ts';

/** Columns of a copy that differ from its template: SQL, in terms of `c.n`, `c.id` and `c.text`. */
type Changes = Readonly<Record<string, string>>;

const HASH = `'\\x' || encode(sha256(convert_to(c.text, 'UTF8')), 'hex')`;

async function copyRows(
  sql: RunSql,
  accountId: string,
  table: string,
  { key, of, changes }: { readonly key: string; readonly of: string; readonly changes: Changes },
  copies: readonly unknown[],
): Promise<void> {
  const columns = await sql(
    `select string_agg(column_name, ', ') as all, string_agg('made.' || column_name, ', ') as made
     from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  const [names] = columns;
  const pairs = Object.entries(changes).map(([name, value]) => `'${name}', ${value}`);
  await sql(
    `insert into ${table} (${String(names?.['all'])})
     select ${String(names?.['made'])}
     from ${table} t, jsonb_to_recordset($3::jsonb) as c (n integer, id uuid, text text),
       jsonb_populate_record(t, jsonb_build_object(${pairs.join(', ')})) as made
     where t.account_id = $1 and t.${key} = $2`,
    [accountId, of, JSON.stringify(copies)],
  );
}

/**
 * Adds `amount` messages of one session and as many statements that say the same, with the given texts in turn. They are
 * marked for both indexes, which `account.refresh` then writes.
 */
export async function addCrowd(
  sql: RunSql,
  account: AccountScene,
  texts: readonly string[],
  amount: number,
): Promise<void> {
  const message = await account.message({ speaker: 'zoe', text: 'One of many.' });
  const statement = await account.statement({ text: 'Zoe is one of many', level: 'scope' });
  const [ids] = await sql(
    `select array_agg(uuidv7()::text) as ids from generate_series(1, $1::int)`,
    [amount],
  );
  const made: readonly string[] = Object(ids)['ids'];
  const copies = made.map((id, n) => ({
    n,
    id,
    text: `${texts[n % texts.length] ?? ''} Number ${id.slice(-12)} of many.`,
  }));
  await copyRows(
    sql,
    account.id,
    'messages',
    {
      key: 'id',
      of: message,
      changes: {
        id: 'c.id',
        content: 'c.text',
        content_hash: HASH,
        occurred_at: `t.occurred_at + c.n * interval '1 second'`,
      },
    },
    copies,
  );
  await copyRows(
    sql,
    account.id,
    'knowledge',
    {
      key: 'id',
      of: statement,
      changes: { id: 'c.id', statement: 'c.text', statement_hash: HASH },
    },
    copies,
  );
  for (const [table, changes] of [
    ['knowledge_submitters', {}],
    ['belief_periods', { id: 'uuidv7()' }],
  ] as const) {
    await copyRows(
      sql,
      account.id,
      table,
      { key: 'knowledge_id', of: statement, changes: { ...changes, knowledge_id: 'c.id' } },
      copies,
    );
  }
  await sql(
    `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard, spreads)
     select s.account_id, engine, unit, c.id, s.id, 0, false
     from jsonb_to_recordset($2::jsonb) as c (id uuid), scopes s,
       unnest(enum_range(null::index_engine)) engine, unnest(enum_range(null::unit_kind)) unit
     where s.account_id = $1 and s.path = '/poc'`,
    [account.id, JSON.stringify(copies)],
  );
}
