/**
 * One drain of one mailbox: open an epoch, work batch by batch, linger a little for more, close.
 *
 * No wake-up is lost: after a commit the doorbell asks whether a drain looks at the mailbox, and a drain that
 * ends first writes that it no longer looks, and then looks once more. A drain that is replaced, cancelled or told
 * to stop begins no further batch. Replaced and cancelled work is aborted at once; work under way finishes when
 * the process stops.
 */
import type { DrainReport } from '../domain/actors/mailbox-actor.ts';
import type { Mailbox } from '../domain/actors/names.ts';
import type { UnitCounts } from '../domain/actors/unit-counts.ts';
import type { MailboxesStore } from '../stores/postgres/actors/mailboxes.store.ts';
import type { DrainInput } from './contracts.ts';
import type { MailboxWatcher } from './mailbox-watcher.ts';
import type { DrainEnd, DrainObserver } from './observer.ts';

/** The work of a drain, batch by batch. */
export interface DrainWork {
  /** Works through at most `limit` units, or begins with them; null when there is nothing to do. */
  step(limit: number, signal: AbortSignal): Promise<UnitCounts | null>;
  /** Work that goes on between steps; absent where each step ends what it began. */
  readonly ongoing?: OngoingWork;
  /** Gives back what was taken and not finished. */
  release(): Promise<void>;
  /** Milliseconds until work is due, 0 when it is; null when nothing waits. */
  nextDueInMs(): Promise<number | null>;
}

/** Units that a step left under way. */
export interface OngoingWork {
  /** How many there are. */
  readonly units: number;
  /** Begins nothing and waits; answers what ended, or null when `ms` have passed or nothing is under way. */
  settle(ms: number): Promise<UnitCounts | null>;
}

export type DrainMailboxes = Pick<MailboxesStore, 'openDrain' | 'refreshAwake' | 'closeDrain'>;

/** What the drains of a lane share. */
export interface DrainLane {
  readonly watcher: MailboxWatcher;
  /** Aborted when the process stops: drains end after their batch. */
  readonly stopping: AbortSignal;
  /** Told of failures that a drain survives. */
  onError(error: unknown): void;
  readonly observer?: DrainObserver | undefined;
  /** How long an empty mailbox is watched before the drain ends; two seconds unless given. */
  readonly lingerMs?: number;
}

export interface DrainParts extends DrainLane {
  readonly mailboxes: DrainMailboxes;
  /** Aborted when Temporal cancels the activity. */
  readonly cancelled: AbortSignal;
  heartbeat(counts: Readonly<Record<string, number>>): void;
  work(epoch: number): DrainWork;
  /** Most units of one step. */
  readonly batchSize: number;
  /** When work is cut off, in milliseconds from the start; five minutes unless given. */
  readonly hardStopMs?: number;
  /** How long a drain past its limits goes on beside slow work, in milliseconds from its start; 0 unless given. */
  readonly goesOnForMs?: number;
}

const LINGER_MS = 2_000;
const HEARTBEAT_EVERY_MS = 1_000;
const AWAKE_EVERY_MS = 5_000;
/** A batch that takes longer is cut off, so that the activity ends before its own limit. */
const HARD_STOP_MS = 300_000;
/** How long a drain at its limits waits for the work under way. Slower work does not hold up other work. */
const RUNS_LONG_MS = 10_000;

type End = Exclude<DrainEnd, 'failed'>;

/** Runs one drain until the mailbox is empty, the input's limits are reached, or it must stop. */
export async function runDrain(
  kind: Mailbox['kind'],
  input: DrainInput,
  parts: DrainParts,
): Promise<DrainReport> {
  const mailbox = { accountId: input.accountId, kind, shard: input.shard };
  const { epoch, paused } = await parts.mailboxes.openDrain(mailbox);
  const drain = new Drain(mailbox, epoch, input, parts);
  return drain.run(paused);
}

