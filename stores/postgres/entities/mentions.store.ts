/**
 * The names that statements mention, and how many statements mention each name of a scope. Counted by difference, like the
 * frequencies of words.
 *
 * Deadlocks: `rewrite` is called once in a transaction, after the words of the same statements were counted, which locks
 * the statements in order. The counts of names are locked in the order of their keys by one query, before any falls.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import { leadOfAlias, wordsOfAlias } from '../../../domain/entities/alias.ts';
import type { Mention, NamedPeer } from '../../../domain/entities/mentions.ts';
import { AccountStore } from '../account-store.ts';
import type { Queryable } from '../pool.ts';

/** A statement whose names are counted. */
export interface MentioningStatement {
  readonly statementId: string;
  readonly scopeId: string;
  readonly isPublic: boolean;
  readonly mentions: readonly Mention[];
}

/** A piece of a statement that may be a name of a person. */
export interface AskedName {
  readonly scopeId: string;
  readonly alias: string;
  /** Whether the statement is public. */
  readonly isPublic: boolean;
}

export interface MentionChanges {
  readonly gone?: readonly string[];
  readonly counted?: readonly MentioningStatement[];
}

const mentionRow = z.object({
  scope_id: z.string(),
  alias: z.string(),
  is_public: z.boolean(),
  statement_id: z.string(),
  is_sure: z.boolean(),
  is_of_subject: z.boolean(),
});
type MentionRow = z.infer<typeof mentionRow>;

const subjectRow = z.object({ statement_id: z.string(), key: z.string(), name: z.string() });

function rowsOf({ isPublic, mentions, scopeId, statementId }: MentioningStatement): MentionRow[] {
  return mentions.map(({ alias, isOfSubject, isSure }) => ({
    scope_id: scopeId,
    alias,
    is_public: isPublic,
    statement_id: statementId,
    is_sure: isSure,
    is_of_subject: isOfSubject,
  }));
}

const COUNTS = [
  'statements',
  'public_statements',
  'sure_statements',
  'sure_public_statements',
  'subject_statements',
  'subject_public_statements',
] as const;
type Counts = Readonly<Record<(typeof COUNTS)[number], number>>;

interface CountDelta extends Counts {
  readonly scope_id: string;
  readonly word: string;
  readonly alias: string;
}

/** How the counts stand without a mention. */
const NONE: Counts = {
  statements: 0,
  public_statements: 0,
  sure_statements: 0,
  sure_public_statements: 0,
  subject_statements: 0,
  subject_public_statements: 0,
};

/** What one mention counts for. */
function countsOf(row: MentionRow): Counts {
  return {
    statements: 1,
    public_statements: Number(row.is_public),
    sure_statements: Number(row.is_sure),
    sure_public_statements: Number(row.is_public && row.is_sure),
    subject_statements: Number(row.is_of_subject),
    subject_public_statements: Number(row.is_of_subject && row.is_public),
  };
}

function sumOf(a: Counts, b: Counts, by: 1 | -1): Counts {
  return Object.fromEntries(COUNTS.map((count) => [count, a[count] + by * b[count]])) as Record<
    (typeof COUNTS)[number],
    number
  >;
}

/** What changes of the counts, under each word of each name; names whose counts stay are left out. */
function deltasOf(gone: readonly MentionRow[], come: readonly MentionRow[]): CountDelta[] {
  const deltas = new Map<string, CountDelta>();
  const add = (row: MentionRow, by: 1 | -1): void => {
    for (const word of wordsOfAlias(row.alias)) {
      const key = JSON.stringify([row.scope_id, word, row.alias]);
      const sum = sumOf(deltas.get(key) ?? NONE, countsOf(row), by);
      deltas.set(key, { scope_id: row.scope_id, word, alias: row.alias, ...sum });
    }
  };
  for (const row of gone) add(row, -1);
  for (const row of come) add(row, 1);
  return [...deltas.values()].filter((delta) => COUNTS.some((count) => delta[count] !== 0));
}

const MENTION_ROW = sql.fragment`(scope_id uuid, alias text, is_public boolean, statement_id uuid, is_sure boolean,
  is_of_subject boolean)`;
const DELTA_ROW = sql.fragment`(scope_id uuid, word text, alias text, statements integer, public_statements integer,
  sure_statements integer, sure_public_statements integer, subject_statements integer, subject_public_statements integer)`;

/** A transaction under the row security of an account. */
interface Place {
  readonly tx: Queryable;
  readonly accountId: string;
}

/** Deletes the mentions of the statements that are not among `rows`; answers them. */
async function forgetOthers(
  { accountId, tx }: Place,
  ids: readonly string[],
  rows: readonly MentionRow[],
): Promise<readonly MentionRow[]> {
  return tx.any(sql.type(mentionRow)`
    delete from entity_mentions m
    where m.account_id = ${accountId}::uuid and m.statement_id = any(${sql.array(ids, 'uuid')})
      and not exists (
        select from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as kept ${MENTION_ROW}
        where kept.statement_id = m.statement_id and kept.alias = m.alias and kept.scope_id = m.scope_id
          and kept.is_public = m.is_public and kept.is_sure = m.is_sure and kept.is_of_subject = m.is_of_subject)
    returning m.scope_id, m.alias, m.is_public, m.statement_id, m.is_sure, m.is_of_subject`);
}

/** Inserts the mentions that are not there; answers those. */
async function insertMentions(
  { accountId, tx }: Place,
  rows: readonly MentionRow[],
): Promise<readonly MentionRow[]> {
  return tx.any(sql.type(mentionRow)`
    insert into entity_mentions (account_id, scope_id, alias, is_public, statement_id, is_sure, is_of_subject)
    select ${accountId}::uuid, n.scope_id, n.alias, n.is_public, n.statement_id, n.is_sure, n.is_of_subject
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n ${MENTION_ROW}
    order by n.statement_id, n.alias
    on conflict (account_id, scope_id, alias, is_public, statement_id) do nothing
    returning scope_id, alias, is_public, statement_id, is_sure, is_of_subject`);
}

