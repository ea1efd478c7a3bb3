/** The effect of a ruling on a statement. The tables of states are those of `governance/desk.ts`. */
import { ruleFor } from '../governance/gates.ts';
import {
  ITEM_RULES,
  questionOf,
  SUBJECT_TABLES,
  type RulingEffect,
  type SubjectAction,
} from '../governance/desk.ts';
import type { EndedItemState, ItemOpening } from '../governance/items.ts';
import type { KnowledgeState } from '../statements/states.ts';
import { changedConfidence, GAINED_CONFIDENCE } from '../questions/words.ts';
import { daysAfter, placementScope, type PlacingContext } from './placing.ts';
import type { TransitionReason, Verdict } from './plan.ts';
import { standingOf, type Statement } from '../statements/statement.ts';

export type OpenItem = Pick<
  ItemOpening,
  'kind' | 'conflictId' | 'targetScopeId' | 'targetLevel' | 'proposedSensitivity'
> & { readonly id: string };

/** `expiresAt` is ISO 8601 UTC; null leaves the date that the statement has. */
export type Ruling =
  | {
      readonly action: 'confirm';
      readonly expiresAt: string | null;
      /** The person was asked while talking about something else: the yes is worth less than one of its own accord. */
      readonly asked?: true;
    }
  | { readonly action: 'contest' }
  | { readonly action: 'redact' }
  | { readonly action: 'approve'; readonly item: OpenItem; readonly expiresAt: string | null }
  | { readonly action: 'reject'; readonly item: OpenItem }
  /** No curator decided the contest in time. */
  | { readonly action: 'leave_unanswered'; readonly item: OpenItem };

export interface RulingContext extends PlacingContext {
  /** The subject's consents to places of the statement, by the scope's id. */
  readonly consents: ReadonlyMap<string, 'pending' | 'granted' | 'denied'>;
  /** Whether another open statement makes the same claim, to the same readers, where this one would stand. */
  readonly isTaken: (placed: Pick<Statement, 'audience' | 'scopeId'>) => boolean;
}

export type RulingResult =
  /** The state of the statement, or of what surrounds it, does not allow it. */
  | { readonly outcome: 'refused' }
  /** The same ruling was given before. */
  | { readonly outcome: 'same' }
  | { readonly outcome: 'awaits_consent'; readonly targetScopeId: string }
  | {
      readonly outcome: 'ruled';
      readonly after: Statement;
      /** Why its state changed, if it did. */
      readonly reason: TransitionReason;
      /** Null where the ruling is no decision of a gate. */
      readonly verdict: Verdict | null;
      readonly itemState: EndedItemState;
      /** The account's policy gives the consent that the place owes. */
      readonly consentByPolicy: boolean;
    };

const REFUSED = { outcome: 'refused' } as const;

const REASONS: Readonly<Record<Ruling['action'], TransitionReason>> = {
  confirm: 'subject_confirmed',
  contest: 'subject_contested',
  redact: 'subject_redacted',
  approve: 'curator_approved',
  reject: 'curator_rejected',
  leave_unanswered: 'contest_unanswered',
};

/** An expired statement counts as expired before the ruling, unless it is contested. */
export function stateOf({ expiresAt, state }: Statement, now: string): KnowledgeState {
  const isOver = expiresAt !== null && expiresAt <= now;
  const mayExpire = standingOf(state) === 'placed' || standingOf(state) === 'unplaced';
  return isOver && mayExpire ? 'expired' : state;
}

function effectOf(ruling: Ruling, actual: Statement, now: string): RulingEffect | null {
  const state = stateOf(actual, now);
  if ('item' in ruling) {
    const question = questionOf(ruling.item);
    const rule = ITEM_RULES[question];
    const isOther = state === 'held' && actual.isWithheld !== (question === 'revalidation');
    if (!rule.openIn.includes(state) || isOther) return null;
    return ruling.action === 'approve' ? rule.approve : rule.reject;
  }
  const isForOthers =
    ruling.action === 'confirm' &&
    state === 'held' &&
    (actual.targetLevel !== 'peer' || actual.isWithheld);
  return isForOthers
    ? null
    : (SUBJECT_TABLES[ruling.action satisfies SubjectAction][state] ?? null);
}

const VERIFICATIONS: Readonly<Record<Ruling['action'], Statement['verification']>> = {
  confirm: 'subject_confirmed',
  contest: 'subject_disputed',
  redact: 'subject_disputed',
  approve: 'curator_approved',
  reject: 'curator_rejected',
  leave_unanswered: 'auto_rejected_stale',
};

/** Active at the place, with a date of revalidation. */
function placedAt(statement: Statement, scopeId: string, context: RulingContext): Statement {
  const after: Statement = { ...statement, state: 'active', scopeId, heldScopeId: null };
  const rule = ruleFor(context.rules, context.chains.get(scopeId) ?? [], after);
  const expiresAt = after.expiresAt ?? daysAfter(context.now, rule.expiresAfterDays);
  return { ...after, expiresAt, revalidateAfter: daysAfter(context.now, rule.revalidateAfterDays) };
}

/** As before the contest. A statement that waited for a place waits for it again. */
function restored(statement: Statement, context: RulingContext): Statement {
  // Rows from before this desk did not keep their earlier state. Only their submitters see them until a curator
  // decides.
  const state = statement.stateBeforeContest ?? 'provisional';
  const heldScopeId =
    state === 'held' ? (placementScope(context, statement) ?? statement.scopeId) : null;
  return { ...statement, state, heldScopeId, stateBeforeContest: null };
}

