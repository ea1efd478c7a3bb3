/**
 * How fast the bytes of one caller's bodies are taken in. A sender nearby brings a gigabyte a second, and reading it takes
 * a whole core from everybody else. What comes faster than it may stays with the kernel, which holds up its sender alone.
 */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { pace, type Pace } from '../domain/limits/pace.ts';

/** Of one account, or of one network where there is no credential. */
export const MOST_BODY_BYTES_PER_SECOND = 16 * 1_048_576;
/**
 * The same while another one sends too: a mebibyte of text costs the process and Postgres some fifty milliseconds, and
 * sixteen a second would leave nothing to the other.
 */
export const MOST_BODY_BYTES_PER_SECOND_BESIDE_OTHERS = 4 * 1_048_576;
/** How long a sender counts as there after its last piece, in milliseconds. */
const SENDS_FOR_MS = 2_000;
/** The largest usual body comes at once. */
export const FREE_BODY_BYTES = 4 * 1_048_576;
/** Of all bodies that are read on after their request was answered, and kept by nobody. */
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
  /** Who sent last, and who sent last beside it. */
  #latest = { caller: '', at: Number.NEGATIVE_INFINITY };
  #other = this.#latest;
  readonly #doneAt = new LRUCache<string, number>({ max: MOST_CALLERS });

  constructor(of: 'bodies' | 'dropped' = 'bodies') {
    this.#paces = of === 'bodies' ? BODIES : DROPPED;
  }

  /** Counts bytes that the caller sent; answers for how many milliseconds nothing more of it is to be read. */
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

/** Reads nothing of the request for a while. */
export class Pause {
  readonly #request: IncomingMessage;
  #timer: NodeJS.Timeout | null = null;

  constructor(request: IncomingMessage) {
    this.#request = request;
  }

  /** Whether nothing is read now. */
  get isOn(): boolean {
    return this.#timer !== null;
  }

  /** For so many milliseconds; a fraction of one is none. */
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
