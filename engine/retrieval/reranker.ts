/**
 * The reranker's part of a search: the time kept back for it, and the order of the candidates after it. The process has
 * one reranker and measures the duration of its calls.
 */
import type { ComponentOutcome } from '../../domain/retrieval/outcomes.ts';
import {
  MEASURED_CALLS,
  rerankReserveMs,
  rerankTimeMs,
} from '../../domain/retrieval/rerank-reserve.ts';
import {
  reasonOfJudgements,
  RERANK_HEAD,
  reordered,
  type Judgement,
} from '../../domain/retrieval/reranking.ts';
import type { RetrievalProfile } from '../../domain/retrieval/strategies.ts';
import { WaitedLongEnough } from '../models/attempt.ts';
import { callAside } from '../models/extraction.ts';
import type { Rerank } from '../models/reranking.ts';
import { runStrategy, type Deadline } from './deadline.ts';
import type { SearchDependencies } from './dependencies.ts';
import type { RankedCandidate } from './candidates.ts';
import type { Page } from './page.ts';
import type { QueryPlan } from '../text/query-plan.ts';
import { documentOf } from './rerank-document.ts';

/** The reranking of one search, after its query was read. */
export interface RerankTurn {
  /** Milliseconds of the deadline that are kept back. */
  readonly reserveMs: number;
  /** How many candidates are read for a page of `limit`: one that is judged better must be able to enter the page. */
  readonly poolOf: (limit: number) => number;
  /**
   * Lets the reranker judge the first candidates, in the time that the deadline leaves. A failure leaves the order as
   * it is.
   * @throws the signal's reason; whatever the provider ledger throws.
   */
  order(page: Pick<Page, 'candidates' | 'endedBy'>, deadline: Deadline): Promise<Reranked>;
}

export interface Reranked {
  /** All candidates, in their new order. */
  readonly candidates: readonly RankedCandidate[];
  readonly outcome: ComponentOutcome;
  /** Whether the search waited for a provider. Then time has passed since it read the candidates. */
  readonly hasWaited: boolean;
}

interface Searching {
  readonly accountId: string;
  readonly profile: RetrievalProfile;
  readonly deadlineEnabled: boolean;
  readonly traceId: string;
  readonly signal: AbortSignal;
}

export type Reranker = (search: Searching, plan: QueryPlan, masked: string) => RerankTurn;

/** The deadline alone bounds the call; without one the role's own limit does. */
const WITHIN_THE_DEADLINE = { timeoutMs: Number.POSITIVE_INFINITY, reserveMs: 0 };

function notApplicable(deadline: Deadline): ComponentOutcome {
  return {
    component: 'reranker',
    status: 'not_applicable',
    reasonClass: 'applicability',
    elapsedMs: 0,
    budgetRemainingMs: deadline.remainingMs(),
  };
}

const WITHOUT: RerankTurn = {
  reserveMs: 0,
  poolOf: (limit) => limit,
  order: async ({ candidates }, deadline) => ({
    candidates,
    outcome: notApplicable(deadline),
    hasWaited: false,
  }),
};

/** A reranker reads sentences; a query with operators is the words of them, because it would read them as text. */
function questionOf({ hasQueryOperators, meaning }: QueryPlan, masked: string): string {
  return hasQueryOperators ? meaning : masked.trim();
}

/** Asks about documents; `isFair` says that the call has the time that is usually enough. */
type AskWithin = (
  documents: readonly string[],
  deadline: Deadline,
  isFair: boolean,
) => Promise<{ readonly outcome: ComponentOutcome; readonly judgements: readonly Judgement[] }>;

function asking(rerank: Rerank, search: Searching, query: string): AskWithin {
  const { accountId, traceId, signal } = search;
  return async (documents, deadline, isFair) => {
    const { outcome, found } = await runStrategy(
      'reranker',
      deadline,
      WITHIN_THE_DEADLINE,
      signal,
      async (inTime) => {
        const call = callAside({ accountId, traceId, signal: inTime });
        const { judgements } = await rerank({ query, documents }, call);
        return { judgements, reason: reasonOfJudgements(judgements, documents.length) };
      },
      isFair ? new WaitedLongEnough() : undefined,
    );
    return { outcome, judgements: found?.judgements ?? [] };
  };
}

const idOf = ({ row }: RankedCandidate): string => row.id;

/** Whether the call says how long the reranker takes: it answered, or had fair time and did not. */
function measures({ status, reasonClass }: ComponentOutcome, isFair: boolean): boolean {
  return status === 'completed' || (reasonClass === 'timeout' && isFair);
}

/** The reranker of a process; without one, or for a search that asks for none, every order stays as it is. */
export function createReranker({ rerank }: Pick<SearchDependencies, 'rerank'>): Reranker {
  const callsMs: number[] = [];

  const note = (elapsedMs: number): void => {
    callsMs.push(elapsedMs);
    if (callsMs.length > MEASURED_CALLS) callsMs.shift();
  };

  return (search, plan, masked) => {
    const { profile, deadlineEnabled } = search;
    if (rerank === null || !profile.reranks || plan.text === '') return WITHOUT;
    const ask = asking(rerank, search, questionOf(plan, masked));
    const reserveMs = deadlineEnabled ? rerankReserveMs(callsMs, profile.deadlineMs) : 0;
    return {
      reserveMs,
      poolOf: (limit) => Math.max(limit, RERANK_HEAD),
      async order(page, deadline) {
        const { candidates, endedBy } = page;
        const head = candidates.slice(0, RERANK_HEAD);
        if (head.length < 2) return WITHOUT.order(page, deadline);
        // By what is usually enough, and not by the reserve: a short deadline, which an operator may set for one scope,
        // says nothing about the reranker.
        const isFair = (deadline.remainingMs() ?? Infinity) >= rerankTimeMs(callsMs);
        const { outcome, judgements } = await ask(head.map(documentOf), deadline, isFair);
        if (measures(outcome, isFair)) note(outcome.elapsedMs);
        return {
          candidates: reordered(candidates, judgements, { idOf, endedBy }),
          outcome,
          hasWaited: outcome.reasonClass !== 'deadline_exhausted_before_start',
        };
      },
    };
  };
}
