/**
 * One page of a regate run: statements that wait to be placed, in the order of their ids, in one transaction.
 *
 *   1  the run's row: locked, so that a late attempt waits, and does nothing when the run is over; where a later run
 *      waits to begin, this one is completed, because that one walks over all statements from the first
 *   2  the page, its scopes up to the root, the subjects' locks
 *   3  the statements under lock, with the rules in force; what else is known about the waiting ones
 *   4  what was decided; after the last page the run is completed
 */
import { sql } from 'slonik';
import { z } from 'zod';
import type {
  RegatePageInput,
  RegatePageReport,
  Waiting,
} from '../../../domain/governance/regate.ts';
import { PLACED_STATES } from '../../../domain/statements/states.ts';
import { chainIds, type PlacedScope } from '../../../domain/scopes/chain-ids.ts';
import { carryOut, type CommitWork } from './commit.store.ts';
import { loadKnowledgeState, type ClaimedAttribute, type LoadedKnowledge } from './state.ts';
import { placedScope } from '../scopes/placed-scope.ts';
import { PoolStore } from '../pool-store.ts';
import { LEAST_ID } from '../id-page.ts';
import { withAccount, type Queryable } from '../pool.ts';
import { RunsStore } from '../runs/runs.store.ts';
import { subjectLocks } from '../subject-locks.ts';

export interface RegatePage extends RegatePageInput {
  readonly limit: number;
}

export interface RegateState extends LoadedKnowledge {
  /** The statements of the page, as they stand under the locks. */
  readonly waiting: readonly Waiting[];
  /** Every scope of their chains. */
  readonly scopes: readonly PlacedScope[];
}

export type RegatedPage = Omit<RegatePageReport, 'placed'>;

/** A statement of a page, by the values that find it again under the locks. */
export const pageRow = z.object({
  id: z.string(),
  scope_id: z.string(),
  subject_id: z.string(),
  audience_id: z.string().nullable(),
  hash: z.string(),
  relevant_from: z.string().nullable(),
  /** As its source says it. */
  stated_until: z.string().nullable(),
});
export type PageRow = z.infer<typeof pageRow>;

/** The columns of a `pageRow` from `k`, a row of `knowledge`. */
export const pageColumns = sql.fragment`k.id, k.scope_id, coalesce(k.subject_peer_id, k.subject_scope_id) as subject_id,
  k.audience_id,  encode(k.statement_hash, 'hex') as hash, k.relevant_from,
  case when k.updated_by_id is not null and k.state_before_update is null then k.stated_until
    else k.relevant_until end as stated_until`;

function readPage(tx: Queryable, page: RegatePage): Promise<readonly PageRow[]> {
  return tx.any(sql.type(pageRow)`
    select ${pageColumns} from knowledge k
    where k.account_id = ${page.accountId}::uuid and k.state in ('proposed', 'provisional', 'held')
      and k.id > ${page.afterId ?? LEAST_ID}::uuid
    order by k.id limit ${page.limit}`);
}

/** The scopes of these ids and all above them. */
function readChains(
  tx: Queryable,
  accountId: string,
  scopeIds: readonly string[],
): Promise<readonly PlacedScope[]> {
  return tx.any(sql.type(placedScope)`
    with recursive chain as (
      select s.id, s.parent_id from scopes s
      where s.account_id = ${accountId}::uuid and s.id = any(${sql.array(scopeIds, 'uuid')})
      union
      -- Step by step through the key, however many scopes the chain is thought to have.
      select above.id, above.parent_id from chain cross join lateral (
        select s.id, s.parent_id from scopes s
        where s.account_id = ${accountId}::uuid and s.id = chain.parent_id offset 0
      ) above
    )
    select id, parent_id from chain`);
}

const waitingRow = z.object({
  id: z.string(),
  was_placed: z.boolean(),
  other_review_open: z.boolean(),
  consent_denied: z.boolean(),
});

