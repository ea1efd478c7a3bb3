/**
 * Pages of sweeps: statements of one account that something is due for, decided and written in one transaction.
 *
 *   1  the page, in the order in which it fell due, and the subjects' locks
 *   2  the statements under lock, with what a commit reads of them, and their overdue items
 *   3  what was decided, and the end of the page's own attempt
 *
 * A page that is repeated finds nothing due. Two pages at once wait for each other's locks, and the later one finds that
 * its statements are not due any more.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { TARGET_LEVELS, SENSITIVITIES } from '../../../domain/statements/candidate.ts';
import { ITEM_KINDS, ITEM_STATES } from '../../../domain/governance/items.ts';
import {
  ENDED_BY_CLOCK,
  ESCALATION_HOURS,
  setbackMs,
  type SweepKind,
} from '../../../domain/governance/sweeps.ts';
import type { DueStatement, SweptItem } from '../../../domain/knowledge/sweep-draft.ts';
import type { PlacedScope } from '../../../domain/scopes/chain-ids.ts';
import { carryOut, type CommitWork } from '../knowledge/commit.store.ts';
import { ensureMailbox, loadStatements, pageColumns, pageRow } from '../knowledge/regate.store.ts';
import { type LoadedKnowledge } from '../knowledge/state.ts';
import { withAccount, type Queryable } from '../pool.ts';
import { PoolStore } from '../pool-store.ts';
import { endUnanswered, overdueQuestions } from '../questions/overdue.ts';
import { DUE } from './due.ts';
import { subjectLocks } from '../subject-locks.ts';

export interface SweepPage {
  readonly accountId: string;
  readonly kind: SweepKind;
  /** ISO 8601 UTC; null for the database's clock. */
  readonly at: string | null;
  readonly limit: number;
}

/** A page of one statement, whether or not it was set aside. */
export type SweptAlone = Omit<SweepPage, 'limit'> & { readonly knowledgeId: string };

export interface SweepState extends LoadedKnowledge {
  readonly scopes: readonly PlacedScope[];
  readonly due: readonly DueStatement[];
}

/** What was decided about a page. */
export interface SweepWork {
  readonly work: CommitWork;
  /** Items that administrators are asked about too, and items that the clock does nothing more about. */
  readonly escalated: readonly string[];
  readonly pastAgeing: readonly string[];
  /** Questions without an answer in time. */
  readonly unanswered: readonly string[];
}

/** Items of one statement that a page looks at; the others are due again at once. */
const MOST_ITEMS_OF_A_STATEMENT = 100;
/** How long a page waits for the locks of others; what it waited for in vain is tried again later, alone. */
const LONGEST_LOCK_WAIT_MS = 5_000;

const overRow = z.object({ id: z.string(), over_since: z.string().nullable() });
const itemRow = z
  .object({
    id: z.string(),
    knowledge_id: z.string(),
    kind: z.enum(ITEM_KINDS),
    state: z.enum(ITEM_STATES),
    due_at: z.string(),
    conflict_knowledge_id: z.string().nullable(),
    target_scope_id: z.string().nullable(),
    target_level: z.enum(TARGET_LEVELS),
    proposed_sensitivity: z.enum(SENSITIVITIES).nullable(),
  })
  .transform((row): SweptItem & { readonly knowledgeId: string } => ({
    id: row.id,
    knowledgeId: row.knowledge_id,
    kind: row.kind,
    state: row.state,
    dueAt: row.due_at,
    conflictId: row.conflict_knowledge_id,
    targetScopeId: row.target_scope_id,
    targetLevel: row.target_level,
    proposedSensitivity: row.proposed_sensitivity,
  }));
const accountRow = z.object({ account_id: z.string(), is_due: z.boolean() });
const idRow = z.object({ id: z.string() });
const countRow = z.object({ n: z.number() });
/** The given instant, or the beginning of the transaction: it stands still, so that an index is searched by it. */
const instant = (at: string | null): FragmentSqlToken =>
  at === null ? sql.fragment`now()` : sql.fragment`${at}::timestamptz`;

/** Since when statements are over: their period ends at `expires_at`, and never before it began. */
async function overSince(
  tx: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await tx.any(sql.type(overRow)`
    select k.id, to_char(greatest(k.expires_at, p.believed_from) at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as over_since
    from knowledge k
    left join belief_periods p on p.account_id = k.account_id and p.knowledge_id = k.id and p.believed_until is null
    where k.account_id = ${accountId}::uuid and k.id = any(${sql.array(ids, 'uuid')}) and k.expires_at is not null`);
  return new Map(rows.map(({ id, over_since: since }) => [id, since]));
}

