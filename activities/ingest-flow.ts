/**
 * The work of an ingest drain as a flow: the drain takes anchors whenever it has room beside those it holds, so that a
 * slow anchor does not keep the drain from taking others. Only one batch at a time works on a session.
 */
import type { Mailbox } from '../domain/actors/names.ts';
import type { UnitCounts } from '../domain/actors/unit-counts.ts';
import { roomBeside, type HoldRoom, type HeldAnchor } from '../domain/extraction/holds.ts';
import { within } from '../engine/async.ts';
import { unitsOfText, type Demand } from '../engine/demand.ts';
import type { BatchProcessor } from '../engine/extraction/pipeline.ts';
import type { HeldAnchorRow } from '../stores/postgres/holds.ts';
import type { MailboxesStore } from '../stores/postgres/mailboxes.store.ts';
import type { DrainWork, OngoingWork } from './drain.ts';
import type { MailboxWatcher } from './mailbox-watcher.ts';
import type { BatchTracing } from './observer.ts';

export interface IngestFlowOptions {
  readonly mailboxes: Pick<MailboxesStore, 'takeAnchors' | 'releaseHolds' | 'nextDueInMs'>;
  readonly processor: BatchProcessor;
  readonly watcher: MailboxWatcher;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
  /** Counts the texts that the drain takes. */
  readonly demand?: Pick<Demand, 'brings'> | undefined;
  readonly tracing?: BatchTracing | undefined;
}

/** Pause after a look that found nothing: the work that waits may belong to sessions that the drain holds. */
const LOOKS_AGAIN_MS = 250;
/** The longest that the flow waits for the watcher; then it looks without being woken. */
const WATCHES_FOR_MS = 2_000;
/** A step answers after this long even when no batch has ended, so that the drain can decide whether to go on. */
const LONGEST_STEP_MS = 5_000;

const NOTHING: UnitCounts = { ok: 0, retry: 0, failed: 0, fenced: 0 };

export class IngestFlow implements DrainWork, OngoingWork {
  readonly ongoing = this;
  readonly #options: IngestFlowOptions;
  readonly #mailbox: Mailbox;
  readonly #epoch: number;
  readonly #held = new Map<string, HeldAnchor>();
  readonly #running = new Set<Promise<void>>();
  #done: UnitCounts | null = null;
  #failure: { readonly error: unknown } | null = null;
  /** Aborts the batches under way when one of them fails the drain. */
  readonly #failing = new AbortController();
  /** Resolves whenever something was settled, or a batch came to its end. */
  #moved = Promise.withResolvers<void>();

  constructor(options: IngestFlowOptions, mailbox: Mailbox, epoch: number) {
    this.#options = options;
    this.#mailbox = mailbox;
    this.#epoch = epoch;
  }

  get units(): number {
    return this.#running.size === 0 ? 0 : Math.max(1, this.#held.size);
  }

