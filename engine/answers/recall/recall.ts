/**
 * Looks for more than one search found, within the bounds of an effort. A model plans the rounds where one is
 * configured, rules do where none is, and where the model fails. Plans name reads of a closed list. The caller that
 * passes the tools decides what these may read, before any plan exists.
 */
import type { EvidenceItem } from '../../../domain/answers/evidence.ts';
import type { Effort, RecallBound } from '../../../domain/answers/recall/caps.ts';
import { admitFound, type FoundList } from '../../../domain/answers/recall/admission.ts';
import {
  planRound,
  WHOLE_WEIGHT,
  type PlannedCall,
  type RecallQuestion,
} from '../../../domain/answers/recall/deterministic-plan.ts';
import {
  beginRecall,
  takeStep,
  timeLeft,
  withExhausted,
  type RecallState,
  type RecallStep,
} from '../../../domain/answers/recall/state.ts';
import {
  callKey,
  isPermitted,
  queryOf,
  type RecallPermissions,
  type RecallTool,
  type ToolCall,
} from '../../../domain/answers/recall/tools.ts';
import { Refusal } from '../../../domain/errors.ts';
import { partWithin, reasonOf } from '../../retrieval/deadline.ts';
import { callAside } from '../../models/extraction.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import type { RecallObserver } from '../observer.ts';
import { planWithModel } from './model-plan.ts';
import { readRecallQuestion } from './read-question.ts';

/** What became of a call: `refused` may not be made, `late` was ended with the time of the recall. */
export const TOOL_OUTCOMES = ['found', 'empty', 'failed', 'late', 'refused'] as const;
export type ToolOutcome = (typeof TOOL_OUTCOMES)[number];

/** Makes one read. Its items are what the reader may read; null when the read failed. */
export type RunTool = (
  call: ToolCall,
  signal: AbortSignal,
) => Promise<readonly EvidenceItem[] | null>;

export interface RecallRequest {
  readonly accountId: string;
  readonly traceId: string;
  readonly question: string;
  /** ISO 8601. */
  readonly referenceTime: string;
  readonly effort: Effort;
  readonly permissions: RecallPermissions;
  /** What the first search found, best first; `shown` of them are shown to the answerer in any case. */
  readonly candidates: readonly EvidenceItem[];
  readonly shown: number;
  readonly run: RunTool;
  /** Milliseconds of `now` at which the first search began. */
  readonly begunAt: number;
  readonly signal: AbortSignal;
}

export interface Recalled {
  /** What tools added, in their order. */
  readonly items: readonly EvidenceItem[];
  readonly rounds: number;
  readonly retrievalCalls: number;
  readonly plannerCalls: number;
  /** The queries of the calls that were made, hashed. */
  readonly queryHashes: readonly string[];
  readonly outcomes: readonly {
    readonly tool: RecallTool;
    readonly outcome: ToolOutcome;
    readonly count: number;
  }[];
  readonly exhausted: readonly RecallBound[];
}

export type Recall = (request: RecallRequest) => Promise<Recalled>;

export interface RecallDependencies {
  readonly gateway: Pick<ModelGateway, 'describe' | 'generation'>;
  /** A keyed hash of a query of an account: who has no key learns nothing from it. */
  readonly hash: (accountId: string, query: string) => string;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly observer?: RecallObserver | undefined;
}

/** One recall, over its rounds. */
class Run {
  state: RecallState;
  readonly made = new Set<string>();
  readonly hashes: string[] = [];
  readonly #found: FoundList[] = [];
  readonly #outcomes = new Map<string, { tool: RecallTool; outcome: ToolOutcome; count: number }>();
  readonly #dependencies: RecallDependencies;
  readonly #request: RecallRequest;
  readonly #question: RecallQuestion;
  #plansByRules: boolean;

  constructor(dependencies: RecallDependencies, request: RecallRequest) {
    this.#dependencies = dependencies;
    this.#request = request;
    this.#question = readRecallQuestion(request.question, request.referenceTime);
    this.state = beginRecall(request.effort);
    this.made.add(callKey({ tool: 'search', query: request.question }));
    const { provider } = dependencies.gateway.describe().dialectic_agent;
    this.#plansByRules = provider === 'none' || provider === 'deterministic';
  }

