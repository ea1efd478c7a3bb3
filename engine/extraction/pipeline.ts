/**
 * The extraction of a claimed batch: window, model call, commit, index, complete.
 *
 *   claimed ──► extracted (tx 1: statements and all that follows) ──► acknowledged by Qdrant ──► completed (tx 2)
 *        └────► failed with its next attempt · repairable · terminal
 *
 * The model is asked outside any transaction; sessions and chunks of documents go side by side, the calls of one
 * session one after the other, each about one anchor or a few neighbours. Every write is fenced by the epoch of the
 * claim, so a drain that was overtaken settles nothing.
 */
import {
  isAskedAlone,
  NO_BATCHING,
  type BatchingParameters,
} from '../../domain/extraction/batching.ts';
import { ModelFailure } from '../../domain/models/error-class.ts';
import { isEvidenceRole } from '../../domain/observations/roles.ts';
import type { AnchorStore } from '../../stores/postgres/anchors.store.ts';
import type { CallContext } from '../models/extraction.ts';
import type { ModelGateway } from '../models/gateway.ts';
import type { Indexer } from '../projections/indexer.ts';
import { callsOf, sideBySide } from './calls.ts';
import { createCommitQueue, type CommitQueue } from './commit-queue.ts';
import { commitOutcomes, type BatchScope, type CommitDeps, type Outcome } from './commit.ts';
import { extractionRequest, resolveAnchors, type LoadedAnchor } from './window.ts';

export interface ClaimedAnchor {
  readonly messageId: string;
  readonly sessionId: string;
  readonly scopeId: string;
  readonly attemptCount: number;
  readonly extractedAt: string | null;
  readonly traceId: string;
}

export interface ClaimedBatch {
  readonly accountId: string;
  readonly shard: number;
  readonly epoch: number;
  readonly anchors: readonly ClaimedAnchor[];
}

export interface BatchReport {
  readonly ok: number;
  readonly retry: number;
  readonly failed: number;
  readonly fenced: number;
}

export interface BatchProcessor {
  /**
   * Works through the batch and settles each anchor. After an abort nothing new is begun; what was extracted
   * is still committed, the rest keeps its claim. `stopping` is the gentle form: no further model call begins,
   * those that are under way are waited for. Throws when Postgres is away.
   */
  process(batch: ClaimedBatch, signal: AbortSignal, stopping?: AbortSignal): Promise<BatchReport>;
}

export interface ExtractionPipelineDeps extends CommitDeps {
  readonly anchors: AnchorStore;
  readonly gateway: Pick<ModelGateway, 'extract' | 'extractBatch'>;
  readonly indexer: Pick<Indexer, 'indexStatements'>;
  /** Tells the projection actor that marks were left. Never awaited, never throws. */
  readonly ring: (mailbox: {
    readonly accountId: string;
    readonly kind: 'projection';
    readonly shard: number;
  }) => void;
  /** Whether an error says that the database is away: then nothing is anybody's failure. */
  readonly isDatabaseAway: (error: unknown) => boolean;
  /** Told of what was survived, by code and count; never of content. */
  readonly report: (event: string, fields: Readonly<Record<string, string | number>>) => void;
  /** Sessions, and chunks of documents, of a batch that are extracted side by side. */
  readonly concurrentSessions?: number;
  /** Without it each anchor is asked about alone. */
  readonly batching?: BatchingParameters;
}

const CONCURRENT_SESSIONS = 8;
const INDEX_TIMEOUT_MS = 2_000;
const COMMIT_GROUPS = { quietMs: 100, longestMs: 1_000, enough: 50 } as const;

interface Counts {
  ok: number;
  retry: number;
  failed: number;
  fenced: number;
}

/** Builds the processor of a process. */
export function createExtractionPipeline(deps: ExtractionPipelineDeps): BatchProcessor {
  return {
    async process(batch, signal, stopping) {
      const { accountId, epoch, shard } = batch;
      const messageIds = batch.anchors.map(({ messageId }) => messageId);
      const rows = await deps.anchors.load(accountId, epoch, messageIds);
      const anchors = resolveAnchors(rows, messageIds);
      const run = new BatchRun(
        deps,
        { accountId, epoch, shard, scopes: rows.scopes },
        signal,
        stopping,
      );
      run.counts.fenced += messageIds.length - anchors.length;
      await run.work(anchors);
      return run.counts;
    },
  };
}

