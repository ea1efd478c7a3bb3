/**
 * Belief over time: one period for each set of governed values a statement had, half-open
 * (`believedFrom <= t < believedUntil`). A change closes the open period and opens the next at one instant.
 */
import type { Precision, Sensitivity, TargetLevel } from '../extraction/candidate.ts';
import type { KnowledgeState } from '../governance/visibility.ts';
import { validUntil, type Statement } from '../knowledge/statement.ts';

/** The values a period holds; a change of any of them is a change of belief. */
export interface BeliefValues {
  readonly state: KnowledgeState;
  readonly scopeId: string;
  readonly targetLevel: TargetLevel;
  readonly sensitivity: Sensitivity;
  readonly confidence: number;
  readonly relevantFrom: string | null;
  readonly relevantFromPrecision: Precision | null;
  readonly relevantUntil: string | null;
  readonly relevantUntilPrecision: Precision | null;
}

/** The values of the period in which the statement is believed as it stands. */
function beliefOf(statement: Statement): BeliefValues {
  const { relevantFrom } = statement.wording;
  const relevantUntil = validUntil(statement);
  return {
    state: statement.state,
    scopeId: statement.scopeId,
    targetLevel: statement.targetLevel,
    sensitivity: statement.sensitivity,
    confidence: statement.confidence,
    relevantFrom: relevantFrom?.at ?? null,
    relevantFromPrecision: relevantFrom?.precision ?? null,
    relevantUntil: relevantUntil?.at ?? null,
    relevantUntilPrecision: relevantUntil?.precision ?? null,
  };
}

const FIELDS = [
  'state',
  'scopeId',
  'targetLevel',
  'sensitivity',
  'confidence',
  'relevantFrom',
  'relevantFromPrecision',
  'relevantUntil',
  'relevantUntilPrecision',
] as const satisfies readonly (keyof BeliefValues)[];

export interface PeriodChange {
  readonly closes: boolean;
  /** Null when nothing changed. */
  readonly opens: BeliefValues | null;
}

/** What the step from `before` (null: there was no such statement) to `after` does to the periods. */
export function periodChange(before: Statement | null, after: Statement): PeriodChange {
  const next = beliefOf(after);
  if (before === null) return { closes: false, opens: next };
  const last = beliefOf(before);
  const changed = FIELDS.some((field) => last[field] !== next[field]);
  return changed ? { closes: true, opens: next } : { closes: false, opens: null };
}