class Drain {
  readonly #mailbox: Mailbox;
  readonly #epoch: number;
  readonly #input: DrainInput;
  readonly #parts: DrainParts;
  readonly #work: DrainWork;
  readonly #startedAt = performance.now();
  /** Aborts the batch in flight. */
  readonly #cutOff = new AbortController();
  #counts = { batches: 0, ok: 0, retry: 0, failed: 0 };
  /** When the limits of the input began to count, and the units begun by then; set again beside slow work. */
  #stretch = { startedAt: this.#startedAt, units: 0 };
  #end: End | null = null;
  /** Whether the mailbox says that this drain looks. */
  #looks = true;
  /** The refresh under way. */
  #refreshing: Promise<void> | null = null;

  constructor(mailbox: Mailbox, epoch: number, input: DrainInput, parts: DrainParts) {
    this.#mailbox = mailbox;
    this.#epoch = epoch;
    this.#input = input;
    this.#parts = parts;
    this.#work = parts.work(epoch);
  }

  async run(paused: boolean): Promise<DrainReport> {
    const { cancelled, stopping } = this.#parts;
    const cut = (): void => this.#stop('stopped', true);
    const stop = (): void => this.#stop('stopped', false);
    const timers = [
      setInterval(() => this.#parts.heartbeat(this.#counts), HEARTBEAT_EVERY_MS),
      setInterval(() => void this.#keepAwake(), AWAKE_EVERY_MS),
      setTimeout(cut, this.#parts.hardStopMs ?? HARD_STOP_MS),
    ];
    cancelled.addEventListener('abort', cut, { once: true });
    stopping.addEventListener('abort', stop, { once: true });
    try {
      if (paused) this.#stop('paused', false);
      if (stopping.aborted) stop();
      if (cancelled.aborted) cut();
      await this.#loop();
      await this.#endOngoing();
      const report = await this.#report();
      this.#parts.observer?.ended(this.#mailbox.kind, this.#end ?? 'worked_off');
      return report;
    } catch (error) {
      this.#parts.observer?.ended(this.#mailbox.kind, 'failed');
      throw error;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      cancelled.removeEventListener('abort', cut);
      stopping.removeEventListener('abort', stop);
    }
  }

  #stop(end: End, cutOff: boolean): void {
    this.#end ??= end;
    if (cutOff) this.#cutOff.abort();
  }

  /** Refreshes now and then while the drain looks. */
  async #keepAwake(): Promise<void> {
    if (this.#looks && this.#refreshing === null) await this.#refresh();
  }

  /** Asks whether the drain is still the current one, and says that it looks. */
  async #refresh(): Promise<void> {
    await this.#refreshing;
    const refreshing = this.#askAndSay();
    this.#refreshing = refreshing;
    await refreshing;
    this.#refreshing = null;
  }

  async #askAndSay(): Promise<void> {
    try {
      const standing = await this.#parts.mailboxes.refreshAwake(this.#mailbox, this.#epoch);
      if (standing === 'superseded') this.#stop('superseded', true);
      if (standing === 'paused') this.#stop('paused', false);
    } catch (error) {
      this.#parts.onError(error);
    }
  }

  async #loop(): Promise<void> {
    let lingered = false;
    while (this.#end === null) {
      if (await this.#step()) {
        // The drain had written that it no longer looks; now it looks again.
        if (!this.#looks) await this.#refresh();
        this.#looks = true;
        lingered = false;
      } else if (!this.#looks) {
        this.#end ??= 'worked_off';
      } else if (lingered || !(await this.#linger())) {
        await this.#close();
      } else {
        // The watcher woke the drain; if the next look finds nothing to do, the drain does not wait again.
        lingered = true;
      }
    }
  }

  #leftMs(): number {
    return this.#input.maxMs - (performance.now() - this.#stretch.startedAt);
  }

  /** Units that the limits allow beside those that are done and under way. */
  #leftUnits(): number {
    const { ok, retry, failed } = this.#counts;
    const begun = ok + retry + failed + (this.#work.ongoing?.units ?? 0);
    return this.#input.maxUnits - (begun - this.#stretch.units);
  }

