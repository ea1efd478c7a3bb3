/** Rows of an account as lines of an archive, out of the database and into it. Every method is about one page. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import {
  TRAVELLING,
  TRAVELLING_NAMES,
  type TravellingName,
} from '../../../domain/portability/tables.ts';
import type { KeyColumn, RowSelection } from '../../../domain/portability/travelling-table.ts';
import { AccountStore } from '../account-store.ts';
import { refusalOf } from '../errors.ts';

export interface RowPage {
  readonly lines: readonly string[];
  /** The key of the last row; the next page begins after it. */
  readonly last: readonly string[];
}

export interface RowPageOptions {
  readonly after: readonly string[] | null;
  readonly rows: number;
  /** The lines have fewer bytes, or there is one. */
  readonly bytes: number;
}

const lineRow = z.object({ line: z.string(), key: z.array(z.string()) });
const tableRow = z.object({ found: z.boolean() });

const ONLY: Readonly<Record<NonNullable<RowSelection['only']>, FragmentSqlToken>> = {
  sealed: sql.fragment`t.chain_position is not null`,
  unsealed: sql.fragment`t.chain_position is null`,
  of_peers: sql.fragment`t.peer_id is not null`,
};

const CASTS: Readonly<Record<KeyColumn['type'], FragmentSqlToken>> = {
  uuid: sql.fragment`uuid`,
  text: sql.fragment`text`,
  bytea: sql.fragment`bytea`,
  bigint: sql.fragment`bigint`,
};

const comma = sql.fragment`, `;
const column = (name: string): FragmentSqlToken => sql.fragment`t.${sql.identifier([name])}`;
const list = (names: readonly string[]): FragmentSqlToken =>
  sql.fragment`${sql.join(
    names.map((name) => sql.fragment`${sql.identifier([name])}`),
    comma,
  )}`;

/** The rows after a key. The comparison of the first column alone is what an index under row security answers. */
function after(key: readonly KeyColumn[], values: readonly string[] | null): FragmentSqlToken {
  const [first] = key;
  if (values === null || first === undefined) return sql.fragment`true`;
  const literals = key.map(({ type }, at) => sql.fragment`${values[at] ?? ''}::${CASTS[type]}`);
  const columns = key.map((part) => column(part.column));
  return sql.fragment`${column(first.column)} >= ${literals[0] ?? sql.fragment`null`}
    and (${sql.join(columns, comma)}) > (${sql.join(literals, comma)})`;
}

/** The values that a column has after an import, where it does not travel and is no default. */
const AT_IMPORT = {
  archive_credential: (credentialId: string) => sql.fragment`${credentialId}::uuid`,
  archive_credential_of_uploader: (credentialId: string) =>
    sql.fragment`case when r.uploader_peer_id is not null then ${credentialId}::uuid end`,
} as const;

/** Columns of anchors that travel and mean work under way: it begins anew. */
const BEGINS_ANEW: Readonly<Record<string, FragmentSqlToken>> = {
  status: sql.fragment`case when r.status = 'failed' then 'pending' else r.status end`,
  last_error_class: sql.fragment`case when r.status not in ('failed', 'pending') then r.last_error_class end`,
};

interface Written {
  readonly name: string;
  readonly value: FragmentSqlToken;
}

function writtenColumns(table: TravellingName, credentialId: string): readonly Written[] {
  const { account, columns, left } = TRAVELLING[table];
  const travelling = [account, ...columns].map((name) => ({
    name,
    value:
      (table === 'extraction_anchors' ? BEGINS_ANEW[name] : undefined) ??
      sql.fragment`r.${sql.identifier([name])}`,
  }));
  const given = Object.entries(left).flatMap(([name, word]) =>
    word === 'default' || word === 'made' ? [] : [{ name, value: AT_IMPORT[word](credentialId) }],
  );
  return [...travelling, ...given];
}