async function readWaiting(
  tx: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<readonly Waiting[]> {
  const rows = await tx.any(sql.type(waitingRow)`
    select asked.id,
      exists (select from belief_periods b where b.account_id = ${accountId}::uuid and b.knowledge_id = asked.id
        and b.state = any(${sql.array(PLACED_STATES, 'text')}::knowledge_state[])) as was_placed,
      exists (select from review_items r where r.account_id = ${accountId}::uuid and r.knowledge_id = asked.id
        and r.kind <> 'gate_a_b' and r.decided_at is null
        -- A contradiction waits for the very placement that the gates may give.
        and r.conflict_knowledge_id is null) as other_review_open,
      exists (select from consents c where c.account_id = ${accountId}::uuid and c.knowledge_id = asked.id
        and c.status = 'denied') as consent_denied
    from unnest(${sql.array(ids, 'uuid')}) as asked (id) order by asked.id`);
  return rows.map((row) => ({
    id: row.id,
    wasPlaced: row.was_placed,
    otherReviewOpen: row.other_review_open,
    consentDenied: row.consent_denied,
  }));
}

/**
 * Reads what is known of statements, with every scope of their chains. `claims` are attributes that are claimed beside
 * those of the statements. The subjects must be locked before.
 */
export async function loadStatements(
  tx: Queryable,
  accountId: string,
  rows: readonly PageRow[],
  claims: readonly ClaimedAttribute[] = [],
): Promise<LoadedKnowledge & Pick<RegateState, 'scopes'>> {
  const scopes = await readChains(tx, accountId, [...new Set(rows.map((row) => row.scope_id))]);
  const chainOf = chainIds(scopes);
  const state = await loadKnowledgeState(tx, {
    subjectIds: [...new Set(rows.map((row) => row.subject_id))],
    ids: rows.map(({ id }) => id),
    texts: rows.map((row) => ({
      hash: row.hash,
      subjectId: row.subject_id,
      audienceId: row.audience_id,
      scopeIds: chainOf(row.scope_id),
      relevantFrom: row.relevant_from,
      relevantUntil: row.stated_until,
    })),
    // The statements bring the attributes they claim.
    claims,
    scopeIds: scopes.map(({ id }) => id),
  });
  return { ...state, scopes };
}

/** When the ring after the commit is lost, the sweep finds marks through the row of their mailbox. */
export async function ensureMailbox(
  tx: Queryable,
  accountId: string,
  shard: number,
): Promise<void> {
  await tx.query(sql.unsafe`
    insert into mailboxes (account_id, kind, shard) values (${accountId}, 'projection', ${shard})
    on conflict do nothing`);
}

async function decidePage(
  tx: Queryable,
  accountId: string,
  rows: readonly PageRow[],
  decide: (state: RegateState) => CommitWork,
): Promise<void> {
  const subjectIds = [...new Set(rows.map((row) => row.subject_id))];
  await tx.query(sql.unsafe`${subjectLocks(accountId, subjectIds)}`);
  const state = await loadStatements(tx, accountId, rows);
  const ids = rows.map(({ id }) => id);
  const work = decide({ ...state, waiting: await readWaiting(tx, accountId, ids) });
  if (work.writes.updated.length === 0) return;
  await ensureMailbox(tx, accountId, work.writes.shard);
  await carryOut(tx, accountId, work);
}

const NOTHING_LEFT: RegatedPage = { rows: 0, nextAfterId: null };

/** Pages of regate runs. */
export class RegateStore extends PoolStore {
  /** Runs `decide` under the locks and writes what it answers. It may run again after a deadlock. */
  page(page: RegatePage, decide: (state: RegateState) => CommitWork): Promise<RegatedPage> {
    const { accountId, runId } = page;
    return withAccount(this.db, accountId, async (tx) => {
      const runs = new RunsStore(tx, accountId);
      if (!(await runs.begin(runId, page.afterId === null))) return NOTHING_LEFT;
      if (await runs.isTakenOver(runId, 'regate')) {
        await runs.complete(runId);
        return NOTHING_LEFT;
      }
      const rows = await readPage(tx, page);
      if (rows.length > 0) await decidePage(tx, accountId, rows, decide);
      const last = rows.at(-1);
      const nextAfterId = last !== undefined && rows.length === page.limit ? last.id : null;
      if (nextAfterId === null) await runs.complete(runId);
      return { rows: rows.length, nextAfterId };
    });
  }
}
