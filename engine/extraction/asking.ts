/** Asks the model about the anchors of a batch and passes its answers to the commit. */
import { LONGEST_EXTRACTION_MS } from '../../domain/extraction/effort.ts';
import { isAskedAlone } from '../../domain/extraction/batching.ts';
import { ModelFailure } from '../../domain/error-class.ts';
import { isKeptBack } from '../../domain/observations/settlement.ts';
import { ownFailure } from '../models/own-failure.ts';
import { isEvidenceRole } from '../../domain/observations/roles.ts';
import type { CallContext } from '../models/extraction.ts';
import type { ModelGateway } from '../models/gateway.ts';
import type { CommitQueue } from './commit-queue.ts';
import type { ExtractionOutcome } from './commit.ts';
import { extractionRequest, type LoadedAnchor } from './window.ts';

export interface AskingDeps {
  readonly gateway: Pick<ModelGateway, 'extract' | 'extractBatch'>;
  readonly newId: () => string;
  readonly isDatabaseGone: (error: unknown) => boolean;
  readonly report: (event: string, fields: Readonly<Record<string, string | number>>) => void;
  /** The longest that a call and its repairs may take. */
  readonly longestCallMs?: number;
}

/** How asking ends early: `signal` ends it at once, `stopping` after the calls that are under way. */
export interface Ending {
  readonly signal: AbortSignal;
  readonly stopping: AbortSignal | undefined;
}

/** The drain that holds the anchors, as the ledger knows it. */
export interface AskingBatch {
  readonly accountId: string;
  readonly shard: number;
  readonly epoch: number;
}

export class Asking {
  readonly #deps: AskingDeps;
  readonly #batch: AskingBatch;
  readonly #queue: CommitQueue<ExtractionOutcome>;
  readonly #ending: Ending;

  constructor(
    deps: AskingDeps,
    batch: AskingBatch,
    queue: CommitQueue<ExtractionOutcome>,
    ending: Ending,
  ) {
    this.#deps = deps;
    this.#batch = batch;
    this.#queue = queue;
    this.#ending = ending;
  }

  /** The error of the ledger when the database is gone. The batch throws it, and the drain keeps its anchors. */
  #away: { readonly error: unknown } | null = null;

  throwIfAway(): void {
    if (this.#away !== null) throw this.#away.error;
  }

  get #ends(): boolean {
    const { signal, stopping } = this.#ending;
    return signal.aborted || stopping?.aborted === true || this.#away !== null;
  }

