/** The request to every index in a search over statements: the account, the predicate, and the filters. */
import type { Condition } from '../governance/visibility.ts';
import type { KnowledgeState } from '../statements/states.ts';
import type { SourceFilters } from './source-filters.ts';

/** One alternative of a query's operators, as far as a full-text index could resolve it to ids. */
export interface QueryOperatorAlternative {
  /** Only these statements; null when nothing narrows. */
  readonly onlyIds: readonly string[] | null;
  readonly exceptIds: readonly string[];
}

export interface StatementSearch {
  readonly accountId: string;
  readonly visible: Condition;
  /** Belief at that instant (ISO 8601) instead of now. */
  readonly asOf: string | null;
  /** A statement must satisfy one of them; null when nothing binds. */
  readonly queryOperators: readonly QueryOperatorAlternative[] | null;
  readonly sourceFilters: SourceFilters;
  /** Narrows further to statements whose state today is one of these, whatever instant is read. */
  readonly statesToday?: readonly KnowledgeState[];
}

/** The number for "never ends" where an index compares only numbers: 9999-12-31T00:00:00Z in milliseconds. */
const NEVER_MS = 253_402_214_400_000;

/** Milliseconds of an ISO instant; `NEVER_MS` for null. */
export function instantOrNever(instant: string | null): number {
  return instant === null ? NEVER_MS : Date.parse(instant);
}
