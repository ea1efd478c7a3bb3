/** All rows of a database put aside, and later put back: what a restore of a backup amounts to, without a second server. */
import type { Client, Pool } from 'pg';

interface Table {
  readonly name: string;
  /** Columns that are written, quoted; those that the database computes are left out. */
  readonly columns: string;
}

async function tablesOf(admin: Client | Pool): Promise<readonly Table[]> {
  const { rows } = await admin.query<Table>(`
    select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    group by c.relname order by c.relname`);
  return rows;
}

/** Where the rows lie meanwhile. */
const ASIDE = 'put_aside';

/** As superuser, once for a database. Puts all rows aside; answers what puts them back as they were, as often as it is called. */
export async function backUp(admin: Client): Promise<() => Promise<void>> {
  const tables = await tablesOf(admin);
  const copies = tables.map(
    ({ columns, name }) =>
      `create table ${ASIDE}.${name} as select ${columns} from public.${name};`,
  );
  await admin.query(`begin; create schema ${ASIDE}; ${copies.join(' ')} commit`);
  const emptied = `truncate ${tables.map(({ name }) => `public.${name}`).join(', ')};`;
  const filled = tables.map(
    ({ columns, name }) =>
      `insert into public.${name} (${columns}) overriding system value select ${columns} from ${ASIDE}.${name};`,
  );
  return async () => {
    // Triggers and foreign keys are for changes; these rows have met them.
    await admin.query(
      `begin; set local session_replication_role = replica; ${emptied} ${filled.join(' ')} commit`,
    );
  };
}