  /**
   * Takes anchors up to `limit`; answers as soon as a batch has ended, or with nothing after a while. Null when nothing is
   * under way and nothing was found.
   */
  async step(limit: number, signal: AbortSignal): Promise<UnitCounts | null> {
    const until = performance.now() + LONGEST_STEP_MS;
    let left = limit;
    for (;;) {
      const taken = await this.#takeAll(left, signal);
      left -= taken ?? 0;
      await this.#throwFailure();
      const done = this.#takeDone();
      if (done !== null) return done;
      if (this.#running.size === 0) return null;
      const ms = until - performance.now();
      if (ms <= 0) return NOTHING;
      await this.#wait(ms, taken, signal);
    }
  }

  async settle(ms: number): Promise<UnitCounts | null> {
    const until = performance.now() + ms;
    while (this.#running.size > 0 && this.#done === null && performance.now() < until) {
      await within(until - performance.now(), this.#moved.promise, () => undefined);
    }
    await this.#throwFailure();
    return this.#takeDone();
  }

  async release(): Promise<void> {
    await this.#options.mailboxes.releaseHolds(this.#mailbox, this.#epoch);
  }

  nextDueInMs(): Promise<number | null> {
    return this.#options.mailboxes.nextDueInMs(this.#mailbox, this.#epoch);
  }

  /** Takes anchors as long as they fill the room; answers how many it took, null when there was no room. */
  async #takeAll(limit: number, signal: AbortSignal): Promise<number | null> {
    let taken: number | null = null;
    for (;;) {
      if (this.#failure !== null || signal.aborted || this.#options.stopping.aborted) return taken;
      const room = roomBeside(this.#held.values(), limit - (taken ?? 0));
      if (room === null) return taken;
      const found = await this.#take(room, signal);
      taken = (taken ?? 0) + found;
      if (found < room.anchors) return taken;
    }
  }

  /** Takes anchors and begins to work on them; answers how many. */
  async #take(room: HoldRoom, signal: AbortSignal): Promise<number> {
    const anchors = await this.#takeOrFail(room);
    if (anchors.length === 0) return 0;
    const { accountId, shard } = this.#mailbox;
    for (const anchor of anchors) {
      this.#held.set(anchor.messageId, anchor);
      this.#options.demand?.brings(accountId, unitsOfText(anchor.bytes));
    }
    const batch = { accountId, shard, epoch: this.#epoch, anchors };
    const work = (): Promise<UnitCounts> =>
      this.#options.processor.process(
        batch,
        AbortSignal.any([signal, this.#failing.signal]),
        this.#options.stopping,
        (messageIds) => this.#settled(messageIds),
      );
    const { tracing } = this.#options;
    const traceIds = anchors.map(({ traceId }) => traceId);
    const run = this.#follow(
      tracing === undefined ? work : () => tracing.batch('ingest', traceIds, work),
    );
    const ended = run.finally(() => {
      this.#running.delete(ended);
      this.#settled(anchors.map(({ messageId }) => messageId));
    });
    this.#running.add(ended);
    return anchors.length;
  }

  /** When the drain cannot take anchors, the batches under way end as well. */
  async #takeOrFail(room: HoldRoom): Promise<readonly HeldAnchorRow[]> {
    try {
      return await this.#options.mailboxes.takeAnchors(this.#mailbox, this.#epoch, room);
    } catch (error) {
      this.#fail(error);
      return [];
    }
  }

  async #follow(work: () => Promise<UnitCounts>): Promise<void> {
    try {
      const report = await work();
      this.#done = sum(this.#done, report);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#failing.abort();
  }

  #settled(messageIds: readonly string[]): void {
    for (const messageId of messageIds) this.#held.delete(messageId);
    this.#moved.resolve();
    this.#moved = Promise.withResolvers<void>();
  }

  /**
   * Throws the error of a failed batch once no batch is under way. Before that it gives back the anchors that the drain
   * still holds, if the database is there.
   */
  async #throwFailure(): Promise<void> {
    if (this.#failure === null) return;
    await Promise.all(this.#running);
    await this.release().catch(() => undefined);
    throw this.#failure.error;
  }

  /** The counts of the batches that ended since the last call; null when none did. */
  #takeDone(): UnitCounts | null {
    const done = this.#done;
    this.#done = null;
    return done;
  }

  /** Waits until something moves; after a look for anchors (`taken` is not null) also until more are due. */
  async #wait(ms: number, taken: number | null, signal: AbortSignal): Promise<void> {
    const moved = this.#moved.promise;
    if (taken === null) return within(ms, moved, () => undefined);
    const ended = new AbortController();
    void moved.then(() => ended.abort());
    const stop = AbortSignal.any([ended.signal, signal, this.#options.stopping]);
    const watchMs = Math.min(ms, WATCHES_FOR_MS);
    const found = await this.#options.watcher.waitForWork(this.#mailbox, watchMs, stop);
    if (found && taken === 0) await within(LOOKS_AGAIN_MS, moved, () => undefined);
  }
}

function sum(done: UnitCounts | null, report: UnitCounts): UnitCounts {
  if (done === null) return report;
  return {
    ok: done.ok + report.ok,
    retry: done.retry + report.retry,
    failed: done.failed + report.failed,
    fenced: done.fenced + report.fenced,
  };
}
