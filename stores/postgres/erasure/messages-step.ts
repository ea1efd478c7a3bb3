/**
 * The step of an erasure that deletes what the person said, with the chunks of what the person uploaded, and takes it
 * from the sources of every statement that cites it.
 *
 *   1  a page of messages, their anchors' rows (which a commit under way still holds), their subjects' locks
 *   2  the links to these messages go; what is counted of their statements is counted again
 *   3  the statements with what is left of their sources: which words others have for them
 *   4  what was decided; under `strict`, statements without words go as a whole
 *   5  what stands around the messages takes words of them: it is marked, while nothing can be added to their sessions
 *   6  the messages, but those that a statement cites whose subject was not locked: they are left for the next page
 */
import { sql } from 'slonik';
import { z } from 'zod';
import type { ErasureMode } from '../../../domain/erasure/words.ts';
import type { PlacedScope } from '../../../domain/scopes/chain-ids.ts';
import { carryOut, type CommitWork } from '../knowledge/commit.store.ts';
import { loadStatements, pageColumns, pageRow } from '../knowledge/regate.store.ts';
import { type LoadedKnowledge } from '../knowledge/state.ts';
import { markUnits } from '../indexes/mark-units.ts';
import { takersOf } from '../indexes/neighbours.store.ts';
import type { Queryable } from '../pool.ts';
import { StatementSourcesStore } from '../indexes/statement-sources.store.ts';
import {
  deleteStatements,
  NOTHING_LEFT,
  rememberTakers,
  rememberUnits,
  type ErasurePage,
  type PageReport,
} from './page.ts';
import { subjectLocks } from '../subject-locks.ts';

const lostRow = pageRow.extend({
  /** Whether a source that is left says the words of the statement, or a curator gave them. */
  has_own_words: z.boolean(),
  /** Of the source that is left and said it first, of those whose words were kept. */
  other_words: z
    .object({ text: z.string(), occurred_at: z.string(), source_hash: z.string() })
    .nullable(),
  source_count: z.number(),
  /** Key and name of the peer that it is about; none for a scope. */
  subject_names: z.array(z.string()),
});
/** A statement that cited erased messages, with what is left of its sources. */
export type LostRow = z.infer<typeof lostRow>;

export interface LossState extends LoadedKnowledge {
  readonly lost: readonly LostRow[];
  /** Every scope of their chains. */
  readonly scopes: readonly PlacedScope[];
}

/** What is decided about statements that lost sources. */
export interface LossWork {
  readonly work: CommitWork;
  /** Statements that nobody who is left has words for. */
  readonly retracted: readonly string[];
  readonly reworded: readonly string[];
}

/** Decides about statements that lost sources. `texts` are the words that each may take, by its id. */
export interface LossRules {
  /** The digest and the attribute of words that a statement may take. */
  readonly readText: (
    row: LostRow,
  ) => { readonly hash: string; readonly about: string | null } | null;
  readonly decide: (state: LossState) => LossWork;
}

const citedRow = z.object({ id: z.string(), subject_id: z.string() });

/** Statements that cite one of the messages. */
function citing(tx: Queryable, accountId: string, messageIds: readonly string[]) {
  return tx.any(sql.type(citedRow)`
    select distinct k.id, coalesce(k.subject_peer_id, k.subject_scope_id) as subject_id
    from provenance p join knowledge k on k.account_id = p.account_id and k.id = p.knowledge_id
    where p.account_id = ${accountId} and p.message_id = any(${sql.array(messageIds, 'uuid')})
    order by k.id`);
}

/** Takes the messages from the sources of the statements. Returns those that one of them explains: its words may stand there. */
async function unlink(
  tx: Queryable,
  accountId: string,
  ids: readonly string[],
  messageIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await tx.any(sql.type(z.object({ id: z.string() }))`
    with gone as (
      delete from provenance where account_id = ${accountId} and knowledge_id = any(${sql.array(ids, 'uuid')})
        and message_id = any(${sql.array(messageIds, 'uuid')})
      returning knowledge_id, is_context
    ) select distinct knowledge_id as id from gone where is_context`);
  return rows.map(({ id }) => id);
}

