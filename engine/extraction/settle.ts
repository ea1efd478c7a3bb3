/**
 * Settles the anchors of a batch: commits their statements, has them indexed and completes the anchors, or fails them.
 * A group that fails is halved until the anchor at fault stands alone and gets its status. The outcomes are kept
 * meanwhile, so no model is asked again about the other anchors.
 */
import type { UnitCounts } from '../../domain/actors/unit-counts.ts';
import type { AnchorsStore } from '../../stores/postgres/anchors.store.ts';
import { unitsOfStatements, type Demand } from '../demand.ts';
import type { Indexer } from '../indexes/indexer.ts';
import { bisect } from './bisect.ts';
import {
  candidatesIn,
  commitOutcomes,
  slicesOf,
  type BatchScope,
  type CommitDeps,
  type ExtractionOutcome,
} from './commit.ts';
import type { LoadedAnchor } from './window.ts';

export interface SettleDeps extends CommitDeps {
  readonly anchors: Pick<AnchorsStore, 'complete' | 'fail'>;
  readonly indexer: Pick<Indexer, 'indexStatements'>;
  /** Tells the projection actor that marks were left. Never awaited, never throws. */
  readonly ring: (mailbox: {
    readonly accountId: string;
    readonly kind: 'projection';
    readonly shard: number;
  }) => void;
  /** Whether an error says that the database is gone; no anchor is failed for such an error. */
  readonly isDatabaseGone: (error: unknown) => boolean;
  /** Counts the statements that are committed. */
  readonly demand?: Pick<Demand, 'brings'> | undefined;
  /** Told of failures that the batch survives, by code and count; never of content. */
  readonly report: (event: string, fields: Readonly<Record<string, string | number>>) => void;
}

const INDEX_TIMEOUT_MS = 2_000;
/** After this many lost holds, the indexing of an anchor's statements is left to the projection. */
const LOST_WHILE_INDEXING = 2;

interface Extracted {
  readonly messageId: string;
  readonly knowledgeIds: readonly string[];
}

/** Settles the anchors of one batch and counts how. `settled` is told of anchors that the drain no longer holds. */
export class BatchSettlement {
  readonly #deps: SettleDeps;
  readonly #batch: BatchScope;
  readonly #signal: AbortSignal;
  readonly #settled: (messageIds: readonly string[]) => void;
  #counts = { ok: 0, retry: 0, failed: 0, fenced: 0 };

  constructor(
    deps: SettleDeps,
    batch: BatchScope,
    signal: AbortSignal,
    settled: (messageIds: readonly string[]) => void,
  ) {
    this.#deps = deps;
    this.#batch = batch;
    this.#signal = signal;
    this.#settled = settled;
  }

  get report(): UnitCounts {
    return this.#counts;
  }

  /** Counts anchors that the drain no longer held. */
  lost(messageIds: readonly string[]): void {
    this.#counts.fenced += messageIds.length;
    this.#settled(messageIds);
  }

  /** Settles an anchor that a defect of this service stopped, without reading anything that a commit reads. */
  async failAlone(messageId: string): Promise<void> {
    const { accountId, epoch } = this.#batch;
    this.#deps.report('extraction.failed', { class: 'internal_error' });
    const [status] = await this.#deps.anchors.fail(accountId, epoch, [messageId]);
    if (status === undefined) {
      // Its statements are committed: the projection may do what is left.
      await this.#complete([messageId]);
      return;
    }
    if (status === 'failed') this.#counts.retry += 1;
    else this.#counts.failed += 1;
    this.#settled([messageId]);
  }

  /** Commits outcomes in their order, a transaction's worth at a time. */
  async commit(outcomes: readonly ExtractionOutcome[]): Promise<void> {
    const statements = outcomes.reduce((sum, outcome) => sum + candidatesIn(outcome), 0);
    // Counted once, however often a group that fails is halved and tried again.
    this.#deps.demand?.brings(this.#batch.accountId, unitsOfStatements(statements));
    for (const slice of slicesOf(outcomes)) await this.#commitSlice(slice);
  }

  #commitSlice(outcomes: readonly ExtractionOutcome[]): Promise<void> {
    return bisect(outcomes, {
      work: (group) => this.#commit(group),
      alone: ({ anchor }) => this.failAlone(anchor.messageId),
      endsAll: (error) => this.#endsAll(error),
      failed: (group) => this.#deps.report('extraction.commit_failed', { anchors: group.length }),
    });
  }

  /** Completes anchors whose statements an earlier drain committed. */
  async finish(anchors: readonly LoadedAnchor[]): Promise<void> {
    const left = anchors.flatMap(({ messageId, extracted, lostHolds }) =>
      extracted === null ? [] : [{ messageId, lostHolds, knowledgeIds: extracted.knowledgeIds }],
    );
    const suspects = left.filter(({ lostHolds }) => lostHolds >= LOST_WHILE_INDEXING);
    if (suspects.length > 0) await this.#complete(suspects.map(({ messageId }) => messageId));
    await this.#index(left.filter((anchor) => !suspects.includes(anchor)));
  }

  #endsAll(error: unknown): boolean {
    return this.#signal.aborted || this.#deps.isDatabaseGone(error);
  }

  async #commit(outcomes: readonly ExtractionOutcome[]): Promise<void> {
    const done = await commitOutcomes(this.#deps, this.#batch, outcomes, this.#signal);
    const { completed, retry, failed, extracted } = done;
    this.#counts.ok += completed.length;
    this.#counts.retry += retry.length;
    this.#counts.failed += failed.length;
    const waiting = new Set(extracted);
    const ids = outcomes.map(({ anchor }) => anchor.messageId);
    const ended = ids.filter((id) => !waiting.has(id));
    this.#counts.fenced += ended.length - completed.length - retry.length - failed.length;
    this.#settled(ended);
    if (extracted.length === 0) return;
    // If an error from here on has the group committed again, the fence skips it: its anchors are extracted.
    await this.#index(
      extracted.map((messageId) => ({ messageId, knowledgeIds: done.knowledgeIds })),
    );
  }

  /** Waits at most `INDEX_TIMEOUT_MS` until a search finds the statements, and completes their anchors. */
  async #index(extracted: readonly Extracted[]): Promise<void> {
    await bisect(extracted, {
      work: (group) => this.#indexGroup(group),
      alone: ({ messageId }) => this.#complete([messageId]),
      endsAll: (error) => this.#endsAll(error),
      failed: (group) => this.#deps.report('extraction.index_failed', { anchors: group.length }),
    });
  }

  async #indexGroup(extracted: readonly Extracted[]): Promise<void> {
    const { accountId, shard } = this.#batch;
    const knowledgeIds = [...new Set(extracted.flatMap((anchor) => anchor.knowledgeIds))];
    if (knowledgeIds.length > 0) {
      this.#deps.ring({ accountId, kind: 'projection', shard });
      // The anchors stay committed and held: the drain that takes them next has only the indexing left to do.
      if (this.#signal.aborted) return;
      await this.#deps.indexer.indexStatements({
        accountId,
        knowledgeIds,
        timeoutMs: INDEX_TIMEOUT_MS,
        signal: this.#signal,
      });
    }
    await this.#complete(extracted.map(({ messageId }) => messageId));
  }

  async #complete(messageIds: readonly string[]): Promise<void> {
    const { accountId, epoch } = this.#batch;
    const completed = await this.#deps.anchors.complete(accountId, epoch, messageIds);
    this.#counts.ok += completed;
    this.#counts.fenced += messageIds.length - completed;
    this.#settled(messageIds);
  }
}