/** Overdue items of the statements, the first due first. */
async function overdueItems(
  tx: Queryable,
  { accountId, at }: Pick<SweepPage, 'accountId' | 'at'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly SweptItem[]>> {
  const rows = await tx.any(sql.type(itemRow)`
    select item.* from unnest(${sql.array(ids, 'uuid')}) as asked (id) cross join lateral (
      select open.*, coalesce(open.level, k.target_level) as target_level
      from (
        -- By the statement, not by what is due in the account.
        select i.account_id, i.id, i.knowledge_id, i.kind, i.state, i.due_at, i.conflict_knowledge_id,
          i.target_scope_id, i.target_level as level, i.proposed_sensitivity, i.past_ageing
        from review_items i
        where i.account_id = ${accountId}::uuid and i.knowledge_id = asked.id and i.decided_at is null offset 0
      ) open join knowledge k on k.account_id = open.account_id and k.id = open.knowledge_id
      where not open.past_ageing and open.state in ('pending', 'deferred', 'escalated')
        and open.due_at <= ${instant(at)}
      order by open.due_at, open.id limit ${MOST_ITEMS_OF_A_STATEMENT}
    ) item`);
  return Map.groupBy(rows, ({ knowledgeId }) => knowledgeId);
}

/** The time that escalation gives begins with the escalation. */
async function writeItems(
  tx: Queryable,
  accountId: string,
  now: string,
  { escalated, pastAgeing }: SweepWork,
): Promise<void> {
  if (escalated.length > 0) {
    await tx.query(sql.unsafe`
      update review_items set state = 'escalated', escalated_at = ${now}::timestamptz, version = version + 1,
        due_at = ${now}::timestamptz + make_interval(hours => ${ESCALATION_HOURS}),
        past_ageing = kind <> all(${sql.array([...ENDED_BY_CLOCK], 'text')}::review_kind[])
      where account_id = ${accountId}::uuid and id = any(${sql.array(escalated, 'uuid')}) and decided_at is null`);
  }
  if (pastAgeing.length > 0) {
    await tx.query(sql.unsafe`
      update review_items set past_ageing = true
      where account_id = ${accountId}::uuid and id = any(${sql.array(pastAgeing, 'uuid')})`);
  }
}

type Decide = (state: SweepState) => SweepWork;
type Scope = Pick<SweepPage, 'accountId' | 'at'>;

/** Decides about statements and writes it, in the transaction. */
async function decide(
  tx: Queryable,
  scope: Scope,
  picked: FragmentSqlToken,
  decision: Decide,
): Promise<readonly string[]> {
  const { accountId } = scope;
  await tx.query(
    sql.unsafe`select set_config('lock_timeout', ${`${LONGEST_LOCK_WAIT_MS}ms`}, true)`,
  );
  const rows = await tx.any(sql.type(pageRow)`
    with due as materialized (${picked})
    select ${pageColumns} from due join knowledge k on k.account_id = ${accountId}::uuid and k.id = due.id
    order by due.due_at, k.id`);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return ids;
  const subjectIds = [...new Set(rows.map((row) => row.subject_id))];
  await tx.query(sql.unsafe`${subjectLocks(accountId, subjectIds)}`);
  const loaded = await loadStatements(tx, accountId, rows);
  const since = await overSince(tx, accountId, ids);
  const items = await overdueItems(tx, scope, ids);
  const questions = await overdueQuestions(tx, accountId, instant(scope.at), ids);
  const now = scope.at ?? loaded.now;
  const due = ids.map((id) => ({
    id,
    overSince: since.get(id) ?? null,
    items: items.get(id) ?? [],
    questions: questions.get(id) ?? [],
  }));
  const decided = decision({ ...loaded, now, due });
  await ensureMailbox(tx, accountId, decided.work.writes.shard);
  await endUnanswered(tx, accountId, now, decided.unanswered);
  await carryOut(tx, accountId, decided.work);
  await writeItems(tx, accountId, now, decided);
  return ids;
}

const attemptOf = (kind: SweepKind) =>
  sql.fragment`account_id = current_account() and kind = ${kind}::sweep_kind and knowledge_id is null`;

/** Sweeps of accounts, each method a transaction. */
export class SweepsStore extends PoolStore {
  /**
   * Accounts after `afterId` that a sweep will ever do anything in, and whether something is due in them, in order. At
   * most `limit`; fewer mean that no further one follows.
   */
  async accountsAfter(
    afterId: string | null,
    at: string | null,
    limit: number,
  ): Promise<readonly { readonly accountId: string; readonly isDue: boolean }[]> {
    const rows = await this.db.any(sql.type(accountRow)`
      select account_id, is_due from lookup_accounts_to_sweep(${afterId}::uuid, ${instant(at)}, ${limit})`);
    return rows.map((row) => ({ accountId: row.account_id, isDue: row.is_due }));
  }

  /** Counts an attempt at a page before the page begins; answers how many there were since the last page that ended. */
  begin({ accountId, kind }: Pick<SweepPage, 'accountId' | 'kind'>): Promise<number> {
    return withAccount(this.db, accountId, (tx) =>
      tx.oneFirst(sql.type(z.object({ attempts: z.number() }))`
        insert into sweep_setbacks as s (account_id, kind, knowledge_id, next_attempt_at)
        values (${accountId}::uuid, ${kind}::sweep_kind, null, now())
        on conflict on constraint one_setback_for_each_statement do update set attempts = s.attempts + 1
        returning attempts`),
    );
  }

  /** Ends the attempts at a page whose statements were tried one by one. */
  async end({ accountId, kind }: Pick<SweepPage, 'accountId' | 'kind'>): Promise<void> {
    await withAccount(this.db, accountId, (tx) =>
      tx.query(sql.unsafe`delete from sweep_setbacks where ${attemptOf(kind)}`),
    );
  }

  /** One page, and the end of its attempts. Runs `decision` under the locks; answers the statements looked at. */
  page(page: SweepPage, decision: Decide): Promise<readonly string[]> {
    const { accountId, kind, limit } = page;
    return withAccount(this.db, accountId, async (tx) => {
      const picked = DUE[kind]({ accountId, at: instant(page.at), limit });
      const ids = await decide(tx, page, picked, decision);
      await tx.query(sql.unsafe`delete from sweep_setbacks where ${attemptOf(kind)}`);
      return ids;
    });
  }

  /** The ids of the statements of the next page. */
  due(page: SweepPage): Promise<readonly string[]> {
    const { accountId, at, kind, limit } = page;
    return withAccount(this.db, accountId, async (tx) => {
      const rows = await tx.any(
        sql.type(idRow)`select due.id from (${DUE[kind]({ accountId, at: instant(at), limit })}) due
          order by due.due_at, due.id`,
      );
      return rows.map(({ id }) => id);
    });
  }

  /** Statements that were set aside and may be tried again, those that wait longest first. */
  setAside({ accountId, at, kind, limit }: SweepPage): Promise<readonly string[]> {
    return withAccount(this.db, accountId, (tx) =>
      tx.anyFirst(sql.type(idRow)`
        select knowledge_id as id from sweep_setbacks
        where account_id = ${accountId}::uuid and kind = ${kind}::sweep_kind and knowledge_id is not null
          and next_attempt_at <= ${instant(at)}
        order by next_attempt_at, knowledge_id limit ${limit}`),
    );
  }

  /** How many statements of the account are set aside, at most `most`. */
  countSetAside(
    { accountId, kind }: Pick<SweepPage, 'accountId' | 'kind'>,
    most: number,
  ): Promise<number> {
    return withAccount(this.db, accountId, (tx) =>
      tx.oneFirst(sql.type(countRow)`
        select count(*) as n from (
          select from sweep_setbacks
          where account_id = ${accountId}::uuid and kind = ${kind}::sweep_kind and knowledge_id is not null
          limit ${most}) counted`),
    );
  }

  /** Sets the statement aside before it is tried alone: a trial that never ends counts too. False when it was erased. */
  putAside({ accountId, at, kind, knowledgeId }: SweptAlone): Promise<boolean> {
    return withAccount(this.db, accountId, async (tx) => {
      const attempts = await tx.maybeOneFirst(sql.type(z.object({ attempts: z.number() }))`
        insert into sweep_setbacks as s (account_id, kind, knowledge_id, next_attempt_at)
        select k.account_id, ${kind}::sweep_kind, k.id, ${instant(at)} from knowledge k
        where k.account_id = ${accountId}::uuid and k.id = ${knowledgeId}::uuid
        on conflict on constraint one_setback_for_each_statement do update set attempts = s.attempts + 1
        returning attempts`);
      if (attempts === null) return false;
      await tx.query(sql.unsafe`
        update sweep_setbacks
        set next_attempt_at = ${instant(at)} + make_interval(secs => ${setbackMs(attempts) / 1_000})
        where account_id = ${accountId}::uuid and knowledge_id = ${knowledgeId}::uuid and kind = ${kind}::sweep_kind`);
      return true;
    });
  }

  /** Tries one statement; what was set aside comes back to the pages when it ends. */
  async alone(swept: SweptAlone, decision: Decide): Promise<void> {
    const { accountId, kind, knowledgeId } = swept;
    await withAccount(this.db, accountId, async (tx) => {
      const picked = sql.fragment`select ${knowledgeId}::uuid as id, now() as due_at`;
      await decide(tx, swept, picked, decision);
      await tx.query(sql.unsafe`
        delete from sweep_setbacks
        where account_id = ${accountId}::uuid and knowledge_id = ${knowledgeId}::uuid and kind = ${kind}::sweep_kind`);
    });
  }

  /** Every due account was swept until nothing was due; `failed` of them were given up until the next pass. */
  async completePass(failed: number, at: string | null): Promise<void> {
    const time = at === null ? sql.fragment`clock_timestamp()` : sql.fragment`${at}::timestamptz`;
    await this.db.query(
      sql.unsafe`update sweep_passes set completed_at = ${time}, failed_accounts = ${failed}
        where kind <> 'retention'`,
    );
  }
}
