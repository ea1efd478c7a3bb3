/**
 * Decisions that wait, so that their curators can take them back: scheduled under a run, judged anew when they are due, and then
 * carried out or void. Until then nothing of the statement changes, so nobody reads a state that is taken back.
 */
import { Refusal } from '../../domain/errors.ts';
import type { Mailbox } from '../../domain/actors/names.ts';
import { voidReasonOf, type VoidReason } from '../../domain/governance/decisions.ts';
import { isDecidable } from '../../domain/governance/items.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { RunRef } from '../../domain/pipeline/run-kinds.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';
import type { AuditEvent } from '../../stores/postgres/audit/audit.store.ts';
import type {
  NewScheduledDecision,
  ScheduledDecisionRow,
} from '../../stores/postgres/knowledge/scheduled-decisions.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { statementHashOf } from '../knowledge/claims.ts';
import { DESK_SHARD } from '../knowledge/ruling.ts';
import { judgeWaiting, type Decided, type ItemDecision } from './decision.ts';
import type { LockedItem } from './locked-item.ts';

type Columns = Pick<
  NewScheduledDecision,
  | 'expires_at'
  | 'defer_until'
  | 'new_statement'
  | 'new_sensitivity'
  | 'approves_new'
  | 'new_knowledge_id'
  | 'into_knowledge_id'
>;

const NOTHING_BESIDE: Columns = {
  expires_at: null,
  defer_until: null,
  new_statement: null,
  new_sensitivity: null,
  approves_new: null,
  new_knowledge_id: null,
  into_knowledge_id: null,
};

/** What a decision says beside its action, as columns. */
function columnsOf(decision: ItemDecision): Columns {
  switch (decision.action) {
    case 'approve':
      return { ...NOTHING_BESIDE, expires_at: decision.expiresAt };
    case 'reject':
      return NOTHING_BESIDE;
    case 'defer':
      return { ...NOTHING_BESIDE, defer_until: decision.until.toISOString() };
    case 'edit':
      return {
        ...NOTHING_BESIDE,
        new_statement: decision.text,
        new_sensitivity: decision.sensitivity,
        approves_new: decision.approve,
        new_knowledge_id: decision.newId,
      };
    case 'merge':
      return { ...NOTHING_BESIDE, into_knowledge_id: decision.intoId };
  }
}

/** The decision that the row holds; null where a part of it is gone. */
function decisionOf(row: ScheduledDecisionRow): ItemDecision | null {
  switch (row.action) {
    case 'approve':
      return { action: 'approve', expiresAt: row.expires_at };
    case 'reject':
      return { action: 'reject' };
    case 'defer':
      return row.defer_until === null
        ? null
        : { action: 'defer', until: new Date(row.defer_until) };
    case 'merge':
      return row.into_knowledge_id === null
        ? null
        : { action: 'merge', intoId: row.into_knowledge_id };
    case 'edit': {
      const { new_knowledge_id: newId, new_statement: text } = row;
      const statementHash = text === null ? null : statementHashOf(text);
      if (text === null || newId === null || statementHash === null) return null;
      const { approves_new: approves, new_sensitivity: sensitivity } = row;
      const approve = approves ?? false;
      return { action: 'edit', newId, text, statementHash, sensitivity, approve };
    }
  }
}

/** Keeps a decision that was judged, and enters the run that carries it out. */
export async function scheduleDecision(
  stores: Stores,
  caller: Caller & { readonly peerId: string },
  { decision, id, version }: Decided,
  run: { readonly undoSeconds: number; readonly traceId: string },
): Promise<void> {
  const runId = await stores.runs.enter({ kind: 'decision', traceId: run.traceId, targetId: id });
  await stores.scheduledDecisions.schedule({
    ...columnsOf(decision),
    review_item_id: id,
    run_id: runId,
    action: decision.action,
    version,
    decided_by: caller.peerId,
    credential_id: caller.credentialId,
    undo_seconds: run.undoSeconds,
  });
}

/** Why a decision is void, thrown where that is found. */
class Void extends Error {
  readonly reason: VoidReason;
  override readonly name = 'Void';

  constructor(reason: VoidReason) {
    super(reason);
    this.reason = reason;
  }
}

