/**
 * The work of a projection drain. A step ends when Qdrant has its batch; the records of small batches are under way
 * beside further steps, so that what comes meanwhile does not wait for Meilisearch.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { UnitCounts } from '../domain/actors/unit-counts.ts';
import { within } from '../engine/async.ts';
import type { Indexer } from '../engine/indexes/indexer.ts';
import type { MarkCounts, TrailingMarks } from '../engine/indexes/refresh.ts';
import type { MailboxesStore } from '../stores/postgres/actors/mailboxes.store.ts';
import type { DrainInput } from './contracts.ts';
import type { DrainWork, OngoingWork } from './drain.ts';
import type { BatchTracing } from './observer.ts';

export interface ProjectionFlowOptions {
  readonly mailboxes: Pick<MailboxesStore, 'nextDueInMs'>;
  readonly indexer: Pick<Indexer, 'beginRefresh'>;
  /** Runs a refresh when it is the account's turn. */
  readonly inTurn: <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;
  readonly tracing: BatchTracing | undefined;
}

/** After a small refresh the drain rests as long as it took, so that marks that come meanwhile share the next one. */
const LONGEST_REST_MS = 1_000;
/** Batches whose records are under way; with more of them the drain waits for the first, and its batches grow. */
const MOST_TRAILING = 8;

const NOTHING: UnitCounts = { ok: 0, retry: 0, failed: 0, fenced: 0 };

function unitsOf({ deleted, failed, written }: MarkCounts): UnitCounts {
  return { ok: written + deleted, retry: failed, failed: 0, fenced: 0 };
}

function sum(one: UnitCounts, other: UnitCounts): UnitCounts {
  return {
    ok: one.ok + other.ok,
    retry: one.retry + other.retry,
    failed: one.failed + other.failed,
    fenced: one.fenced + other.fenced,
  };
}

const amountOf = ({ ok, retry }: UnitCounts): number => ok + retry;

export class ProjectionFlow implements DrainWork, OngoingWork {
  readonly ongoing = this;
  readonly #options: ProjectionFlowOptions;
  readonly #input: DrainInput;
  readonly #epoch: number;
  readonly #trailing = new Map<Promise<void>, number>();
  #settled = NOTHING;
  #failure: { readonly error: unknown } | null = null;
  #restMs = 0;

  constructor(options: ProjectionFlowOptions, input: DrainInput, epoch: number) {
    this.#options = options;
    this.#input = input;
    this.#epoch = epoch;
  }

  get units(): number {
    return [...this.#trailing.values()].reduce((total, marks) => total + marks, 0);
  }

  async step(limit: number, signal: AbortSignal): Promise<UnitCounts | null> {
    if (this.#restMs > 0) {
      await sleep(this.#restMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
    while (this.#trailing.size >= MOST_TRAILING) await Promise.race(this.#trailing.keys());
    const startedAt = performance.now();
    const { tracing } = this.#options;
    const begun = await (tracing === undefined
      ? this.#refresh(limit, signal)
      : // Marks do not say which request left them.
        tracing.batch('projection', [], () => this.#refresh(limit, signal)));
    const tookMs = performance.now() - startedAt;
    const took = amountOf(begun);
    this.#restMs = took === 0 || begun.full ? 0 : Math.min(LONGEST_REST_MS, tookMs);
    const done = sum(begun, this.#takeSettled());
    return amountOf(done) === 0 ? null : done;
  }

  async settle(ms: number): Promise<UnitCounts | null> {
    const until = performance.now() + ms;
    while (this.#trailing.size > 0 && amountOf(this.#settled) === 0) {
      const left = until - performance.now();
      if (left <= 0 || this.#failure !== null) break;
      await within(left, Promise.race(this.#trailing.keys()), () => undefined);
    }
    const settled = this.#takeSettled();
    return amountOf(settled) === 0 ? null : settled;
  }

  // Nothing to give back: an aborted refresh has given its marks back, and a finished one holds none.
  release(): Promise<void> {
    return Promise.resolve();
  }

  nextDueInMs(): Promise<number | null> {
    const { accountId, shard } = this.#input;
    return this.#options.mailboxes.nextDueInMs(
      { accountId, kind: 'projection', shard },
      this.#epoch,
    );
  }

  async #refresh(limit: number, signal: AbortSignal): Promise<UnitCounts & { full: boolean }> {
    const { indexer, inTurn } = this.#options;
    const { accountId, shard } = this.#input;
    const begun = await inTurn(signal, () =>
      indexer.beginRefresh({ accountId, shard, limit, signal }),
    );
    if (begun.trailing !== null) this.#follow(begun.trailing);
    return { ...unitsOf(begun), full: begun.full };
  }

  #follow({ ended, marks }: TrailingMarks): void {
    const followed = this.#await(ended).then(() => void this.#trailing.delete(followed));
    this.#trailing.set(followed, marks);
  }

  async #await(ended: Promise<MarkCounts>): Promise<void> {
    try {
      this.#settled = sum(this.#settled, unitsOf(await ended));
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  /** What has ended since the last look. Throws what one of the batches failed with. */
  #takeSettled(): UnitCounts {
    if (this.#failure !== null) throw this.#failure.error;
    const settled = this.#settled;
    this.#settled = NOTHING;
    return settled;
  }
}
