/** What candidates are ranked by. */
import { type SourceFilters } from '../../domain/retrieval/source-filters.ts';
import type { QueryPlan, WeighedWords } from '../text/query-plan.ts';

export interface RankInput {
  readonly accountId: string;
  readonly plan: QueryPlan;
  readonly words: WeighedWords;
  readonly sourceFilters: SourceFilters;
  /** Null acts as 0: a statement with a negative score is dropped. */
  readonly minScore: number | null;
  /** ISO 8601. */
  readonly at: string;
  readonly pool: number;
}