/** `explained`: statements that hold words of what they lose, besides those of who said them. */
function readLost(
  tx: Queryable,
  accountId: string,
  ids: readonly string[],
  explained: readonly string[],
) {
  return tx.any(sql.type(lostRow)`
    select ${pageColumns}, k.source_count,
      array_remove(array[subject.name, subject.key], null) as subject_names,
      k.extracting_provider = 'human' or k.id <> all(${sql.array(explained, 'uuid')}) and exists (
        select from provenance p join messages m on m.account_id = p.account_id and m.id = p.message_id
        where p.account_id = k.account_id and p.knowledge_id = k.id
          and m.content_hash = k.text_source_hash
          and k.text_occurred_at in (m.occurred_at, said_at(m.occurred_at, m.recorded_at))) as has_own_words,
      (select jsonb_build_object('text', p.wording, 'source_hash', encode(m.content_hash, 'hex'),
          'occurred_at', to_char(said_at(m.occurred_at, m.recorded_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        from provenance p join messages m on m.account_id = p.account_id and m.id = p.message_id
        where p.account_id = k.account_id and p.knowledge_id = k.id and p.wording is not null
        order by said_at(m.occurred_at, m.recorded_at), m.content_hash, m.id limit 1) as other_words
    from knowledge k
    left join peers subject on subject.account_id = k.account_id and subject.id = k.subject_peer_id
    where k.account_id = ${accountId} and k.id = any(${sql.array(ids, 'uuid')})
    order by k.id`);
}

/** Takes the messages from the sources of the statements, and decides about these. Their subjects are locked. */
async function takeFromSources(
  tx: Queryable,
  page: ErasurePage & { readonly mode: ErasureMode },
  messageIds: readonly string[],
  ids: readonly string[],
  rules: LossRules,
): Promise<PageReport['erased']> {
  const { accountId } = page;
  const cited = sql.array(ids, 'uuid');
  const explained = await unlink(tx, accountId, ids, messageIds);
  // Digests of words that these statements were said in: nothing tells whose words they are.
  await tx.query(sql.unsafe`
    delete from knowledge_paraphrases where account_id = ${accountId} and knowledge_id = any(${cited})`);
  await tx.query(sql.unsafe`select recount_evidence(${accountId}, ${cited})`);
  const lost = await readLost(tx, accountId, ids, explained);
  const texts = lost.flatMap((row) => {
    const read = rules.readText(row);
    return read === null ? [] : [{ row, ...read }];
  });
  const rows = [...lost, ...texts.map(({ row, hash }) => ({ ...row, hash }))];
  const claims = texts.flatMap(({ row, about }) =>
    about === null ? [] : [{ subjectId: row.subject_id, about, audienceId: row.audience_id }],
  );
  const state = await loadStatements(tx, accountId, rows, claims);
  const { reworded, retracted, work } = rules.decide({ ...state, lost });
  await carryOut(tx, accountId, work);
  await rememberUnits(tx, page, 'statement', [...retracted, ...reworded]);
  // Who submitted them, and how many say them, stands in the indexes too.
  await markUnits(tx, accountId, 'statement', ids);
  const isStrict = page.mode === 'strict';
  if (isStrict) await deleteStatements(tx, page, retracted);
  return {
    [isStrict ? 'statements_deleted' : 'statements_retracted']: retracted.length,
    statements_reworded: reworded.length,
  };
}

