/**
 * The list of words of each scope, counted by difference like the frequencies of words, and the words of it that an unknown
 * word may be meant to be.
 *
 * Deadlocks: `rewrite` is called once in a transaction, after the words of the same statements were counted, which locks
 * the statements in order. The words of scopes are locked in the order of their keys by one query, before any falls.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import { spellingKeys, type ListedWord } from '../../../domain/text/spelling.ts';
import { AccountStore } from '../account-store.ts';
import type { Queryable } from '../pool.ts';

/** A statement whose words are listed; each word once. */
export interface WordedStatement {
  readonly statementId: string;
  readonly scopeId: string;
  readonly words: readonly string[];
}

export interface WordListChanges {
  readonly gone?: readonly string[];
  readonly counted?: readonly WordedStatement[];
}

/** Words of one key that are read, those that come first by code points: an ordinary key has one or two. */
export const MOST_WORDS_OF_KEY = 64;
/** Words that are answered for one unknown word, over all scopes. */
export const MOST_NEAR_WORDS = 256;

const wordsRow = z.object({
  statement_id: z.string(),
  scope_id: z.string(),
  words: z.array(z.string()),
});
const nearRow = z.object({ asked: z.string(), word: z.string(), statements: z.number() });
const placeRow = z.object({ scope_id: z.string(), word: z.string() });

interface WordDelta {
  readonly scope_id: string;
  readonly word: string;
  readonly delta: number;
}

/** A transaction under the row security of an account. */
interface Place {
  readonly tx: Queryable;
  readonly accountId: string;
}

/** What changes of the counts; words whose counts stay are left out. */
class WordDeltas {
  readonly #deltas = new Map<string, WordDelta>();