function ended(statement: Statement, state: KnowledgeState): Statement {
  return { ...statement, state, heldScopeId: null, stateBeforeContest: null };
}

/** A restricted statement is never above peer level; neither is a personal one whose subject has not agreed. */
function stricter(statement: Statement, { item }: { readonly item: OpenItem }): Statement {
  const sensitivity = item.proposedSensitivity ?? statement.sensitivity;
  const isPrivate = sensitivity === 'restricted' || sensitivity === 'personal';
  return { ...statement, sensitivity, targetLevel: isPrivate ? 'peer' : statement.targetLevel };
}

type Affect = (statement: Statement, context: RulingContext, ruling: Ruling) => Statement;

const unchanged: Affect = (statement) => statement;

const asProposed: Affect = (statement, context) =>
  placedAt(statement, placementScope(context, statement) ?? statement.scopeId, context);

/** The statement after each effect. */
const AFFECT: Readonly<Record<RulingEffect, Affect>> = {
  placed: (statement, context) =>
    placedAt({ ...statement, targetLevel: 'peer' }, statement.scopeId, context),
  kept: (statement, context) =>
    placedAt({ ...statement, isWithheld: false }, statement.scopeId, context),
  restored,
  contested: (statement) => ({
    ...ended(statement, 'contested'),
    stateBeforeContest: statement.state,
  }),
  redacted: (statement) => ended(statement, 'redacted'),
  rejected: (statement) => ended(statement, 'rejected'),
  proposed: asProposed,
  moved(statement, context, ruling) {
    if (!('item' in ruling)) return statement;
    const { targetLevel, targetScopeId } = ruling.item;
    // Whoever may read the place reads it then: an audience ends with a promotion.
    const audience = targetLevel === 'peer' ? statement.audience : null;
    const moved = { ...statement, audience, targetLevel };
    return placedAt(moved, targetScopeId ?? statement.scopeId, context);
  },
  settled: (statement, context, ruling) =>
    standingOf(statement.state) === 'unplaced' ? asProposed(statement, context, ruling) : statement,
  stricter: (statement, _context, ruling) =>
    'item' in ruling ? stricter(statement, ruling) : statement,
  left: unchanged,
  same: unchanged,
};

/** Whether the place of `after` is wider than its subject has to accept unasked. */
function consentFor(
  after: Statement,
  context: RulingContext,
): 'not_owed' | 'by_policy' | 'granted' | 'denied' | 'missing' {
  if (after.subject.type !== 'peer' || after.targetLevel === 'peer') return 'not_owed';
  const rule = ruleFor(context.rules, context.chains.get(after.scopeId) ?? [], after);
  if (after.sensitivity !== 'personal' && !rule.requiresConsent) return 'not_owed';
  const given = context.consents.get(after.scopeId);
  if (given === 'granted' || given === 'denied') return given;
  return rule.automaticConsent || context.consent.automatic ? 'by_policy' : 'missing';
}

const takesPlace: ReadonlySet<RulingEffect> = new Set(['placed', 'proposed', 'moved', 'settled']);

function verdictOf(ruling: Ruling): Verdict | null {
  if (ruling.action === 'contest' || ruling.action === 'redact') return null;
  const isAboutPlace = 'item' in ruling && ruling.item.kind === 'gate_b';
  return {
    gate: isAboutPlace ? 'gate_b' : 'gate_a_b',
    decision: ruling.action === 'confirm' || ruling.action === 'approve' ? 'approve' : 'reject',
    reason: REASONS[ruling.action],
  };
}

/**
 * Judges the ruling. `actual` is the present statement. `statement` is the same as its gates left it, without the
 * update of a newer one.
 */
export function rule(
  ruling: Ruling,
  actual: Statement,
  statement: Statement,
  context: RulingContext,
): RulingResult {
  const effect = effectOf(ruling, actual, context.now);
  if (effect === null) return REFUSED;
  if (effect === 'same') return { outcome: 'same' };
  const dated = withExpiry(ruling, statement);
  const changed = AFFECT[effect](dated, context, ruling);
  const isPlacing = takesPlace.has(effect) && changed.state === 'active';
  if (isPlacing) {
    const isWide = changed.targetLevel !== 'peer';
    if (isWide && changed.sensitivity === 'restricted') return REFUSED;
    if (context.isTaken(changed)) return REFUSED;
  }
  const consent = isPlacing ? consentFor(changed, context) : 'not_owed';
  if (consent === 'denied') return REFUSED;
  if (consent === 'missing') return { outcome: 'awaits_consent', targetScopeId: changed.scopeId };
  return {
    outcome: 'ruled',
    after: effect === 'left' ? changed : verified(ruling, changed),
    reason: REASONS[ruling.action],
    verdict: verdictOf(ruling),
    itemState: ruling.action === 'approve' ? 'approved' : 'rejected',
    consentByPolicy: consent === 'by_policy',
  };
}

function withExpiry(ruling: Ruling, statement: Statement): Statement {
  const given = 'expiresAt' in ruling ? ruling.expiresAt : null;
  return given === null ? statement : { ...statement, expiresAt: given };
}

function verified(ruling: Ruling, statement: Statement): Statement {
  const verification = VERIFICATIONS[ruling.action];
  if (ruling.action !== 'confirm') return { ...statement, verification };
  const { confidence: before } = statement;
  const confidence = ruling.asked === true ? changedConfidence(before, GAINED_CONFIDENCE) : 1;
  return { ...statement, verification, confidence };
}