/** Marks what takes words of messages that go, so that the indexes forget these words. */
async function forgetWordsOf(
  tx: Queryable,
  page: ErasurePage,
  messageIds: readonly string[],
): Promise<void> {
  const { accountId } = page;
  const { all, after } = await takersOf(tx, accountId, messageIds);
  await rememberTakers(tx, page, 'message', all);
  await markUnits(tx, accountId, 'message', all);
  const drawn = await new StatementSourcesStore(tx, accountId).drawnFrom(after);
  await rememberTakers(tx, page, 'statement', drawn);
  await markUnits(tx, accountId, 'statement', drawn);
}

/**
 * Marks statements that were drawn, while a page was erased, from messages that stay: they may have taken words of what
 * that page deleted. It begins when every page is over.
 */
async function forgetLateTakers(tx: Queryable, page: ErasurePage): Promise<PageReport> {
  const { accountId, erasureId, limit } = page;
  const late = await tx.anyFirst(sql.type(z.object({ id: z.string() }))`
    select distinct p.knowledge_id as id from erasure_units u
    join provenance p on p.account_id = u.account_id and p.message_id = u.unit_id
    where u.account_id = ${accountId} and u.erasure_id = ${erasureId} and u.unit = 'message' and u.stays
      and not exists (
        select from erasure_units known
        where known.account_id = u.account_id and known.erasure_id = u.erasure_id
          and known.unit = 'statement' and known.unit_id = p.knowledge_id)
    order by p.knowledge_id limit ${limit}`);
  if (late.length === 0) return NOTHING_LEFT;
  await rememberTakers(tx, page, 'statement', late);
  await markUnits(tx, accountId, 'statement', late);
  return { more: late.length === limit, erased: {}, marked: true };
}

/** What the person said. */
export async function eraseMessages(
  tx: Queryable,
  page: ErasurePage & { readonly mode: ErasureMode },
  rules: LossRules,
): Promise<PageReport> {
  const { accountId, limit, peerId } = page;
  const said = await tx.anyFirst(sql.type(z.object({ id: z.string() }))`
    select m.id from messages m
    where m.account_id = ${accountId} and m.speaker_peer_id = ${peerId}::uuid order by m.id limit ${limit}`);
  if (said.length === 0) return forgetLateTakers(tx, page);
  const ids = sql.array(said, 'uuid');
  await tx.query(sql.unsafe`select hold_places_of_messages(${accountId}, ${ids})`);
  await tx.query(sql.unsafe`
    select from extraction_anchors where account_id = ${accountId} and message_id = any(${ids})
    order by message_id for update`);
  const cited = await citing(tx, accountId, said);
  const subjects = [...new Set(cited.map((row) => row.subject_id))];
  if (subjects.length > 0) await tx.query(sql.unsafe`${subjectLocks(accountId, subjects)}`);
  // Read again under the locks: an edit or a merge may have taken over sources meanwhile.
  const still = await citing(tx, accountId, said);
  const locked = still.filter((row) => subjects.includes(row.subject_id)).map((row) => row.id);
  const erased = locked.length === 0 ? {} : await takeFromSources(tx, page, said, locked, rules);
  const free = await tx.anyFirst(sql.type(z.object({ id: z.string() }))`
    select m.id from messages m where m.account_id = ${accountId} and m.id = any(${ids})
      and not exists (select from provenance p where p.account_id = m.account_id and p.message_id = m.id)`);
  await rememberUnits(tx, page, 'message', free);
  await markUnits(tx, accountId, 'message', free);
  await forgetWordsOf(tx, page, free);
  await tx.query(sql.unsafe`
    delete from idempotency_records where account_id = ${accountId} and resource_id = any(${sql.array(free, 'uuid')})`);
  await tx.query(sql.unsafe`
    delete from run_outputs where account_id = ${accountId} and message_id = any(${sql.array(free, 'uuid')})`);
  await tx.query(sql.unsafe`select erase_messages(${accountId}, ${sql.array(free, 'uuid')})`);
  // Also after the last messages: what took words of them meanwhile is looked for once they are gone.
  return { more: true, erased: { ...erased, messages_deleted: free.length }, marked: true };
}