/** Changes the counts: the first query locks all of them in order and raises, the others lower and remove. */
async function changeCounts(
  { accountId, tx }: Place,
  deltas: readonly CountDelta[],
): Promise<void> {
  if (deltas.length === 0) return;
  await tx.query(sql.unsafe`
    insert into scope_names (account_id, scope_id, word, alias, statements, public_statements, sure_statements,
      sure_public_statements, subject_statements, subject_public_statements)
    select ${accountId}::uuid, d.scope_id, d.word, d.alias, greatest(d.statements, 0),
      greatest(d.public_statements, 0), greatest(d.sure_statements, 0), greatest(d.sure_public_statements, 0),
      greatest(d.subject_statements, 0), greatest(d.subject_public_statements, 0)
    from jsonb_to_recordset(${JSON.stringify(deltas)}::jsonb) as d ${DELTA_ROW}
    order by d.scope_id, d.word collate "C", d.alias collate "C"
    on conflict (account_id, scope_id, word, alias) do update set
      statements = scope_names.statements + excluded.statements,
      public_statements = scope_names.public_statements + excluded.public_statements,
      sure_statements = scope_names.sure_statements + excluded.sure_statements,
      sure_public_statements = scope_names.sure_public_statements + excluded.sure_public_statements,
      subject_statements = scope_names.subject_statements + excluded.subject_statements,
      subject_public_statements = scope_names.subject_public_statements + excluded.subject_public_statements`);
  const fallen = deltas.filter((delta) => COUNTS.some((count) => delta[count] < 0));
  if (fallen.length === 0) return;
  const rows = JSON.stringify(fallen);
  await tx.query(sql.unsafe`
    update scope_names n set
      statements = n.statements + least(d.statements, 0),
      public_statements = n.public_statements + least(d.public_statements, 0),
      sure_statements = n.sure_statements + least(d.sure_statements, 0),
      sure_public_statements = n.sure_public_statements + least(d.sure_public_statements, 0),
      subject_statements = n.subject_statements + least(d.subject_statements, 0),
      subject_public_statements = n.subject_public_statements + least(d.subject_public_statements, 0)
    from jsonb_to_recordset(${rows}::jsonb) as d ${DELTA_ROW}
    where n.account_id = ${accountId}::uuid and n.scope_id = d.scope_id and n.word = d.word and n.alias = d.alias`);
  await tx.query(sql.unsafe`
    delete from scope_names n using jsonb_to_recordset(${rows}::jsonb) as d ${DELTA_ROW}
    where n.account_id = ${accountId}::uuid and n.scope_id = d.scope_id and n.word = d.word
      and n.alias = d.alias and n.statements = 0`);
}

/** Mentions of names in the account's statements. */
export class MentionsStore extends AccountStore {
  /** The persons that the statements are about, by statement. One query. */
  async subjects(statementIds: readonly string[]): Promise<ReadonlyMap<string, NamedPeer>> {
    const rows = await this.tx.any(sql.type(subjectRow)`
      select k.id as statement_id, p.key, p.name
      from knowledge k
      join peers p on p.account_id = k.account_id and p.id = k.subject_peer_id
      where k.account_id = ${this.accountId}::uuid and k.id = any(${sql.array(statementIds, 'uuid')})`);
    return new Map(rows.map(({ statement_id: id, key, name }) => [id, { key, name }]));
  }

  /**
   * Those of the names that some counted statement of the scope is about, as they were asked for. A name in a public
   * statement is known by public ones alone. Each costs one look into an index. One query.
   */
  async namesOfSubjects(asked: readonly AskedName[]): Promise<readonly AskedName[]> {
    const places = await this.tx.anyFirst(sql.type(z.object({ place: z.number() }))`
      select asked.place
      from unnest(${sql.array(
        asked.map(({ scopeId }) => scopeId),
        'uuid',
      )}, ${sql.array(
        asked.map(({ alias }) => leadOfAlias(alias)),
        'text',
      )}, ${sql.array(
        asked.map(({ alias }) => alias),
        'text',
      )}, ${sql.array(
        asked.map(({ isPublic }) => isPublic),
        'bool',
      )}) with ordinality as asked (scope_id, word, alias, is_public, place)
      cross join lateral (
        select from scope_names n
        where n.account_id = ${this.accountId}::uuid and n.scope_id = asked.scope_id and n.word = asked.word
          and n.alias = asked.alias
          and case when asked.is_public then n.subject_public_statements else n.subject_statements end > 0
        limit 1) known`);
    return places.flatMap((place) => asked[place - 1] ?? []);
  }

  /**
   * Makes the mentions of the statements `counted` what they are now, and forgets those of the statements `gone`. Two
   * queries where nothing changes, up to five where something does.
   */
  async rewrite(changes: MentionChanges): Promise<void> {
    const { counted = [], gone = [] } = changes;
    const wanted = [...new Map(counted.map((one) => [one.statementId, one])).values()];
    const ids = [...new Set([...gone, ...wanted.map(({ statementId }) => statementId)])];
    if (ids.length === 0) return;
    const rows = wanted.flatMap(rowsOf);
    const place = { tx: this.tx, accountId: this.accountId };
    const left = await forgetOthers(place, ids, rows);
    const come = rows.length === 0 ? [] : await insertMentions(place, rows);
    await changeCounts(place, deltasOf(left, come));
  }
}