const REASON_OF_REFUSAL: Readonly<Partial<Record<Refusal['code'], VoidReason>>> = {
  forbidden: 'role_lost',
  not_found: 'role_lost',
};

/** Refuses what changed while the decision waited. */
function assertValid(row: ScheduledDecisionRow, { item, state }: LockedItem): void {
  const reason = voidReasonOf(
    { version: row.version, decidedAt: row.decided_at, endsAt: row.expires_at ?? row.defer_until },
    { version: item.version, isOpen: isDecidable(item), dueAt: item.due_at },
    state.now,
  );
  if (reason !== null) throw new Void(reason);
}

function ended(
  row: ScheduledDecisionRow,
  action: string,
  metadata: Readonly<Record<string, string | number>>,
): AuditEvent {
  const { credential_id: credentialId, decided_by: peerId, review_item_id: itemId } = row;
  return {
    category: 'governance',
    action,
    actor: { kind: 'credential', credentialId, peerId },
    resourceType: 'review_item',
    resourceId: itemId,
    metadata,
  };
}

async function carryOut(stores: Stores, row: ScheduledDecisionRow): Promise<void> {
  const { credential_id: credentialId, decided_by: peerId, review_item_id: id, version } = row;
  const decision = decisionOf(row);
  const caller = await stores.callers.findPerson(peerId, credentialId);
  if (caller === null) throw new Void('role_lost');
  if (decision === null) throw new Void('not_possible');
  let isSeen = false;
  const write = await judgeWaiting(stores, caller, { id, version, decision }, (locked) => {
    isSeen = true;
    assertValid(row, locked);
  }).catch((error: unknown) => {
    // Of an item that the curator still sees, what is not found is what else the decision names.
    const isGone = isSeen && error instanceof Refusal && error.code === 'not_found';
    throw isGone ? new Void('not_possible') : error;
  });
  // Somebody may have taken it back before the lock.
  if (!(await stores.scheduledDecisions.end(row, 'carried_out'))) return;
  await write();
  await stores.audit.record(ended(row, `review.${row.action}`, { version }));
}

async function voided(stores: Stores, row: ScheduledDecisionRow, reason: VoidReason) {
  if (!(await stores.scheduledDecisions.end(row, 'void', reason))) return;
  await stores.audit.record(ended(row, 'review.void', { decision: row.action, reason }));
}

export interface ScheduledDecisions {
  /** One look, which may be repeated. Milliseconds until the next one; null when the decision has ended. */
  judge(run: RunRef): Promise<{ readonly nextDueInMs: number | null }>;
}

/** Why the decision cannot be carried out, by what was thrown; null where another attempt may do it. */
function reasonOf(error: unknown): VoidReason | null {
  if (error instanceof Void) return error.reason;
  if (!(error instanceof Refusal) || error.code === 'unavailable') return null;
  return REASON_OF_REFUSAL[error.code] ?? 'not_possible';
}

/** `inAccount` runs the transactions; `ring` is called after a commit that the indexes must hear of. */
export function createScheduledDecisions(
  inAccount: InAccount,
  ring: (mailbox: Mailbox) => void,
): ScheduledDecisions {
  /** Carries the decision out in one transaction, or says in another why that cannot be. */
  async function conclude(accountId: string, runId: string): Promise<void> {
    const row = await inAccount(accountId, ({ scheduledDecisions }) =>
      scheduledDecisions.ofRun(runId),
    );
    try {
      await inAccount(accountId, async (stores) => {
        if (row !== null) await carryOut(stores, row);
        await stores.runs.complete(runId);
      });
    } catch (error) {
      const reason = reasonOf(error);
      if (row === null || reason === null) throw error;
      await inAccount(accountId, async (stores) => {
        await voided(stores, row, reason);
        await stores.runs.complete(runId);
      });
    }
    ring({ accountId, kind: 'projection', shard: DESK_SHARD });
  }

  return {
    async judge({ accountId, runId }) {
      const dueInMs = await inAccount(accountId, async ({ runs, scheduledDecisions }) => {
        if (!(await runs.resume(runId))) return null;
        const row = await scheduledDecisions.ofRun(runId);
        return row?.due_in_ms ?? 0;
      });
      if (dueInMs === null || dueInMs > 0) return { nextDueInMs: dueInMs };
      await conclude(accountId, runId);
      return { nextDueInMs: null };
    },
  };
}