  /** Asks about anchors side by side, each alone, and pushes the outcomes in their order. */
  async aboutEach(anchors: readonly LoadedAnchor[]): Promise<void> {
    if (this.#ends || this.#queue.broken) return;
    const outcomes = await Promise.all(anchors.map((anchor) => this.#alone(anchor)));
    for (const outcome of outcomes) if (outcome !== null) this.#queue.push(outcome);
  }

  /** Asks about neighbours of a session together; where one of them may have failed the call, about each alone. */
  async about(call: readonly LoadedAnchor[]): Promise<void> {
    const [first, ...others] = call;
    if (first === undefined || this.#ends || this.#queue.broken) return;
    if (others.length > 0) {
      const alone = await this.#together(call);
      for (const anchor of alone) await this.about([anchor]);
      return;
    }
    const outcome = await this.#alone(first);
    if (outcome !== null) this.#queue.push(outcome);
  }

  /** Answers the anchors to ask about again, each alone, because one of them may have failed the call. */
  async #together(anchors: readonly LoadedAnchor[]): Promise<readonly LoadedAnchor[]> {
    const batchId = this.#deps.newId();
    const alone: LoadedAnchor[] = [];
    const fail = (anchor: LoadedAnchor, error: unknown): void => {
      const failure = ownFailure(error);
      if (failure.isOurs || isAskedAlone(failure.errorClass)) alone.push(anchor);
      else this.#queue.push(this.#failed(anchor, batchId, failure));
    };
    try {
      const requests = anchors.map(extractionRequest);
      const { answers, identity } = await this.#inTime(anchors, batchId, (call) =>
        this.#deps.gateway.extractBatch(requests, call),
      );
      for (const [index, anchor] of anchors.entries()) {
        const answer = answers[index];
        if (answer?.failure === null) {
          const { candidates } = answer;
          this.#queue.push({ anchor, result: 'extracted', batchId, candidates, identity });
        } else fail(anchor, answer?.failure);
      }
    } catch (error) {
      if (this.#wasCutOff(error)) return [];
      for (const anchor of anchors) fail(anchor, error);
    }
    if (alone.length > 0) this.#deps.report('extraction.batch_split', { anchors: alone.length });
    return alone;
  }

  /** Null when the work was cancelled or the database is gone: the drain keeps the anchor, which has not failed. */
  async #alone(anchor: LoadedAnchor): Promise<ExtractionOutcome | null> {
    const { document, role } = anchor.message;
    if (!isEvidenceRole(role) || document?.replaced === true) {
      return { anchor, result: 'extracted', batchId: null, candidates: [], identity: null };
    }
    const batchId = this.#deps.newId();
    try {
      const request = extractionRequest(anchor);
      const { candidates, identity } = await this.#inTime([anchor], batchId, (call) =>
        this.#deps.gateway.extract(request, call),
      );
      return { anchor, result: 'extracted', batchId, candidates, identity };
    } catch (error) {
      return this.#wasCutOff(error) ? null : this.#failed(anchor, batchId, error);
    }
  }

  /**
   * Makes a call with its repairs. A call without an answer after its longest time has failed with `request_timeout`,
   * so that the drain can end. If its anchors were given back, the call would be made, and paid, again and again.
   */
  async #inTime<T>(
    anchors: readonly LoadedAnchor[],
    batchId: string,
    ask: (call: CallContext) => Promise<T>,
  ): Promise<T> {
    const tooLong = new AbortController();
    const timer = setTimeout(
      () => tooLong.abort(),
      this.#deps.longestCallMs ?? LONGEST_EXTRACTION_MS,
    );
    try {
      const signal = AbortSignal.any([this.#ending.signal, tooLong.signal]);
      return await ask(this.#callContext(anchors, batchId, signal));
    } catch (error) {
      if (tooLong.signal.aborted && !this.#ending.signal.aborted) {
        throw new ModelFailure('request_timeout', { cause: error });
      }
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The account, hold and anchors of a call; trace and scope are taken from its first anchor. */
  #callContext(
    anchors: readonly LoadedAnchor[],
    batchId: string,
    signal: AbortSignal,
  ): CallContext {
    const { accountId, epoch, shard } = this.#batch;
    const first = anchors[0]?.message;
    return {
      accountId,
      runId: null,
      anchorMessageIds: anchors.map(({ messageId }) => messageId),
      traceId: first?.trace_id ?? null,
      batchId,
      scopeId: first?.scope_id ?? null,
      hold: { mailboxShard: shard, epoch },
      signal,
    };
  }

  /** Whether a call ended because the work was cancelled or the database is gone. */
  #wasCutOff(error: unknown): boolean {
    if (this.#ending.signal.aborted) return true;
    if (!this.#deps.isDatabaseGone(error)) return false;
    this.#away ??= { error };
    return true;
  }

  #failed(anchor: LoadedAnchor, batchId: string, error: unknown): ExtractionOutcome {
    const { errorClass, isOurs, retryAfterMs } = ownFailure(error);
    const common = { anchor, result: 'failed', errorClass, isOurs, retryAfterMs } as const;
    // A circuit or a daily limit kept the call back: there was no attempt, and the gateway has reported it.
    if (isKeptBack(errorClass)) return { ...common, batchId: null };
    this.#deps.report('extraction.failed', { class: errorClass });
    return { ...common, batchId };
  }
}
