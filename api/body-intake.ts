/**
 * How fast the bytes of one caller's bodies are taken in. A sender nearby brings a gigabyte a second, and reading that
 * takes a whole core from all other callers. Bytes that come faster are left in the kernel, which holds up their sender
 * alone.
 */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { pace, type Pace } from '../domain/limits/pace.ts';

/** For one account, or for one network where there is no credential. */
export const MOST_BODY_BYTES_PER_SECOND = 16 * 1_048_576;
/**
 * The same while another sender is there: a mebibyte of text costs the process and Postgres some fifty milliseconds,
 * and sixteen a second would leave no time for the other sender.
 */
const MOST_BODY_BYTES_PER_SECOND_BESIDE_OTHERS = 4 * 1_048_576;
/** How long after its last piece a sender counts as sending, in milliseconds. */
const SENDS_FOR_MS = 2_000;
/** Bytes that are read without a pause after a rest: the largest usual body. */
export const FREE_BODY_BYTES = 4 * 1_048_576;
/** For all bodies together that are read and dropped because their request is answered already. */
export const MOST_DROPPED_BYTES_PER_SECOND = 16 * 1_048_576;
/** Callers that are remembered; the one that sent longest ago is forgotten first. */
const MOST_CALLERS = 10_000;

interface Paces {
  readonly alone: Pace;
  readonly besideOthers: Pace;
}

const BODIES: Paces = {
  alone: { unitsPerSecond: MOST_BODY_BYTES_PER_SECOND, freeUnits: FREE_BODY_BYTES },
  besideOthers: {
    unitsPerSecond: MOST_BODY_BYTES_PER_SECOND_BESIDE_OTHERS,
    freeUnits: FREE_BODY_BYTES,
  },
};
const DROPPED_PACE: Pace = { unitsPerSecond: MOST_DROPPED_BYTES_PER_SECOND, freeUnits: 65_536 };
const DROPPED: Paces = { alone: DROPPED_PACE, besideOthers: DROPPED_PACE };

export class BodyIntake {
  readonly #paces: Paces;
  /** The caller that sent last; `#other` is the caller that sent last before it. */
  #latest = { caller: '', at: Number.NEGATIVE_INFINITY };
  #other = this.#latest;
  readonly #doneAt = new LRUCache<string, number>({ max: MOST_CALLERS });

  constructor(of: 'bodies' | 'dropped' = 'bodies') {
    this.#paces = of === 'bodies' ? BODIES : DROPPED;
  }

  /** Counts bytes that the caller sent; answers for how many milliseconds nothing more is to be read from it. */
  pauseAfter(caller: string, bytes: number): number {
    const now = performance.now();
    const known = this.#doneAt.get(caller) ?? null;
    const rule = this.#isBesideAnother(caller, now) ? this.#paces.besideOthers : this.#paces.alone;
    const { doneAtMs, pauseMs } = pace(rule, known, bytes, now);
    this.#doneAt.set(caller, doneAtMs);
    return pauseMs;
  }

  #isBesideAnother(caller: string, now: number): boolean {
    if (this.#latest.caller !== caller) this.#other = this.#latest;
    this.#latest = { caller, at: now };
    return now - this.#other.at < SENDS_FOR_MS;
  }
}

/** Stops reading the request for a while. */
export class Pause {
  readonly #request: IncomingMessage;
  #timer: NodeJS.Timeout | null = null;

  constructor(request: IncomingMessage) {
    this.#request = request;
  }

  /** Whether reading is stopped now. */
  get isOn(): boolean {
    return this.#timer !== null;
  }

  /** Stops reading for `ms` milliseconds; less than one is ignored. */
  begin(ms: number): void {
    if (ms < 1 || this.#timer !== null) return;
    this.#request.pause();
    this.#timer = setTimeout(() => this.end(), ms);
  }

  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#request.resume();
  }
}
