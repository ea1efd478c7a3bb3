/**
 * One drain of one mailbox: open an epoch, work batch by batch, linger a little for more, close.
 *
 * No wake-up is lost, because a doorbell asks after its commit whether a drain looks: a drain that ends says
 * first that it no longer looks, and then looks once more. A drain that is replaced, cancelled or told to stop
 * writes nothing more: replaced and cancelled work is aborted at once, stopping lets the batch finish.
 */
import type { Mailbox } from '../domain/actors/names.ts';
import type { MailboxStore } from '../stores/postgres/mailboxes.store.ts';
import type { DrainInput, DrainReport } from './contracts.ts';
import type { MailboxWatcher } from './mailbox-watcher.ts';
import type { DrainEnd, DrainObserver } from './observer.ts';

/** What became of one batch. */
export interface StepReport {
  readonly ok: number;
  readonly retry: number;
  readonly failed: number;
  /** Units that a newer drain had taken over. */
  readonly fenced: number;
}

/** The work of a drain, batch by batch. */
export interface DrainWork {
  /** Works through at most `limit` units; null when there is nothing to do. */
  step(limit: number, signal: AbortSignal): Promise<StepReport | null>;
  /** Gives back what was taken and not finished. */
  release(): Promise<void>;
  /** Milliseconds until work is due, 0 when it is; null when nothing waits. */
  nextDueInMs(): Promise<number | null>;
}

export type DrainMailboxes = Pick<MailboxStore, 'openDrain' | 'refreshAwake' | 'closeDrain'>;

export interface DrainParts {
  readonly mailboxes: DrainMailboxes;
  readonly watcher: MailboxWatcher;
  /** Aborted when the process stops: drains end after their batch. */
  readonly stopping: AbortSignal;
  /** Aborted when Temporal cancels the activity. */
  readonly cancelled: AbortSignal;
  heartbeat(counts: Readonly<Record<string, number>>): void;
  work(epoch: number): DrainWork;
  onError(error: unknown): void;
  readonly observer?: DrainObserver | undefined;
  /** How long an empty mailbox is watched before the drain ends; two seconds unless given. */
  readonly lingerMs?: number;
  /** Most units of one step. */
  readonly batchSize: number;
}

const LINGER_MS = 2_000;
const HEARTBEAT_EVERY_MS = 1_000;
const AWAKE_EVERY_MS = 5_000;
/** A batch that takes longer is cut off, so that the activity ends before its own limit. */
const HARD_STOP_MS = 300_000;

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
  #end: End | null = null;
  /** Whether the mailbox says that this drain looks. */
  #looks = true;

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
      setInterval(() => void this.#refresh(), AWAKE_EVERY_MS),
      setTimeout(cut, HARD_STOP_MS),
    ];
    cancelled.addEventListener('abort', cut, { once: true });
    stopping.addEventListener('abort', stop, { once: true });
    try {
      if (paused) this.#stop('paused', false);
      if (stopping.aborted) stop();
      if (cancelled.aborted) cut();
      await this.#loop();
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

  /** Asks whether the drain is still the current one, and says that it looks. */
  async #refresh(): Promise<void> {
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
        // It had said that it no longer looks: it does again.
        if (!this.#looks) await this.#refresh();
        this.#looks = true;
        lingered = false;
      } else if (!this.#looks) {
        this.#end ??= 'worked_off';
      } else if (lingered || !(await this.#linger())) {
        await this.#close();
      } else {
        // Woken, but if the next look finds nothing to do it is not worth waiting again.
        lingered = true;
      }
    }
  }

  #leftMs(): number {
    return this.#input.maxMs - (performance.now() - this.#startedAt);
  }

  async #linger(): Promise<boolean> {
    const ms = Math.min(this.#parts.lingerMs ?? LINGER_MS, this.#leftMs());
    const signal = AbortSignal.any([this.#cutOff.signal, this.#parts.stopping]);
    return this.#parts.watcher.waitForWork(this.#mailbox, ms, signal);
  }

  /** One batch; false when there was nothing to do. */
  async #step(): Promise<boolean> {
    const { ok, retry, failed } = this.#counts;
    const limit = Math.min(this.#parts.batchSize, this.#input.maxUnits - ok - retry - failed);
    if (limit <= 0 || this.#leftMs() <= 0) {
      this.#stop('used_up', false);
      return true;
    }
    const done = await this.#attempt(limit);
    if (done === null) return false;
    this.#counts = {
      batches: this.#counts.batches + 1,
      ok: ok + done.ok,
      retry: retry + done.retry,
      failed: failed + done.failed,
    };
    if (done.fenced > 0) await this.#refresh();
    return true;
  }

  async #attempt(limit: number): Promise<StepReport | null> {
    const startedAt = performance.now();
    try {
      const done = await this.#work.step(limit, this.#cutOff.signal);
      const { observer } = this.#parts;
      if (done !== null) observer?.batch(this.#mailbox.kind, done, performance.now() - startedAt);
      return done;
    } catch (error) {
      // What a cut-off batch throws says nothing; anything else fails the activity.
      if (!this.#cutOff.signal.aborted) throw error;
      return null;
    }
  }

  async #close(): Promise<void> {
    await this.#parts.mailboxes.closeDrain(this.#mailbox, this.#epoch);
    this.#looks = false;
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
