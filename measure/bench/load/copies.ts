/**
 * Makes a large history from a small one by SQL: rows that the service wrote are copied with other ids and texts, so
 * that a copy has every column that a real row has. The service takes no part in it.
 */
import type { Client } from 'pg';
import { z } from 'zod';

const found = z.object({ message: z.uuid(), knowledge: z.uuid(), account: z.uuid() });
type Template = z.infer<typeof found>;

/** A completed observation of the scope and its statement, one of a single source: each copy has one observation. */
async function templateOf(admin: Client, scope: string): Promise<Template> {
  const { rows } = await admin.query(
    `select p.message_id as message, p.knowledge_id as knowledge, p.account_id as account
     from provenance p
     join knowledge k on k.account_id = p.account_id and k.id = p.knowledge_id
     join scopes s on s.account_id = k.account_id and s.id = k.scope_id
     where s.path = $1 order by k.source_count, p.recorded_at limit 1`,
    [scope],
  );
  return found.parse(rows[0]);
}

/** Tables with rows of one message; `NAMES` are the columns that name a message or a statement. */
const OF_MESSAGE = ['messages', 'extraction_anchors'] as const;
const NAMES: Readonly<Record<string, string>> = {
  message_id: 'c.message_id',
  knowledge_id: 'c.knowledge_id',
};

/** The columns of a table, without those that Postgres computes by itself. */
async function columnsOf(admin: Client, table: string): Promise<readonly string[]> {
  const { rows } = await admin.query(
    `select column_name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  return rows.map((row) => z.object({ column_name: z.string() }).parse(row).column_name);
}

/** Copies the rows of `table` that belong to the template, once for each copy. */
async function copyRows(
  admin: Client,
  table: string,
  template: Template,
  changes: Readonly<Record<string, string>>,
): Promise<void> {
  const columns = await columnsOf(admin, table);
  const isMessage = table === 'messages';
  const isStatement = table === 'knowledge';
  const own: Record<string, string> = isMessage
    ? { id: 'c.message_id' }
    : isStatement
      ? { id: 'c.knowledge_id' }
      : {
          ...(columns.includes('id') ? { id: 'uuidv7()' } : {}),
          ...Object.fromEntries(Object.entries(NAMES).filter(([name]) => columns.includes(name))),
        };
  const values = Object.entries({ ...own, ...changes });
  const key =
    isMessage || isStatement
      ? 'id'
      : columns.includes('knowledge_id')
        ? 'knowledge_id'
        : 'message_id';
  const pairs = values.map(([name, value]) => `'${name}', ${value}`).join(', ');
  await admin.query(
    `insert into ${table} (${columns.join(', ')})
     select ${columns.map((column) => `made.${column}`).join(', ')}
     from ${table} t, copies c, jsonb_populate_record(t, jsonb_build_object(${pairs})) as made
     where t.account_id = $1 and t.${key} = $2`,
    [template.account, key === 'message_id' || isMessage ? template.message : template.knowledge],
  );
}

const HASH = (text: string): string =>
  `'\\x' || encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

/** Every table with rows of statements, read from the present schema. */
async function tablesOfStatements(admin: Client): Promise<readonly string[]> {
  const { rows } = await admin.query(
    `select c.table_name from information_schema.columns c
     join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
     where c.table_schema = 'public' and c.column_name = 'knowledge_id' and t.table_type = 'BASE TABLE'
     order by c.table_name`,
  );
  return rows.map((row) => z.object({ table_name: z.string() }).parse(row).table_name);
}

/** What the copies of a statement say, and who is told of them. */
export interface Copies {
  /** One text for each copy, of the observation and of its statement. */
  readonly texts?: readonly string[];
  /** The text of each copy as SQL, in terms of its number `c.n`; numbered sentences when both are absent. */
  readonly textSql?: string;
  /** Whether dirty marks make the worker write the copies to both indexes. */
  readonly isMarked?: boolean;
}

const LEDGERS = `'I kept the ledger with number ' || c.n || ' in the archive of Ghent.'`;

/** The ids and texts of the copies that are about to be made. */
async function nameCopies(
  admin: Client,
  amount: number,
  { texts, textSql = LEDGERS }: Copies,
): Promise<void> {
  const numbered = `select c.n, ${textSql} as text from generate_series(1, $1::int) as c (n)`;
  const given = 'select n, text from unnest($1::text[]) with ordinality as given (text, n)';
  await admin.query(
    'create temp table copies (n int, text text, message_id uuid, knowledge_id uuid) on commit drop',
  );
  await admin.query(
    `insert into copies select n, text, uuidv7(), uuidv7() from (${texts === undefined ? numbered : given}) as made`,
    [texts ?? amount],
  );
}

/**
 * Adds `amount` statements, each with an observation of its own, copied from the first statement at `scope`: same
 * scope, same speaker, other words.
 */
export async function copyStatements(
  admin: Client,
  scope: string,
  amount: number,
  copies: Copies = {},
): Promise<void> {
  const { isMarked = true } = copies;
  const template = await templateOf(admin, scope);
  await admin.query('begin');
  await admin.query(`set local session_replication_role = replica`);
  await admin.query(`set local statement_timeout = 0`);
  await nameCopies(admin, amount, copies);
  await copyRows(admin, 'messages', template, { content: 'c.text', content_hash: HASH('c.text') });
  for (const table of OF_MESSAGE.slice(1)) await copyRows(admin, table, template, {});
  await copyRows(admin, 'knowledge', template, {
    statement: 'c.text',
    statement_hash: HASH('c.text'),
  });
  for (const table of await tablesOfStatements(admin)) {
    await copyRows(admin, table, template, {});
  }
  if (isMarked) await markCopies(admin, template);
  await admin.query('commit');
  if (isMarked) await admin.query('analyze');
}

/** The marks are spread over all mailboxes, as if the observations came from as many sessions. */
async function markCopies(admin: Client, template: Template): Promise<void> {
  await admin.query(
    `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
     select k.account_id, e.engine::index_engine, 'statement', c.knowledge_id, k.scope_id,
       m.shards[1 + c.n % cardinality(m.shards)]
     from copies c, knowledge k, (values ('qdrant'), ('meilisearch')) e (engine),
       (select array_agg(shard) as shards from mailboxes where account_id = $1 and kind = 'projection') m
     where k.account_id = $1 and k.id = $2`,
    [template.account, template.knowledge],
  );
}

/** Adds `amount` scopes below the root and `amount` people to the account that the scope belongs to. */
export async function copyNames(admin: Client, scope: string, amount: number): Promise<void> {
  const { account } = await templateOf(admin, scope);
  await admin.query(
    `insert into scopes (account_id, id, path, parent_id)
     select $1, uuidv7(), '/archive-' || n, r.id
     from generate_series(1, $2::int) n, scopes r where r.account_id = $1 and r.path = '/'`,
    [account, amount],
  );
  await admin.query(
    `insert into peers (account_id, id, key, name, kind)
     select $1, uuidv7(), 'archivist-' || n, 'Archivist ' || n, 'human' from generate_series(1, $2::int) n`,
    [account, amount],
  );
  await admin.query('analyze');
}