  get #elapsedMs(): number {
    return this.#dependencies.now() - this.#request.begunAt;
  }

  take(step: RecallStep): boolean {
    const { may, state } = takeStep(this.state, step, this.#elapsedMs);
    this.state = state;
    return may;
  }

  get outcomes(): Recalled['outcomes'] {
    return [...this.#outcomes.values()];
  }

  #note(tool: RecallTool, outcome: ToolOutcome): void {
    const key = `${tool} ${outcome}`;
    const noted = this.#outcomes.get(key) ?? { tool, outcome, count: 0 };
    noted.count += 1;
    this.#outcomes.set(key, noted);
  }

  /** What was found so far, as it would be shown. */
  get #evidence(): readonly EvidenceItem[] {
    const { candidates, shown } = this.#request;
    return [...candidates.slice(0, shown), ...this.state.items];
  }

  #planByRules(): readonly PlannedCall[] {
    const { permissions } = this.#request;
    const round = this.state.rounds;
    const so = { question: this.#question, permissions, round, evidence: this.#evidence };
    return planRound({ ...so, made: this.made });
  }

  /** The calls of the round. Once a model had no plan, rules plan the rest. */
  async plan(): Promise<readonly PlannedCall[]> {
    if (this.#plansByRules) return this.#planByRules();
    const plan = this.take({ kind: 'planner_call' }) ? await this.#planByModel() : null;
    if (plan !== null) return plan.map((call) => ({ call, weight: WHOLE_WEIGHT }));
    this.#plansByRules = true;
    return this.#planByRules();
  }

  async #planByModel(): Promise<readonly ToolCall[] | null> {
    const { accountId, permissions, question, referenceTime, signal, traceId } = this.#request;
    const asked = { question, referenceTime, permissions, evidence: this.#evidence };
    const { gateway } = this.#dependencies;
    try {
      return await this.#inTime(async (inTime) => {
        const call = callAside({ accountId, traceId, signal: inTime });
        return planWithModel(gateway.generation('dialectic_agent', call), asked);
      });
    } catch (error) {
      signal.throwIfAborted();
      if (reasonOf(error) === null) throw error;
      return null;
    }
  }

  /** The part of the recall, within what is left of its time; time that is over is an exhausted bound. */
  async #inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await partWithin(timeLeft(this.state, this.#elapsedMs), this.#request.signal, work);
    } finally {
      if (timeLeft(this.state, this.#elapsedMs) === 0) {
        this.state = withExhausted(this.state, ['time']);
      }
    }
  }

  /** Makes the calls, one after the other, while the bounds allow; answers how many it made. */
  async calls(plan: readonly PlannedCall[], most: number): Promise<number> {
    let made = 0;
    for (const { call, weight } of plan) {
      const key = callKey(call);
      if (this.made.has(key)) continue;
      // The other calls are for later rounds, unless there are none left for these.
      if (made >= most && this.state.retrievalCalls < this.state.caps.retrievalCalls) break;
      if (!isPermitted(call.tool, this.#request.permissions)) {
        this.#note(call.tool, 'refused');
        continue;
      }
      if (!this.take({ kind: 'retrieval_call', query: queryOf(call) })) continue;
      this.made.add(key);
      made += 1;
      this.#found.push({ weight, items: await this.#call(call) });
    }
    return made;
  }

  async #call(call: ToolCall): Promise<readonly EvidenceItem[]> {
    const { accountId, run, signal } = this.#request;
    const query = queryOf(call);
    if (query !== '') this.hashes.push(this.#dependencies.hash(accountId, query));
    try {
      const items = await this.#inTime((inTime) => run(call, inTime));
      this.#note(call.tool, items === null ? 'failed' : items.length === 0 ? 'empty' : 'found');
      return items ?? [];
    } catch (error) {
      signal.throwIfAborted();
      const isAway = error instanceof Refusal && error.code === 'unavailable';
      if (!isAway && reasonOf(error) === null) throw error;
      this.#note(call.tool, reasonOf(error) === 'timeout' ? 'late' : 'failed');
      return [];
    }
  }

  /** Admits the best of everything found so far: what a later call finds may take the place of what an earlier one found. */
  admit(): void {
    const { candidates, shown } = this.#request;
    this.state = admitFound(this.state, this.#found, candidates.slice(0, shown));
  }
}

/** Calls of this round, so that later ones have some left. */
function callsOfRound({ caps, retrievalCalls, rounds }: RecallState): number {
  return Math.ceil((caps.retrievalCalls - retrievalCalls) / (caps.rounds - rounds + 1));
}

/**
 * Builds the recall of a process. It throws only what a tool throws that is no failure of a dependency, what the ledger
 * throws, and the signal's reason after a cancellation.
 */
export function createRecall(dependencies: RecallDependencies): Recall {
  const { now, observer } = dependencies;
  return async (request) => {
    const run = new Run(dependencies, request);
    while (run.take({ kind: 'round' })) {
      const begunAt = now();
      const plan = await run.plan();
      const calls = await run.calls(plan, callsOfRound(run.state));
      run.admit();
      observer?.round({
        effort: request.effort,
        calls,
        durationMs: now() - begunAt,
      });
      if (calls === 0) break;
    }
    const { exhausted, items, plannerCalls, retrievalCalls, rounds } = run.state;
    observer?.recalled({
      effort: request.effort,
      exhausted: [...exhausted],
      durationMs: now() - request.begunAt,
    });
    return {
      items,
      rounds,
      retrievalCalls,
      plannerCalls,
      queryHashes: run.hashes,
      outcomes: run.outcomes,
      exhausted: [...exhausted],
    };
  };
}
