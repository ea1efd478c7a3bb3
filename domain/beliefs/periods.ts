/**
 * Belief over time: one period for each set of governed values a statement had, half-open
 * (`believed_from <= t < believed_until`). A change closes the open period and opens the next at one instant.
 */
import { BELIEVED_COLUMNS, type BelievedColumn, type StatementRow } from '../statements/columns.ts';
import type { Statement } from '../statements/statement.ts';
import { rowOf } from '../statements/statement-row.ts';

/** The values a period holds; a change of any of them is a change of belief. */
export type BeliefValues = StatementRow<BelievedColumn>;

/** The values of the period in which the statement is believed as it stands. */
function beliefOf(statement: Statement): BeliefValues {
  const row = rowOf(statement);
  return Object.fromEntries(BELIEVED_COLUMNS.map((name) => [name, row[name]])) as BeliefValues;
}

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
  const changed = BELIEVED_COLUMNS.some((name) => last[name] !== next[name]);
  return changed ? { closes: true, opens: next } : { closes: false, opens: null };
}
