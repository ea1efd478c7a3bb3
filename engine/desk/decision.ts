/**
 * A curator's decision about an item: judged first, and then written, at once or when nobody has taken it back. What is
 * judged and what is written happen in one transaction, under the lock of the subject.
 */
import { Refusal } from '../../domain/errors.ts';
import { DECIDED_ALONE } from '../../domain/governance/decisions.ts';
import { isDecidable } from '../../domain/governance/items.ts';
import { curates, type Caller } from '../../domain/identity/caller.ts';
import type { Ruling } from '../../domain/knowledge/ruling.ts';
import type { ItemRow } from '../../stores/postgres/knowledge/reviews.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { openItemOf, ruleOn } from '../knowledge/ruling.ts';
import { judgeEdit, textsBeside, type EditDecision } from './edit.ts';
import { assertImpartial, lockItem, type LockedItem } from './locked-item.ts';
import { judgeMerger, mergedInto, type MergeDecision } from './merge.ts';

interface Approval {
  readonly action: 'approve';
  /** ISO 8601 UTC; null leaves the date that the statement has. */
  readonly expiresAt: string | null;
}
interface Rejection {
  readonly action: 'reject';
}
interface Deferral {
  readonly action: 'defer';
  /** An instant to come. */
  readonly until: Date;
}

/** What needs no other text and no other statement. */
export type SimpleDecision = Approval | Rejection | Deferral;
export type ItemDecision = SimpleDecision | EditDecision | MergeDecision;

/** A decision about an item in the version that its curator saw. */
export interface Decided {
  readonly id: string;
  readonly version: number;
  readonly decision: ItemDecision;
  /** One of many, of which the curator has seen no evidence. */
  readonly isAmongMany?: true;
}

/** Carries out what was judged. */
export type DecisionWriting = () => Promise<void>;

function rulingOf(decision: Approval | Rejection, row: ItemRow): Ruling {
  const item = openItemOf(row);
  return decision.action === 'approve'
    ? { action: 'approve', item, expiresAt: decision.expiresAt }
    : { action: 'reject', item };
}

function judgeDeferral(stores: Stores, { until }: Deferral, { item }: LockedItem): DecisionWriting {
  if (item.kind === 'contest') throw new Refusal('conflict');
  return () => stores.reviews.defer(item.id, until);
}

function judgeRuling(
  stores: Stores,
  caller: Caller,
  decision: Approval | Rejection,
  { item, state }: LockedItem,
): DecisionWriting {
  const { target_scope_path: target } = item;
  const isBeyond = target !== null && !curates(caller, target);
  if (decision.action === 'approve' && isBeyond) throw new Refusal('forbidden');
  const actor = { peerId: caller.peerId, channel: 'api' } as const;
  const ruling = rulingOf(decision, item);
  const { result, work } = ruleOn(state, item.knowledge_id, ruling, actor);
  if (result.outcome === 'refused' || result.outcome === 'same') throw new Refusal('conflict');
  return async () => {
    await stores.desk.write(work);
    if (result.outcome === 'awaits_consent') {
      await stores.reviews.awaitConsent(item.id, caller.peerId);
    }
  };
}

/** What a decision names beside its item is gone, or never was. */
function notFound(): never {
  throw new Refusal('not_found');
}

async function lockFor(
  stores: Stores,
  caller: Caller,
  { decision, id }: Decided,
): Promise<{
  readonly locked: LockedItem;
  readonly judge: () => Promise<DecisionWriting> | DecisionWriting;
}> {
  if (decision.action === 'edit') {
    const locked = await lockItem(stores, caller, id, (found) => textsBeside(found, decision));
    return { locked, judge: () => judgeEdit(stores, caller, decision, locked) };
  }
  if (decision.action === 'merge') {
    const into = await mergedInto(stores, caller, decision);
    const locked = await lockItem(stores, caller, id, () =>
      into === null ? {} : { rows: [into] },
    );
    const judge = () => judgeMerger(stores, caller, decision, locked);
    return { locked, judge: into === null ? notFound : judge };
  }
  const locked = await lockItem(stores, caller, id);
  return {
    locked,
    judge: () =>
      decision.action === 'defer'
        ? judgeDeferral(stores, decision, locked)
        : judgeRuling(stores, caller, decision, locked),
  };
}

/**
 * Judges a decision of this moment. Refuses with `not_found` an item that the caller may not see, with `conflict` one in
 * another version or state, one that another decision waits for, and one of those that are decided alone among many, and
 * with `forbidden` what the caller may not decide. Nothing is written before the answer is called.
 */
export async function judgeDecision(
  stores: Stores,
  caller: Caller,
  decided: Decided,
): Promise<DecisionWriting> {
  const { judge, locked } = await lockFor(stores, caller, decided);
  const { item } = locked;
  if (!isDecidable(item) || item.version !== decided.version) throw new Refusal('conflict');
  const isSeen = decided.isAmongMany !== true || !DECIDED_ALONE.includes(item.kind);
  if (!isSeen || (await stores.scheduledDecisions.waitingFor(item.id)) !== null) {
    throw new Refusal('conflict');
  }
  await assertImpartial(stores, caller, locked);
  return judge();
}

/** The same for a decision that waited: `stillValid` refuses by the item as it is now. */
export async function judgeWaiting(
  stores: Stores,
  caller: Caller,
  decided: Decided,
  stillValid: (item: LockedItem) => void,
): Promise<DecisionWriting> {
  const { judge, locked } = await lockFor(stores, caller, decided);
  stillValid(locked);
  await assertImpartial(stores, caller, locked);
  return judge();
}
