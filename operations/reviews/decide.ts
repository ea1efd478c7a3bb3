/** One decision about one item: judged and written in one transaction, or kept for a while so that it can be taken back. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { LONGEST_UNDO_SECONDS } from '../../domain/governance/decisions.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { judgeDecision, type Decided, type SimpleDecision } from '../../engine/desk/decision.ts';
import { scheduleDecision } from '../../engine/desk/scheduled.ts';
import { DESK_SHARD } from '../../engine/knowledge/ruling.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { auditActor } from '../audit-actor.ts';
import { assertCurator } from '../access/curator.ts';
import { earlierAnswer } from '../idempotency.ts';
import type { RequestContext } from '../operation.ts';
import { itemOutput, itemViews, reviewedStatement, statementViews } from './item.ts';

export const reviewId = z.uuid().describe('The id of the item, from the list of items.');
export const versionField = z
  .int()
  .min(1)
  .describe(
    'The version of the item that the caller has seen. If the item has changed since, the answer is 409.',
  );
export const undoField = z
  .int()
  .min(0)
  .max(LONGEST_UNDO_SECONDS)
  .nullish()
  .transform((seconds) => seconds ?? 0)
  .meta({
    description: `Seconds in which the decision can be taken back, at most ${LONGEST_UNDO_SECONDS}. Until then nothing changes, and other curators cannot decide. Absent or 0: the service carries it out at once.`,
    wire: { default: 0, examples: [30] },
  });

/** What each decision takes. */
export const decisionInput = {
  review_id: reviewId,
  version: versionField,
  undo_seconds: undoField,
};

export const decisionOutput = z.object({ review: itemOutput, knowledge: reviewedStatement });
export type DecisionAnswer = z.input<typeof decisionOutput>;

async function answerFor(
  stores: Stores,
  caller: Caller,
  id: string,
  statementId: string | null,
): Promise<DecisionAnswer> {
  const item = await stores.reviews.findFor(id, caller.peerId);
  const [review] = item === null ? [] : await itemViews(stores, caller, [item]);
  if (review === undefined) throw new Refusal('not_found');
  if (statementId === null) return { review, knowledge: review.knowledge };
  const [knowledge] = await statementViews(stores, caller, [statementId]);
  if (knowledge === undefined) throw new Refusal('not_found');
  return { review, knowledge };
}

/** A decision that is carried out and recorded once, however often its request is sent. */
export interface Conclusion extends Decided {
  /** Seconds in which it can be taken back. */
  readonly undoSeconds: number;
  /** All of the request that a request with the same key must repeat. */
  readonly fields: readonly unknown[];
  /** The statement that the answer shows once it is decided; null: that of the item. */
  readonly statementId: string | null;
}

/** Judges, and writes or schedules: a decision of nobody who has a peer is carried out at once. Whether it was scheduled. */
async function carryOut(
  stores: Stores,
  { caller, traceId }: RequestContext<Caller>,
  { undoSeconds, ...decided }: Conclusion,
): Promise<boolean> {
  const write = await judgeDecision(stores, caller, decided);
  const { peerId } = caller;
  const isScheduled = undoSeconds > 0 && peerId !== null;
  if (isScheduled) {
    await scheduleDecision(stores, { ...caller, peerId }, decided, { undoSeconds, traceId });
  } else await write();
  const { action } = decided.decision;
  await stores.audit.record({
    category: 'governance',
    action: isScheduled ? 'review.scheduled' : `review.${action}`,
    actor: auditActor(caller),
    resourceType: 'review_item',
    resourceId: decided.id,
    metadata: { version: decided.version, ...(isScheduled ? { decision: action } : {}) },
  });
  return isScheduled;
}

/** Decides, and answers what `show` makes of it in the same transaction. */
async function concluded<T>(
  context: RequestContext<Caller>,
  conclusion: Conclusion,
  show: (stores: Stores, statementId: string | null) => Promise<T>,
): Promise<T> {
  const { caller, doorbell, inAccount, sweep } = context;
  const { accountId } = caller;
  const { fields, id, statementId, undoSeconds } = conclusion;
  assertCurator(caller);
  const { answer, isScheduled } = await inAccount(accountId, async (stores) => {
    const again = { status: 200, resourceId: statementId ?? id };
    const earlier = await earlierAnswer(context, stores, fields, again);
    const isScheduled =
      earlier === null ? await carryOut(stores, context, conclusion) : undoSeconds > 0;
    const decided = earlier === null || statementId === null ? statementId : earlier.resourceId;
    return { answer: await show(stores, isScheduled ? null : decided), isScheduled };
  });
  if (isScheduled) sweep.soon();
  else doorbell.ring({ accountId, kind: 'projection', shard: DESK_SHARD });
  return answer;
}

/** Decides and answers the item, and the statement as it is then. */
export async function conclude(
  context: RequestContext<Caller>,
  conclusion: Conclusion,
): Promise<DecisionAnswer> {
  return concluded(context, conclusion, (stores, statementId) =>
    answerFor(stores, context.caller, conclusion.id, statementId),
  );
}

/** An approval, a rejection or a deferral, and the seconds in which it can be taken back. */
export interface SimplyDecided extends Decided {
  readonly decision: SimpleDecision;
  readonly undoSeconds: number;
}

function conclusionOf(decided: SimplyDecided): Conclusion {
  const { decision, undoSeconds, version } = decided;
  return { ...decided, fields: [version, decision, undoSeconds], statementId: null };
}

/** Approves, rejects or defers, and answers the item and its statement as they are then. */
export async function decide(
  context: RequestContext<Caller>,
  decided: SimplyDecided,
): Promise<DecisionAnswer> {
  return conclude(context, conclusionOf(decided));
}

/** The same for many decisions at once. It reads nothing for an answer. */
export async function decideUnshown(
  context: RequestContext<Caller>,
  decided: SimplyDecided,
): Promise<void> {
  await concluded(context, conclusionOf(decided), () => Promise.resolve());
}
