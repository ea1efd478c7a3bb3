/** One decision about one item, in one transaction: found, judged by the caller's rights, ruled on, written, audited. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { curates, type Caller } from '../../domain/identity/caller.ts';
import type { Ruling } from '../../domain/knowledge/ruling.ts';
import { DESK_SHARD, openItemOf, ruleOn } from '../../engine/knowledge/ruling.ts';
import type { FoundStatement } from '../../stores/postgres/knowledge/desk.store.ts';
import type { ItemRow } from '../../stores/postgres/knowledge/reviews.store.ts';
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

export const decisionOutput = z.object({ review: itemOutput, knowledge: reviewedStatement });
export type DecisionAnswer = z.input<typeof decisionOutput>;

/** `until` is an instant to come. */
export type ItemDecision =
  | { readonly action: 'approve'; readonly expiresAt: string | null }
  | { readonly action: 'reject' }
  | { readonly action: 'defer'; readonly until: Date };

/** The item that a decision is about, as its curator has seen it. */
export interface ItemVersion {
  readonly id: string;
  readonly version: number;
}

export interface Decided extends ItemVersion {
  readonly decision: ItemDecision;
}

/**
 * The item under the lock of its statement's subject, if the caller may see it and has seen its version. `besideOf` says
 * what is read beside the statement.
 */
export async function lockItem(
  stores: Stores,
  caller: Caller,
  { id, version }: ItemVersion,
  besideOf: (found: FoundStatement) => Parameters<Stores['desk']['lock']>[1] = () => ({}),
) {
  const seen = await stores.reviews.findFor(id, caller.peerId);
  if (seen === null || !curates(caller, seen.scope_path)) throw new Refusal('not_found');
  const found = await stores.desk.find(seen.knowledge_id);
  if (found === null) throw new Refusal('not_found');
  const state = await stores.desk.lock(found, besideOf(found));
  if (state === null) throw new Refusal('not_found');
  const item = await stores.reviews.findFor(id, caller.peerId);
  if (item === null || !curates(caller, item.scope_path)) throw new Refusal('not_found');
  const isOpen = ['pending', 'escalated', 'deferred'].includes(item.state);
  if (!isOpen || item.version !== version) throw new Refusal('conflict');
  await assertImpartial(stores, caller, item, found);
  return { item, found, state };
}

/** Who is spoken of, or has said it, decides about a contest only where nobody else can. */
async function assertImpartial(
  stores: Stores,
  { peerId }: Caller,
  { kind }: ItemRow,
  found: FoundStatement,
): Promise<void> {
  if (kind !== 'contest' || peerId === null) return;
  if (await stores.desk.isPartyBesideOthers(found, peerId)) throw new Refusal('forbidden');
}

function rulingOf(decision: Exclude<ItemDecision, { action: 'defer' }>, row: ItemRow): Ruling {
  const item = openItemOf(row);
  return decision.action === 'approve'
    ? { action: 'approve', item, expiresAt: decision.expiresAt }
    : { action: 'reject', item };
}

async function carryOut(stores: Stores, caller: Caller, decided: Decided): Promise<void> {
  const { decision } = decided;
  const { item, state } = await lockItem(stores, caller, decided);
  if (decision.action === 'defer') {
    if (item.kind === 'contest') throw new Refusal('conflict');
    await stores.reviews.defer(item.id, decision.until);
    return;
  }
  const { target_scope_path: target } = item;
  const isBeyond = target !== null && !curates(caller, target);
  if (decision.action === 'approve' && isBeyond) throw new Refusal('forbidden');
  const actor = { peerId: caller.peerId, channel: 'api' } as const;
  const ruling = rulingOf(decision, item);
  const { result, work } = ruleOn(state, item.knowledge_id, ruling, actor);
  if (result.outcome === 'refused' || result.outcome === 'same') throw new Refusal('conflict');
  await stores.desk.write(work);
  if (result.outcome === 'awaits_consent') {
    await stores.reviews.awaitConsent(item.id, caller.peerId);
  }
}

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
export interface Conclusion extends ItemVersion {
  readonly action: ItemDecision['action'] | 'edit' | 'merge';
  /** All of the request that a request with the same key must repeat. */
  readonly fields: readonly unknown[];
  /** The statement that the answer shows; null: that of the item. */
  readonly statementId: string | null;
  readonly carryOut: (stores: Stores) => Promise<void>;
}

/** Decides, and answers what `show` makes of it in the same transaction. */
async function concluded<T>(
  context: RequestContext<Caller>,
  { action, carryOut, fields, id, statementId, version }: Conclusion,
  show: (stores: Stores, statementId: string | null) => Promise<T>,
): Promise<T> {
  const { caller, doorbell, inAccount } = context;
  const { accountId } = caller;
  assertCurator(caller);
  const answer = await inAccount(accountId, async (stores) => {
    const again = { status: 200, resourceId: statementId ?? id };
    const earlier = await earlierAnswer(context, stores, fields, again);
    if (earlier === null) {
      await carryOut(stores);
      await stores.audit.record({
        category: 'governance',
        action: `review.${action}`,
        actor: auditActor(caller),
        resourceType: 'review_item',
        resourceId: id,
        metadata: { version },
      });
    }
    const shown = earlier === null || statementId === null ? statementId : earlier.resourceId;
    return show(stores, shown);
  });
  doorbell.ring({ accountId, kind: 'projection', shard: DESK_SHARD });
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

function conclusionOf({ caller }: RequestContext<Caller>, decided: Decided): Conclusion {
  const { decision, id, version } = decided;
  return {
    id,
    version,
    action: decision.action,
    fields: [version, decision],
    statementId: null,
    carryOut: (stores) => carryOut(stores, caller, decided),
  };
}

/** Approves, rejects or defers, and answers the item and its statement as they are then. */
export async function decide(
  context: RequestContext<Caller>,
  decided: Decided,
): Promise<DecisionAnswer> {
  return conclude(context, conclusionOf(context, decided));
}

/** The same for many decisions at once. It reads nothing for an answer. */
export async function decideUnshown(
  context: RequestContext<Caller>,
  decided: Decided,
): Promise<void> {
  await concluded(context, conclusionOf(context, decided), () => Promise.resolve());
}