class BatchRun {
  readonly counts: Counts = { ok: 0, retry: 0, failed: 0, fenced: 0 };
  readonly #deps: ExtractionPipelineDeps;
  readonly #batch: BatchScope;
  readonly #signal: AbortSignal;
  readonly #stopping: AbortSignal | undefined;

  constructor(
    deps: ExtractionPipelineDeps,
    batch: BatchScope,
    signal: AbortSignal,
    stopping: AbortSignal | undefined,
  ) {
    this.#deps = deps;
    this.#batch = batch;
    this.#signal = signal;
    this.#stopping = stopping;
  }

  /** What the ledger threw because the database was away. The batch ends with it, and every claim is kept. */
  #away: { readonly error: unknown } | null = null;

  get #ends(): boolean {
    return this.#signal.aborted || this.#stopping?.aborted === true || this.#away !== null;
  }

  async work(anchors: readonly LoadedAnchor[]): Promise<void> {
    const left = anchors.filter(({ extracted }) => extracted !== null);
    if (left.length > 0) {
      const knowledgeIds = left.flatMap(({ extracted }) => extracted?.knowledgeIds ?? []);
      const messageIds = left.map(({ messageId }) => messageId);
      await this.#finish(messageIds, [...new Set(knowledgeIds)]);
    }
    const queue = createCommitQueue<Outcome>((group) => this.#settle(group), COMMIT_GROUPS);
    const fresh = anchors.filter(({ extracted }) => extracted === null);
    const limit = this.#deps.concurrentSessions ?? CONCURRENT_SESSIONS;
    await forEachOf(sideBySide(fresh), limit, async (neighbours) => {
      for (const call of callsOf(neighbours, this.#deps.batching ?? NO_BATCHING)) {
        await this.#extractCall(call, queue);
      }
    });
    await queue.drain();
    if (this.#away !== null) throw this.#away.error;
  }

  async #extractCall(call: readonly LoadedAnchor[], queue: CommitQueue<Outcome>): Promise<void> {
    const [first, ...others] = call;
    if (first === undefined || this.#ends || queue.broken) return;
    if (others.length > 0) {
      const alone = await this.#extractTogether(call, queue);
      for (const anchor of alone) await this.#extractCall([anchor], queue);
      return;
    }
    const outcome = await this.#extract(first);
    if (outcome !== null) queue.push(outcome);
  }

  /** Answers whom to ask about again alone, because one of them may be what the call failed for. */
  async #extractTogether(
    anchors: readonly LoadedAnchor[],
    queue: CommitQueue<Outcome>,
  ): Promise<readonly LoadedAnchor[]> {
    const batchId = this.#deps.newId();
    const alone: LoadedAnchor[] = [];
    const fail = (anchor: LoadedAnchor, error: unknown): void => {
      if (error instanceof ModelFailure && isAskedAlone(error.errorClass)) alone.push(anchor);
      else queue.push(this.#failed(anchor, batchId, error));
    };
    try {
      const requests = anchors.map(extractionRequest);
      const call = this.#callContext(anchors, batchId);
      const { answers, identity } = await this.#deps.gateway.extractBatch(requests, call);
      for (const [index, anchor] of anchors.entries()) {
        const answer = answers[index];
        if (answer?.failure === null) {
          const { candidates } = answer;
          queue.push({ anchor, result: 'extracted', batchId, candidates, identity });
        } else fail(anchor, answer?.failure);
      }
    } catch (error) {
      if (this.#wasCutOff(error)) return [];
      for (const anchor of anchors) fail(anchor, error);
    }
    if (alone.length > 0) this.#deps.report('extraction.batch_split', { anchors: alone.length });
    return alone;
  }

  /** Null when the work was cancelled or the database is away: the anchor keeps its claim, nobody failed. */
  async #extract(anchor: LoadedAnchor): Promise<Outcome | null> {
    const { document, role } = anchor.message;
    if (!isEvidenceRole(role) || document?.replaced === true) {
      return { anchor, result: 'extracted', batchId: null, candidates: [], identity: null };
    }
    const batchId = this.#deps.newId();
    try {
      const { candidates, identity } = await this.#deps.gateway.extract(
        extractionRequest(anchor),
        this.#callContext([anchor], batchId),
      );
      return { anchor, result: 'extracted', batchId, candidates, identity };
    } catch (error) {
      return this.#wasCutOff(error) ? null : this.#failed(anchor, batchId, error);
    }
  }

  /** On whose behalf a call is made; the trace is that of its first anchor. */
  #callContext(anchors: readonly LoadedAnchor[], batchId: string): CallContext {
    const { accountId, epoch, shard } = this.#batch;
    const first = anchors[0]?.message;
    return {
      accountId,
      runId: null,
      anchorMessageIds: anchors.map(({ messageId }) => messageId),
      traceId: first?.trace_id ?? null,
      batchId,
      scopeId: first?.scope_id ?? null,
      claim: { mailboxShard: shard, epoch },
      signal: this.#signal,
    };
  }

  /** Whether a call ended because the work was cancelled or the database went away. */
  #wasCutOff(error: unknown): boolean {
    if (this.#signal.aborted) return true;
    if (!this.#deps.isDatabaseAway(error)) return false;
    this.#away ??= { error };
    return true;
  }

  #failed(anchor: LoadedAnchor, batchId: string, error: unknown): Outcome {
    const failure = error instanceof ModelFailure ? error : new ModelFailure('internal_error');
    const { errorClass, retryAfterMs } = failure;
    const common = { anchor, result: 'failed', errorClass, retryAfterMs } as const;
    // Kept back: there was no attempt, and its circuit has been reported.
    if (errorClass === 'circuit_open') return { ...common, batchId: null };
    this.#deps.report('extraction.failed', { class: errorClass });
    return { ...common, batchId };
  }

  /** Commits a group; one that cannot be written is taken apart until the anchor at fault stands alone. */
  async #settle(outcomes: readonly Outcome[]): Promise<void> {
    try {
      await this.#commit(outcomes);
    } catch (error) {
      if (!isRowFault(error)) throw error;
      this.#deps.report('extraction.commit_failed', { anchors: outcomes.length });
      const [only, ...others] = outcomes;
      if (only === undefined) return;
      if (others.length > 0) {
        const half = Math.ceil(outcomes.length / 2);
        await this.#settle(outcomes.slice(0, half));
        await this.#settle(outcomes.slice(half));
        return;
      }
      if (only.result === 'failed') throw error;
      const { anchor, batchId } = only;
      const fault = { errorClass: 'internal_error', retryAfterMs: null } as const;
      await this.#commit([{ anchor, batchId, result: 'failed', ...fault }]);
    }
  }

  async #commit(outcomes: readonly Outcome[]): Promise<void> {
    const done = await commitOutcomes(this.#deps, this.#batch, outcomes, this.#signal);
    this.counts.ok += done.completed.length;
    this.counts.retry += done.retry.length;
    this.counts.failed += done.failed.length;
    const settled = done.completed.length + done.retry.length + done.failed.length;
    this.counts.fenced += outcomes.length - settled - done.extracted.length;
    if (done.extracted.length > 0) await this.#finish(done.extracted, done.knowledgeIds);
  }

  /** Waits for the statements to be found by a search, for a moment, and completes their anchors. */
  async #finish(messageIds: readonly string[], knowledgeIds: readonly string[]): Promise<void> {
    const { accountId, epoch, shard } = this.#batch;
    if (knowledgeIds.length > 0) {
      this.#deps.ring({ accountId, kind: 'projection', shard });
      // Committed and claimed: whoever claims them next has only this left to do.
      if (this.#signal.aborted) return;
      await this.#deps.indexer.indexStatements({
        accountId,
        knowledgeIds,
        timeoutMs: INDEX_TIMEOUT_MS,
        signal: this.#signal,
      });
    }
    const completed = await this.#deps.anchors.complete(accountId, epoch, messageIds);
    this.counts.ok += completed;
    this.counts.fenced += messageIds.length - completed;
  }
}

/** Whether the database refused the rows themselves: SQLSTATE class 22 (data) or 23 (constraints). */
function isRowFault(error: unknown): boolean {
  for (let link = error; link instanceof Error; link = link.cause) {
    const code: unknown = Reflect.get(link, 'code');
    if (typeof code === 'string' && /^2[23]...$/.test(code)) return true;
  }
  return false;
}

/** Runs `work` for each item, at most `limit` at a time, begun in order. */
async function forEachOf<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