  async #linger(): Promise<boolean> {
    const ms = Math.min(this.#parts.lingerMs ?? LINGER_MS, this.#leftMs());
    const signal = AbortSignal.any([this.#cutOff.signal, this.#parts.stopping]);
    return this.#parts.watcher.waitForWork(this.#mailbox, ms, signal);
  }

  /** One batch; false when there was nothing to do. */
  async #step(): Promise<boolean> {
    const limit = Math.min(this.#parts.batchSize, this.#leftUnits());
    if (limit <= 0 || this.#leftMs() <= 0) {
      await this.#usedUp();
      return true;
    }
    const done = await this.#attempt(() => this.#work.step(limit, this.#cutOff.signal));
    if (done === null) return false;
    this.#count(done);
    if (done.fenced > 0) await this.#refresh();
    return true;
  }

  get #isBusy(): boolean {
    return (this.#work.ongoing?.units ?? 0) > 0;
  }

  #count(done: UnitCounts): void {
    const { ok, retry, failed } = done;
    this.#counts = {
      batches: this.#counts.batches + (isNothing(done) ? 0 : 1),
      ok: this.#counts.ok + ok,
      retry: this.#counts.retry + retry,
      failed: this.#counts.failed + failed,
    };
  }

  /** Ends the drain when nothing is under way any more; beside slow work, begins its limits anew for other units. */
  async #usedUp(): Promise<void> {
    const waitUntil = performance.now() + RUNS_LONG_MS;
    while (this.#isBusy && this.#end === null && performance.now() < waitUntil) {
      const ms = waitUntil - performance.now();
      const done = await this.#attempt(async () => this.#work.ongoing?.settle(ms) ?? null);
      if (done !== null) this.#count(done);
    }
    const lastedMs = performance.now() - this.#startedAt;
    if (this.#isBusy && lastedMs < (this.#parts.goesOnForMs ?? 0)) {
      const { ok, retry, failed } = this.#counts;
      const units = ok + retry + failed + (this.#work.ongoing?.units ?? 0);
      this.#stretch = { startedAt: performance.now(), units };
    } else this.#stop('used_up', false);
  }

  /** Waits for the work still under way, which ends by itself or was cut off. */
  async #endOngoing(): Promise<void> {
    while (this.#isBusy) {
      const done = await this.#attempt(
        async () => this.#work.ongoing?.settle(Number.POSITIVE_INFINITY) ?? null,
      );
      if (done !== null) this.#count(done);
    }
  }

  async #attempt(work: () => Promise<UnitCounts | null>): Promise<UnitCounts | null> {
    const startedAt = performance.now();
    try {
      const done = await work();
      const { observer } = this.#parts;
      if (done !== null && !isNothing(done))
        observer?.batch(this.#mailbox.kind, done, performance.now() - startedAt);
      return done;
    } catch (error) {
      // The error of a batch that was cut off is expected; any other error fails the activity.
      if (!this.#cutOff.signal.aborted) throw error;
      return null;
    }
  }

  /**
   * Writes that the drain no longer looks, after the refresh under way. A refresh written later would say for ten
   * seconds that the drain looks, and neither doorbell nor sweep would ring.
   */
  async #close(): Promise<void> {
    this.#looks = false;
    await this.#refreshing;
    await this.#parts.mailboxes.closeDrain(this.#mailbox, this.#epoch);
  }

  async #report(): Promise<DrainReport> {
    const report = { ...this.#counts, more: false, nextDueInMs: null };
    if (this.#end === 'superseded') return report;
    if (this.#end === 'stopped') await this.#work.release();
    if (this.#looks) await this.#close();
    if (this.#end === 'paused') return report;
    if (this.#end === 'stopped') return { ...report, more: true };
    const nextDueInMs = await this.#work.nextDueInMs();
    return { ...report, more: nextDueInMs === 0, nextDueInMs };
  }
}

function isNothing({ ok, retry, failed, fenced }: UnitCounts): boolean {
  return ok + retry + failed + fenced === 0;
}
