/** What the tools of a recall read with. */
import type { Caller } from '../../../domain/identity/caller.ts';
import { type ParsedQuery } from '../../../domain/query/parsed-query.ts';
import type { RequestContext } from '../../operation.ts';
import type { MadeSearch } from '../searching.ts';

/** What a tool reads with. */
export interface RecallScope {
  readonly context: RequestContext<Caller>;
  readonly made: MadeSearch;
  /** The question, whose phrases and exclusions bind what tools find. */
  readonly question: ParsedQuery;
  /** Whether messages that only ask are found. */
  readonly includesQuestions: boolean;
  /** Ends the tool. */
  readonly signal: AbortSignal;
}