  add(scopeId: string, words: readonly string[], by: 1 | -1): void {
    for (const word of words) {
      const key = `${scopeId}/${word}`;
      const delta = (this.#deltas.get(key)?.delta ?? 0) + by;
      this.#deltas.set(key, { scope_id: scopeId, word, delta });
    }
  }

  all(): WordDelta[] {
    return [...this.#deltas.values()].filter(({ delta }) => delta !== 0);
  }
}

const rowOf = ({ scopeId, statementId, words }: WordedStatement) => ({
  statement_id: statementId,
  scope_id: scopeId,
  words,
});
const WORDS_ROW = sql.fragment`(statement_id uuid, scope_id uuid, words text[])`;
const DELTA_ROW = sql.fragment`(scope_id uuid, word text, delta integer)`;

/** Inserts the statements that are not there; answers their ids. Waits for a concurrent insert of the same statement. */
async function insertStatements(
  { accountId, tx }: Place,
  statements: readonly WordedStatement[],
): Promise<ReadonlySet<string>> {
  const ids = await tx.anyFirst(sql.type(z.object({ statement_id: z.string() }))`
    insert into statement_words (account_id, statement_id, scope_id, words)
    select ${accountId}::uuid, n.statement_id, n.scope_id, n.words
    from jsonb_to_recordset(${JSON.stringify(statements.map(rowOf))}::jsonb) as n ${WORDS_ROW}
    order by n.statement_id
    on conflict (account_id, statement_id) do nothing
    returning statement_id`);
  return new Set(ids);
}

/** What is counted for the statements now, locked. */
async function countedFor({ accountId, tx }: Place, ids: readonly string[]) {
  return tx.any(sql.type(wordsRow)`
    select w.statement_id, w.scope_id, w.words from statement_words w
    where w.account_id = ${accountId}::uuid and w.statement_id = any(${sql.array(ids, 'uuid')})
    order by w.statement_id for update of w`);
}

async function updateStatements(
  { accountId, tx }: Place,
  statements: readonly WordedStatement[],
): Promise<void> {
  await tx.query(sql.unsafe`
    update statement_words w set scope_id = n.scope_id, words = n.words
    from jsonb_to_recordset(${JSON.stringify(statements.map(rowOf))}::jsonb) as n ${WORDS_ROW}
    where w.account_id = ${accountId}::uuid and w.statement_id = n.statement_id`);
}

async function deleteStatements({ accountId, tx }: Place, ids: readonly string[]): Promise<void> {
  await tx.query(sql.unsafe`
    delete from statement_words
    where account_id = ${accountId}::uuid and statement_id = any(${sql.array(ids, 'uuid')})`);
}

/** Locks all counts in order and raises them; answers the words that are new. */
async function raise(
  { accountId, tx }: Place,
  deltas: readonly WordDelta[],
): Promise<readonly WordDelta[]> {
  const rows = await tx.any(sql.type(placeRow.extend({ statements: z.number() }))`
    insert into scope_words (account_id, scope_id, word, statements)
    select ${accountId}::uuid, d.scope_id, d.word, greatest(d.delta, 0)
    from jsonb_to_recordset(${JSON.stringify(deltas)}::jsonb) as d ${DELTA_ROW}
    order by d.scope_id, d.word collate "C"
    on conflict (account_id, scope_id, word) do update set statements = scope_words.statements + excluded.statements
    returning scope_id, word, statements`);
  const after = new Map(rows.map((row) => [`${row.scope_id}/${row.word}`, row.statements]));
  return deltas.filter(
    ({ delta, scope_id: scopeId, word }) => delta > 0 && after.get(`${scopeId}/${word}`) === delta,
  );
}

/** Lowers counts, and removes the words that no statement holds any more; answers those. */
async function lower(
  { accountId, tx }: Place,
  fallen: readonly WordDelta[],
): Promise<readonly z.output<typeof placeRow>[]> {
  const rows = JSON.stringify(fallen);
  await tx.query(sql.unsafe`
    update scope_words w set statements = w.statements + d.delta
    from jsonb_to_recordset(${rows}::jsonb) as d ${DELTA_ROW}
    where w.account_id = ${accountId}::uuid and w.scope_id = d.scope_id and w.word = d.word`);
  return tx.any(sql.type(placeRow)`
    delete from scope_words w using jsonb_to_recordset(${rows}::jsonb) as d ${DELTA_ROW}
    where w.account_id = ${accountId}::uuid and w.scope_id = d.scope_id and w.word = d.word and w.statements = 0
    returning w.scope_id, w.word`);
}

const KEY_ROW = sql.fragment`(scope_id uuid, key text, word text)`;

const keyRows = (words: readonly Pick<WordDelta, 'scope_id' | 'word'>[]): string =>
  JSON.stringify(
    words.flatMap(({ scope_id, word }) =>
      spellingKeys(word).map((key) => ({ scope_id, key, word })),
    ),
  );

async function insertKeys(
  { accountId, tx }: Place,
  words: readonly Pick<WordDelta, 'scope_id' | 'word'>[],
): Promise<void> {
  await tx.query(sql.unsafe`
    insert into scope_word_keys (account_id, scope_id, key, word)
    select ${accountId}::uuid, n.scope_id, n.key, n.word
    from jsonb_to_recordset(${keyRows(words)}::jsonb) as n ${KEY_ROW}
    order by n.scope_id, n.key collate "C", n.word collate "C"
    on conflict (account_id, scope_id, key, word) do nothing`);
}

async function deleteKeys(
  { accountId, tx }: Place,
  words: readonly Pick<WordDelta, 'scope_id' | 'word'>[],
): Promise<void> {
  await tx.query(sql.unsafe`
    delete from scope_word_keys k using jsonb_to_recordset(${keyRows(words)}::jsonb) as n ${KEY_ROW}
    where k.account_id = ${accountId}::uuid and k.scope_id = n.scope_id and k.key = n.key and k.word = n.word`);
}

async function changeCounts(place: Place, deltas: readonly WordDelta[]): Promise<void> {
  if (deltas.length === 0) return;
  const come = await raise(place, deltas);
  const fallen = deltas.filter(({ delta }) => delta < 0);
  const left = fallen.length === 0 ? [] : await lower(place, fallen);
  if (come.length > 0) await insertKeys(place, come);
  if (left.length > 0) await deleteKeys(place, left);
}

function isSameForm(statement: WordedStatement, row: z.output<typeof wordsRow>): boolean {
  const words = new Set(row.words);
  return (
    row.scope_id === statement.scopeId &&
    words.size === statement.words.length &&
    statement.words.every((word) => words.has(word))
  );
}

/** The lists of words of the account's scopes. */
export class WordListsStore extends AccountStore {
  /**
   * Makes the words of the statements `counted` what they are now, and takes the statements `gone` out of the lists. Two
   * queries where nothing changes, up to nine where something does.
   */
  async rewrite({ counted = [], gone = [] }: WordListChanges): Promise<void> {
    const place = { tx: this.tx, accountId: this.accountId };
    const wanted = new Map(counted.map((one) => [one.statementId, one]));
    const deltas = new WordDeltas();
    const isNew =
      wanted.size === 0 ? new Set() : await insertStatements(place, [...wanted.values()]);
    for (const one of wanted.values()) {
      if (isNew.has(one.statementId)) deltas.add(one.scopeId, one.words, 1);
    }
    const known = [...new Set([...gone, ...wanted.keys()])].filter((id) => !isNew.has(id));
    const before = known.length === 0 ? [] : await countedFor(place, known);
    const changed: WordedStatement[] = [];
    const left: string[] = [];
    for (const row of before) {
      const now = wanted.get(row.statement_id);
      if (now !== undefined && isSameForm(now, row)) continue;
      deltas.add(row.scope_id, row.words, -1);
      if (now === undefined) left.push(row.statement_id);
      else changed.push(now);
    }
    for (const one of changed) deltas.add(one.scopeId, one.words, 1);
    if (changed.length > 0) await updateStatements(place, changed);
    if (left.length > 0) await deleteStatements(place, left);
    await changeCounts(place, deltas.all());
  }

  /**
   * By each of the unknown words: the words of the scopes that share a key with it, at most `MOST_NEAR_WORDS`, with the
   * number of statements of these scopes that hold them. One query; each key of each scope is one look into an index.
   */
  async near(
    unknown: readonly string[],
    scopeIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly ListedWord[]>> {
    const asked = unknown.flatMap((word) => spellingKeys(word).map((key) => ({ word, key })));
    const rows = await this.tx.any(sql.type(nearRow)`
      select near.asked, near.word, near.statements
      from (
        select found.asked, found.word, sum(listed.statements)::integer as statements,
          row_number() over (partition by found.asked order by sum(listed.statements) desc, found.word) as place
        from (
          select distinct asked.word as asked, scope.id as scope_id, keyed.word
          from unnest(${sql.array(
            asked.map(({ word }) => word),
            'text',
          )}, ${sql.array(
            asked.map(({ key }) => key),
            'text',
          )}) as asked (word, key)
          cross join unnest(${sql.array(scopeIds, 'uuid')}) as scope (id)
          cross join lateral (
            select k.word from scope_word_keys k
            where k.account_id = ${this.accountId}::uuid and k.scope_id = scope.id and k.key = asked.key
            order by k.word limit ${MOST_WORDS_OF_KEY}
          ) keyed
        ) found
        cross join lateral (
          select w.statements from scope_words w
          where w.account_id = ${this.accountId}::uuid and w.scope_id = found.scope_id and w.word = found.word
          limit 1
        ) listed
        group by found.asked, found.word
      ) near
      where near.place <= ${MOST_NEAR_WORDS}
      order by near.asked, near.place`);
    const near = new Map<string, ListedWord[]>();
    for (const { asked: word, statements, word: other } of rows) {
      const listed = near.get(word) ?? [];
      listed.push({ word: other, statements });
      near.set(word, listed);
    }
    return near;
  }
}
