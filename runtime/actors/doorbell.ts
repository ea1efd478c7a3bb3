/**
 * The first of three nets between a commit and its work (the others are the sweep and the reconcile schedule).
 *
 * A ring is noted and forgotten by the caller: many rings of one mailbox are one, and whether a drain looks
 * already is asked after the commit, in one question for all of them. A ring that fails is counted; the sweep
 * finds the mailbox within seconds.
 */
import { mailboxWorkflowId, type Mailbox } from '../../domain/actors/names.ts';
import { errorFields, type Log } from '../logger.ts';
import type { Actors } from './actors.ts';

export interface Doorbell {
  /** Returns at once and never throws. Call it after the commit. */
  ring(mailbox: Mailbox): void;
  /** Rings what is noted and waits for it, two seconds at most; later rings are dropped. */
  close(): Promise<void>;
}

export interface DoorbellCounts {
  readonly rung: number;
  readonly awake: number;
  readonly failed: number;
}

export interface CountingDoorbell extends Doorbell {
  /** Since the start of the process. */
  counts(): DoorbellCounts;
}

export interface DoorbellOptions {
  readonly actors: Pick<Actors, 'ring'>;
  /** Of the given mailboxes, the ones a drain looks at. */
  awake(mailboxes: readonly Mailbox[]): Promise<readonly Mailbox[]>;
  readonly log: Log;
  readonly flushMs?: number;
  readonly maxInFlight?: number;
  readonly deadlineMs?: number;
}

const DEFAULTS = { flushMs: 25, maxInFlight: 16, deadlineMs: 2_000 } as const;
/** At most one line about failures in this time. */
const REPORT_EVERY_MS = 10_000;

/** One doorbell per process. */
export function createDoorbell(options: DoorbellOptions): CountingDoorbell {
  return new CoalescingDoorbell(options);
}

class CoalescingDoorbell implements CountingDoorbell {
  readonly #options: DoorbellOptions & typeof DEFAULTS;
  readonly #noted = new Map<string, Mailbox>();
  readonly #inFlight = new Set<Promise<void>>();
  #queue: Mailbox[] = [];
  #flushing: Promise<void> | null = null;
  #closed = false;
  #counts = { rung: 0, awake: 0, failed: 0 };
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(options: DoorbellOptions) {
    this.#options = { ...DEFAULTS, ...options } as DoorbellOptions & typeof DEFAULTS;
  }

  ring(mailbox: Mailbox): void {
    if (this.#closed) return;
    this.#noted.set(mailboxWorkflowId(mailbox), mailbox);
    this.#flushing ??= this.#flushSoon();
  }

  counts(): DoorbellCounts {
    return this.#counts;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const done = async (): Promise<void> => {
      while (this.#flushing !== null || this.#inFlight.size > 0) {
        await this.#flushing;
        await Promise.all(this.#inFlight);
      }
    };
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#options.deadlineMs);
    });
    await Promise.race([done(), enough]);
    clearTimeout(timer);
  }

  async #flushSoon(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.#options.flushMs));
    const mailboxes = [...this.#noted.values()];
    this.#noted.clear();
    const asleep = await this.#asleep(mailboxes);
    const waiting = new Set(this.#queue.map(mailboxWorkflowId));
    this.#queue.push(...asleep.filter((mailbox) => !waiting.has(mailboxWorkflowId(mailbox))));
    this.#pump();
    this.#flushing = this.#noted.size > 0 ? this.#flushSoon() : null;
  }

  /** When the question fails everything is rung: a ring too many is harmless. */
  async #asleep(mailboxes: readonly Mailbox[]): Promise<readonly Mailbox[]> {
    try {
      const awake = new Set((await this.#options.awake(mailboxes)).map(mailboxWorkflowId));
      this.#counts = { ...this.#counts, awake: this.#counts.awake + awake.size };
      return mailboxes.filter((mailbox) => !awake.has(mailboxWorkflowId(mailbox)));
    } catch (error) {
      this.#failed(error);
      return mailboxes;
    }
  }

  #pump(): void {
    while (this.#inFlight.size < this.#options.maxInFlight) {
      const mailbox = this.#queue.shift();
      if (mailbox === undefined) return;
      const call = this.#ringOne(mailbox).finally(() => {
        this.#inFlight.delete(call);
        this.#pump();
      });
      this.#inFlight.add(call);
    }
  }

  async #ringOne(mailbox: Mailbox): Promise<void> {
    try {
      await this.#options.actors.ring(mailbox, this.#options.deadlineMs);
      this.#counts = { ...this.#counts, rung: this.#counts.rung + 1 };
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#counts = { ...this.#counts, failed: this.#counts.failed + 1 };
    if (performance.now() - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reportedAt = performance.now();
    this.#options.log.warn('doorbell.failed', {
      failed: this.#counts.failed,
      ...errorFields(error),
    });
  }
}
