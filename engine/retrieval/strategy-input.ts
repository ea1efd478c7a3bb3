/** What a strategy works on. */
import type { KnownName } from '../../domain/entities/resolution.ts';
import type { RetrievalProfile } from '../../domain/retrieval/strategies.ts';
import type { StatementSearch } from '../../domain/retrieval/statement-search.ts';
import type { CandidateRead } from '../../stores/postgres/retrieval/candidates.store.ts';
import { type Deadline } from './deadline.ts';
import type { Prepared } from './prepare.ts';
import type { QueryPlan } from '../text/query-plan.ts';
import type { LaterRows } from './rows.ts';

export interface StrategyInput {
  readonly plan: QueryPlan;
  readonly prepared: Prepared;
  /** The possible names in the query; null if no strategy looks names up. */
  readonly names: LaterRows<readonly KnownName[]> | null;
  readonly search: StatementSearch;
  readonly scopeIds: readonly string[];
  readonly profile: RetrievalProfile;
  readonly limit: number;
  /** ISO 8601: `as_of`, or the time of the request. */
  readonly at: string;
  readonly traceId: string;
  readonly read: CandidateRead;
  readonly deadline: Deadline;
  readonly reserveMs: number;
  readonly signal: AbortSignal;
}
