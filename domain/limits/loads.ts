/**
 * How much work each account brings, and which accounts are light. An account is heavy while it brings more than its
 * pace, and for as long as the surplus takes at that pace. Only what the account itself brings counts: a slow machine
 * makes no account heavy, so an account that waits behind many others never counts as heavy for it. Pure but for its
 * state: the caller says what time it is.
 */
import { pace, type Pace } from './pace.ts';

interface Load {
  /** When it was heard of last, in milliseconds of the caller's clock. */
  readonly heardAt: number;
  /** See `Paced.doneAtMs`. */
  readonly doneAt: number;
}

/** How long an account counts as present after it was heard of, in milliseconds. */
const THERE_FOR_MS = 2_000;
/** Accounts that are remembered; the one that was heard of the longest ago is forgotten first. */
const MOST_ACCOUNTS = 10_000;

export class Loads {
  readonly #pace: Pace;
  readonly #freeMs: number;
  readonly #longestSurplusMs: number;
  /** The account that was heard of the longest ago first. */
  readonly #loads = new Map<string, Load>();

  /** `longestSurplusMs` is the longest that an account stays heavy for what it has brought. */
  constructor(of: Pace, longestSurplusMs: number) {
    this.#pace = of;
    this.#freeMs = (of.freeUnits * 1_000) / of.unitsPerSecond;
    this.#longestSurplusMs = longestSurplusMs;
  }

  /** Notes that the account is present. */
  hear(account: string, now: number): void {
    this.add(account, 0, now);
  }

  /** Adds the units that the account brings; answers how many milliseconds its surplus lasts, 0 while it is light. */
  add(account: string, units: number, now: number): number {
    const known = this.#loads.get(account)?.doneAt ?? null;
    const { doneAtMs } = pace(this.#pace, known, units, now);
    const doneAt = Math.min(doneAtMs, now + this.#freeMs + this.#longestSurplusMs);
    this.#loads.delete(account);
    this.#loads.set(account, { heardAt: now, doneAt });
    if (this.#loads.size > MOST_ACCOUNTS) this.#forgetOne();
    return this.#surplusMs(doneAt, now);
  }

  isHeavy(account: string, now: number): boolean {
    return this.#surplusMs(this.#loads.get(account)?.doneAt ?? now, now) > 0;
  }

  /** Whether another account was heard of within two seconds. */
  hasOther(account: string, now: number): boolean {
    return this.#others(account, now, () => true);
  }

  /** Whether another account heard of within two seconds is light. Heavy accounts are not held up for each other. */
  hasLightOther(account: string, now: number): boolean {
    return this.#others(account, now, ({ doneAt }) => this.#surplusMs(doneAt, now) === 0);
  }

  #surplusMs(doneAt: number, now: number): number {
    return Math.max(0, doneAt - now - this.#freeMs);
  }

  #others(account: string, now: number, is: (load: Load) => boolean): boolean {
    for (const [name, load] of this.#loads) {
      if (now - load.heardAt < THERE_FOR_MS) {
        if (name !== account && is(load)) return true;
      } else if (this.#surplusMs(load.doneAt, now) === 0) this.#loads.delete(name);
    }
    return false;
  }

  #forgetOne(): void {
    const [oldest] = this.#loads.keys();
    if (oldest !== undefined) this.#loads.delete(oldest);
  }
}