/** Rows of the account in archives. */
export class ArchiveRowsStore extends AccountStore {
  /** The next rows of a part of a table, in the order of its key. */
  async page(
    name: TravellingName,
    { key, only }: RowSelection,
    { after: values, bytes, rows }: RowPageOptions,
  ): Promise<RowPage> {
    const { account, columns, marks } = TRAVELLING[name];
    const parts = [account, ...columns].map(column);
    const extra = Object.entries(marks).map(
      ([mark, value]) => sql.fragment`${value}::text as ${sql.identifier([mark])}`,
    );
    const keyColumns = key.map((part) => column(part.column));
    const order = keyColumns.length === 0 ? sql.fragment`1` : sql.join(keyColumns, comma);
    const texts = keyColumns.map((part) => sql.fragment`${part}::text`);
    const keyText = texts.length === 0 ? sql.fragment`` : sql.fragment`${sql.join(texts, comma)}`;
    const found = await this.tx.any(sql.type(lineRow)`
      select sized.line, sized.key from (
        select found.line, found.key, found.place,
          sum(octet_length(found.line)) over (order by found.place) - octet_length(found.line) as before
        from (
          select row_to_json(r.*)::text as line, t.key_of_row as key, t.place_of_row as place from (
            select t.*, array[${keyText}]::text[] as key_of_row,
              row_number() over (order by ${order}) as place_of_row
            from ${sql.identifier([name])} t
            where t.${sql.identifier([account])} = ${this.accountId}::uuid
              and ${only === undefined ? sql.fragment`true` : ONLY[only]} and ${after(key, values)}
            order by ${order} limit ${rows}
          ) t cross join lateral (select ${sql.join([...parts, ...extra], comma)}) r
        ) found
      ) sized
      where sized.before < ${bytes} or sized.place = 1
      order by sized.place`);
    return { lines: found.map(({ line }) => line), last: found.at(-1)?.key ?? [] };
  }

  /**
   * Writes rows, whose lines were checked; `credentialId` stands for every credential that they name. Answers why the
   * database refuses them, which ends the transaction, or null.
   */
  insert(
    name: TravellingName,
    lines: readonly string[],
    credentialId: string,
  ): Promise<string | null> {
    return refusalOf(() => this.#insert(name, lines, credentialId));
  }

  async #insert(name: TravellingName, lines: readonly string[], credentialId: string) {
    const json = `[${lines.join(',')}]`;
    if (name === 'audit_events') {
      await this.tx.query(sql.unsafe`select import_audit_events(${json}::jsonb)`);
      return;
    }
    if (name === 'audit_chains') {
      await this.tx.query(sql.unsafe`select import_audit_chain(${lines[0] ?? ''}::jsonb)`);
      return;
    }
    const table = sql.identifier([name]);
    const written = writtenColumns(name, credentialId);
    await this.tx.query(sql.unsafe`
      insert into ${table} (${list(written.map((each) => each.name))})
      select ${sql.join(
        written.map(({ value }) => value),
        comma,
      )}
      from jsonb_populate_recordset(null::${table}, ${json}::jsonb) r`);
  }

  /** Tells the planner how many rows the table has by now. */
  async count(name: TravellingName): Promise<void> {
    await this.tx.query(sql.unsafe`select count_imported(${name})`);
  }

  /** Keys to rows of later pages are judged by `settle`. */
  async defer(): Promise<void> {
    await this.tx.query(sql.unsafe`set constraints all deferred`);
  }

  /** Judges every key that was put off. Answers why the database refuses the rows, or null. */
  settle(): Promise<string | null> {
    return refusalOf(() => this.tx.query(sql.unsafe`set constraints all immediate`));
  }

  /** The first column, as `table.column`, that names a row that is not there and that no foreign key holds. Else null. */
  async dangling(): Promise<string | null> {
    for (const name of TRAVELLING_NAMES) {
      for (const [from, target] of Object.entries(TRAVELLING[name].references)) {
        if (await this.#dangles(name, from, target)) return `${name}.${from}`;
      }
    }
    return null;
  }

  #dangles(name: string, from: string, target: string): Promise<boolean> {
    return this.tx.oneFirst(sql.type(tableRow)`
      select exists (
        select from ${sql.identifier([name])} r
        where r.account_id = ${this.accountId}::uuid and r.${sql.identifier([from])} is not null and not exists (
          select from ${sql.identifier([target])} t
          where t.account_id = ${this.accountId}::uuid and t.id = r.${sql.identifier([from])})) as found`);
  }
}
