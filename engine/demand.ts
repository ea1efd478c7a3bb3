/**
 * How much each key wants of slots that keys share: waiting and work, as a mean of the last seconds. What a key wants
 * does not fall when it is made to wait, so whoever crowds the others is known for as long as it does.
 */

export interface Demand {
  /** The key asks for a slot. */
  asks(key: string): void;
  /** What it asked for has ended, `ms` milliseconds after it asked. */
  wanted(key: string, ms: number): void;
  /** Whether another key asked or ended within two seconds. */
  hasOtherThan(key: string): boolean;
  /** Whether the key wants more than three slots all the time, and more than twice of what the other busy keys want on average. */
  crowds(key: string): boolean;
}

/** How long a key counts as busy after it asked for a slot or gave one back, in milliseconds. */
const BUSY_FOR_MS = 2_000;
/** In this time what a key wanted comes to count half as much, in milliseconds. */
const HALF_LIFE_MS = 2_000;
/** What a key that always wants one slot adds up to, in milliseconds: the integral of what fades. */
const ONE_SLOT_MS = HALF_LIFE_MS / Math.LN2;
/** A key that wants no more crowds nobody: one person's work goes on step by step. */
const SLOTS_OF_THE_MODEST = 3;
/** Whoever wants no more than so many times the mean of the others is one of them. */
const TIMES_THE_MEAN = 2;

/** A sum of milliseconds that fades. */
class Fading {
  #ms = 0;
  #at = 0;

  /** What it has come to at `now`. */
  fadedTo(now: number): number {
    this.#ms *= 2 ** ((this.#at - now) / HALF_LIFE_MS);
    this.#at = now;
    return this.#ms;
  }

  add(now: number, ms: number): void {
    this.#ms = this.fadedTo(now) + ms;
  }
}

interface Want {
  heardAt: number;
  readonly sum: Fading;
}

/** The demand of nobody yet. A key that nothing is heard of for two seconds is forgotten. */
export function createDemand(): Demand {
  /** The key that was heard of the longest ago first. */
  const wants = new Map<string, Want>();

  const all = new Fading();

  const forgetIdle = (now: number): void => {
    for (const [oldest, { heardAt, sum }] of wants) {
      if (now - heardAt <= BUSY_FOR_MS) break;
      wants.delete(oldest);
      all.add(now, -sum.fadedTo(now));
    }
  };

  const heardOf = (key: string, now: number): Want => {
    const want = wants.get(key) ?? { heardAt: now, sum: new Fading() };
    want.heardAt = now;
    wants.delete(key);
    wants.set(key, want);
    return want;
  };

  return {
    asks: (key) => void heardOf(key, performance.now()),
    wanted(key, ms) {
      const now = performance.now();
      heardOf(key, now).sum.add(now, ms);
      all.add(now, ms);
    },
    hasOtherThan(key) {
      forgetIdle(performance.now());
      return wants.size > (wants.has(key) ? 1 : 0);
    },
    crowds(key) {
      const now = performance.now();
      forgetIdle(now);
      const ownMs = wants.get(key)?.sum.fadedTo(now) ?? 0;
      if (wants.size === 1 || ownMs <= SLOTS_OF_THE_MODEST * ONE_SLOT_MS) return false;
      return ownMs * (wants.size - 1) > TIMES_THE_MEAN * (all.fadedTo(now) - ownMs);
    },
  };
}
