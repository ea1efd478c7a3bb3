/**
 * The first of three nets between a commit and its work (the others are the sweep and the reconcile schedule).
 *
 * `ring` only notes the mailbox and returns. Several rings of one mailbox become one. After the commit one query asks
 * for all noted mailboxes whether a drain works on them already. A ring that fails is counted; the sweep finds the
 * mailbox within seconds.
 *
 * A ring that Temporal took and no drain answered yet is not repeated: the drain that answers it opens after this
 * commit and sees its work. So signals do not pile up while no worker is there, or an operator holds the mailbox back.
 */
import { mailboxWorkflowId, type Mailbox } from '../../domain/actors/names.ts';
import { pause, within } from '../../engine/async.ts';
import { errorFields, type Log } from '../../engine/logging/logger.ts';
import type { MailboxLook } from '../../stores/postgres/actors/mailboxes.store.ts';
import type { Actors } from './actors.ts';

export interface DoorbellCounts {
  readonly rung: number;
  /** Not rung because a drain works on the mailbox; `unanswered`: because no drain answered the last ring yet. */
  readonly awake: number;
  readonly unanswered: number;
  readonly failed: number;
}

export interface DoorbellOptions {
  readonly actors: Pick<Actors, 'ring'>;
  /** Whether each of the mailboxes has a drain, and its epoch. */
  looks(mailboxes: readonly Mailbox[]): Promise<readonly MailboxLook[]>;
  readonly log: Log;
  readonly flushMs?: number;
  readonly maxInFlight?: number;
  readonly deadlineMs?: number;
}

const DEFAULTS = { flushMs: 25, maxInFlight: 16, deadlineMs: 2_000 } as const;
/** A ring that nothing answered is repeated after this: Temporal may have lost it with its data. */
const REPEAT_AFTER_MS = 30_000;
/** The longest that a caller of `ringNow` waits. */
const RING_NOW_WITHIN_MS = 1_000;
/** At most one line about failures in this time. */
const REPORT_EVERY_MS = 10_000;

interface Call {
  readonly id: string;
  readonly mailbox: Mailbox;
  /** The epoch of the drain that opened last before the call; null when the database did not answer. */
  readonly epoch: number | null;
}

/** One doorbell per process. */
export class Doorbell {
  readonly #options: DoorbellOptions & typeof DEFAULTS;
  readonly #noted = new Map<string, Mailbox>();
  readonly #inFlight = new Set<Promise<void>>();
  /** The rings that Temporal took: at which epoch, and when. */
  readonly #heard = new Map<string, { readonly epoch: number; readonly at: number }>();
  #queue: Call[] = [];
  #flushing: Promise<void> | null = null;
  #closed = false;
  #counts = { rung: 0, awake: 0, unanswered: 0, failed: 0 };
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(options: DoorbellOptions) {
    this.#options = { ...DEFAULTS, ...options } as DoorbellOptions & typeof DEFAULTS;
  }

  /** Returns at once and never throws. Call it after the commit. */
  ring(mailbox: Mailbox): void {
    if (this.#closed) return;
    this.#noted.set(mailboxWorkflowId(mailbox), mailbox);
    this.#flushing ??= this.#flushSoon();
  }

  /** Rings and waits for Temporal's answer, a second at most. False when none came. */
  async ringNow(mailbox: Mailbox): Promise<boolean> {
    try {
      await this.#options.actors.ring(mailbox, RING_NOW_WITHIN_MS);
      return true;
    } catch (error) {
      this.#options.log.warn('doorbell.unheard', errorFields(error));
      return false;
    }
  }

  /** Since the start of the process. */
  counts(): DoorbellCounts {
    return this.#counts;
  }

  /** Rings the noted mailboxes and waits for that, two seconds at most; later rings are dropped. */
  async close(): Promise<void> {
    this.#closed = true;
    const done = async (): Promise<void> => {
      while (this.#flushing !== null || this.#inFlight.size > 0) {
        await this.#flushing;
        await Promise.all(this.#inFlight);
      }
    };
    await within(this.#options.deadlineMs, done(), () => undefined);
  }

  async #flushSoon(): Promise<void> {
    await pause(this.#options.flushMs);
    const mailboxes = [...this.#noted.values()];
    this.#noted.clear();
    const calls = await this.#worthRinging(mailboxes);
    const waiting = new Set(this.#queue.map(({ id }) => id));
    this.#queue.push(...calls.filter(({ id }) => !waiting.has(id)));
    this.#pump();
    this.#flushing = this.#noted.size > 0 ? this.#flushSoon() : null;
  }

  /** When the query fails all mailboxes are rung: a ring too many is harmless. */
  async #worthRinging(mailboxes: readonly Mailbox[]): Promise<readonly Call[]> {
    const looks = new Map<string, MailboxLook>();
    try {
      for (const look of await this.#options.looks(mailboxes)) {
        looks.set(mailboxWorkflowId(look.mailbox), look);
      }
    } catch (error) {
      this.#failed(error);
    }
    this.#forgetOld();
    return mailboxes.flatMap((mailbox) => {
      const id = mailboxWorkflowId(mailbox);
      const look = looks.get(id);
      const skipped = look === undefined ? null : this.#reasonToSkip(id, look);
      if (skipped === null) return [{ id, mailbox, epoch: look?.epoch ?? null }];
      this.#counts = { ...this.#counts, [skipped]: this.#counts[skipped] + 1 };
      return [];
    });
  }

  #reasonToSkip(id: string, { awake, epoch }: MailboxLook): 'awake' | 'unanswered' | null {
    if (awake) return 'awake';
    return this.#heard.get(id)?.epoch === epoch ? 'unanswered' : null;
  }

  #forgetOld(): void {
    const oldest = performance.now() - REPEAT_AFTER_MS;
    for (const [id, { at }] of this.#heard) if (at < oldest) this.#heard.delete(id);
  }

  #pump(): void {
    while (this.#inFlight.size < this.#options.maxInFlight) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      const call = this.#ringOne(next).finally(() => {
        this.#inFlight.delete(call);
        this.#pump();
      });
      this.#inFlight.add(call);
    }
  }

  async #ringOne({ id, mailbox, epoch }: Call): Promise<void> {
    try {
      await this.#options.actors.ring(mailbox, this.#options.deadlineMs);
      if (epoch !== null) this.#heard.set(id, { epoch, at: performance.now() });
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
