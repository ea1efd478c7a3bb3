/** Runs the gates over a statement and returns the statement afterwards. */
import {
  passGates,
  ruleFor,
  type ConsentPolicy,
  type GateOutcome,
  type PlacedRule,
} from '../governance/gates.ts';
import type { Statement } from '../statements/statement.ts';

export interface PlacingContext {
  readonly rules: readonly PlacedRule[];
  readonly consent: ConsentPolicy;
  /** The ids of a scope's chain, outermost first, by scope id. */
  readonly chains: ReadonlyMap<string, readonly string[]>;
  readonly rootScopeId: string;
  /** ISO 8601 UTC; taken after the subjects were locked. */
  readonly now: string;
}

export interface GateJudgement {
  readonly outcome: GateOutcome;
  readonly after: Statement;
}

/** The scope that a placed statement stands in: the root for the account level; null for the peer level. */
export function placementScope(context: PlacingContext, statement: Statement): string | null {
  if (statement.targetLevel === 'peer') return null;
  return statement.targetLevel === 'account' ? context.rootScopeId : statement.scopeId;
}

/**
 * The gates' outcome, and the statement after it. When another statement already says the same at the placement scope
 * (`isTaken`), a person decides about this one.
 */
export function judge(
  context: PlacingContext,
  statement: Statement,
  isTaken: (scopeId: string) => boolean,
): GateJudgement {
  const placement = placementScope(context, statement) ?? statement.scopeId;
  const rule = ruleFor(context.rules, context.chains.get(statement.scopeId) ?? [], statement);
  const taken = placement !== statement.scopeId && isTaken(placement);
  const outcome = passGates(
    { ...statement, aboutPeer: statement.subject.type === 'peer' },
    taken ? { ...rule, gateB: 'human' } : rule,
    context.consent,
  );
  const { state, verification, expiresAfterDays, revalidateAfterDays } = outcome;
  const after: Statement = {
    ...statement,
    state,
    verification,
    scopeId: state === 'active' ? placement : statement.scopeId,
    heldScopeId: state === 'held' ? placement : null,
    expiresAt: statement.expiresAt ?? daysAfter(context.now, expiresAfterDays),
    revalidateAfter: daysAfter(context.now, revalidateAfterDays),
  };
  return { outcome, after };
}

/** `days` after the instant; null for never. */
export function daysAfter(instant: string, days: number | null): string | null {
  return days === null ? null : new Date(Date.parse(instant) + days * 86_400_000).toISOString();
}
