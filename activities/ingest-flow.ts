/**
 * The work of an ingest drain as a flow: the drain takes anchors whenever it has room beside those it holds, so that a
 * slow anchor does not keep the drain from taking others. Only one batch at a time works on a session.
 */
import type { Mailbox } from '../domain/actors/names.ts';
import type { UnitCounts } from '../domain/actors/unit-counts.ts';
import { roomBeside, type HoldRoom, type HeldAnchor } from '../domain/extraction/holds.ts';
import { pause, within } from '../engine/async.ts';
import { unitsOfText, type Demand } from '../engine/demand.ts';
import type { BatchProcessor } from '../engine/extraction/pipeline.ts';
import type { HeldAnchorRow } from '../stores/postgres/actors/holds.ts';
import type { MailboxesStore } from '../stores/postgres/actors/mailboxes.store.ts';
import type { DrainWork, OngoingWork } from './drain.ts';
import type { MailboxWatcher } from './mailbox-watcher.ts';
import type { BatchTracing } from './observer.ts';
import { restAfterLook } from './rest.ts';

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

/**
 * The longest pause after a look that found nothing though work waits: it belongs to sessions that the drain holds, and the
 * end of one ends the pause.
 */
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
  /** Resolves whenever a session is held no longer. */
  #freed = Promise.withResolvers<void>();
  /** Whether a look may find something: at first, when the watcher says so, and where room was all that lacked. */
  #mayFind = true;
  /** After a look that found nothing: resolves once the drain holds a session less than at that look. */
  #nothingUntil: Promise<void> | null = null;
  /** Until when the drain rests from its last look. */
  #restsUntil = 0;

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
    this.#mayFind ||= this.#running.size === 0;
    for (;;) {
      const taken = await this.#look(left, signal);
      left -= taken ?? 0;
      await this.#throwFailure();
      const done = this.#takeDone();
      if (done !== null) return done;
      if (this.#running.size === 0) return null;
      const ms = until - performance.now();
      if (ms <= 0) return NOTHING;
      await this.#wait(ms, signal);
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

  /**
   * Takes anchors if there may be some, once the drain has rested; answers how many, null when there was no room or no
   * reason to look.
   */
  async #look(limit: number, signal: AbortSignal): Promise<number | null> {
    if (!this.#mayFind) return null;
    const rest = this.#restsUntil - performance.now();
    if (rest > 0) await pause(rest, AbortSignal.any([signal, this.#options.stopping]));
    const freed = this.#freed.promise;
    const beganAt = performance.now();
    const taken = await this.#takeAll(limit, signal);
    const endedAt = performance.now();
    this.#nothingUntil = taken === 0 ? freed : null;
    this.#restsUntil = endedAt + restAfterLook(endedAt - beganAt);
    return taken;
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
      this.#mayFind = found === room.anchors;
      if (!this.#mayFind) return taken;
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
    const busy = this.#heldSessions();
    for (const messageId of messageIds) this.#held.delete(messageId);
    this.#moved.resolve();
    this.#moved = Promise.withResolvers<void>();
    if (this.#heldSessions() === busy) return;
    this.#freed.resolve();
    this.#freed = Promise.withResolvers<void>();
  }

  #heldSessions(): number {
    return new Set(Array.from(this.#held.values(), ({ sessionId }) => sessionId)).size;
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

  /** Waits until something moves; where a look found all that was due, also until there is more to be found. */
  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    const { stopping, watcher } = this.#options;
    const moved = this.#moved.promise;
    if (this.#mayFind || signal.aborted || stopping.aborted) return within(ms, moved, () => {});
    const ended = new AbortController();
    void moved.then(() => ended.abort());
    const stop = AbortSignal.any([ended.signal, signal, stopping]);
    const found = await watcher.waitForWork(this.#mailbox, Math.min(ms, WATCHES_FOR_MS), stop);
    if (found && this.#nothingUntil !== null) {
      await within(LOOKS_AGAIN_MS, this.#nothingUntil, () => {});
    }
    // After a time without word of anything the drain looks for itself.
    this.#mayFind = found || !stop.aborted;
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
