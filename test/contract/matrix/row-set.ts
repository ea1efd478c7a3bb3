/** Rows that are written together, in an order in which they can be, and the ids that only the database knows. */
export type Row = Readonly<Record<string, unknown>>;
export type Query = (query: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Ids that only the database knows. */
export interface Place {
  readonly accountId: string;
  /** By the name of who has it. */
  readonly credentialIds: ReadonlyMap<string, string>;
  readonly scopeIds: ReadonlyMap<string, string>;
  readonly peerIds: ReadonlyMap<string, string>;
  readonly sessionIds: ReadonlyMap<string, string>;
}

/** Tables in the order in which rows can be written. */
const ORDER = [
  'scopes',
  'scope_links',
  'peers',
  'audiences',
  'audience_members',
  'sessions',
  'session_scopes',
  'session_participants',
  'messages',
  'extraction_anchors',
  'knowledge',
  'knowledge_submitters',
  'provenance',
  'knowledge_attesters',
  'knowledge_source_scopes',
  'belief_periods',
  'review_items',
  'scheduled_decisions',
  'consents',
  'questions',
  'question_deliveries',
  'skill_cards',
  'circles',
  'circle_members',
  'forget_holds',
] as const;
type TableName = (typeof ORDER)[number];
/** What several rows refer to, and each of them brings along. */
const SHARED: ReadonlySet<TableName> = new Set(['audiences', 'audience_members']);

export const idOf = (map: ReadonlyMap<string, string>, key: string): string => {
  const id = map.get(key);
  if (id === undefined) throw new Error(`nothing of the name ${key}`);
  return id;
};
/** Rows that are written together. */
export class Rows {
  readonly #tables = new Map<TableName, Row[]>();
  readonly #accountId: string;

  constructor(accountId: string) {
    this.#accountId = accountId;
  }

  add(table: TableName, row: Row): void {
    const rows = this.#tables.get(table) ?? [];
    rows.push({ account_id: this.#accountId, ...row });
    this.#tables.set(table, rows);
  }

  async write(query: Query): Promise<void> {
    for (const table of ORDER) {
      const rows = this.#tables.get(table) ?? [];
      if (rows.length === 0) continue;
      const columns = Object.keys(rows[0] ?? {}).join(', ');
      await query(
        `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)
         ${SHARED.has(table) ? 'on conflict do nothing' : ''}`,
        [JSON.stringify(rows)],
      );
    }
  }
}
