/**
 * What each key wants and has of slots that keys share, as means of the last seconds. What a key wants, its waiting and
 * its work, does not fall when it is made to wait, so whoever crowds the others is known for as long as it does. What it
 * has is its work alone.
 */

export interface Demand {
  /** The key asks for a slot. */
  asks(key: string): void;
  /** It has been given one. */
  begins(key: string): void;
  /** It needs one less: its work has ended, or it waits no longer. */
  ends(key: string, was: 'at work' | 'waiting'): void;
  /** Whether another key asked or ended within two seconds. */
  hasOtherThan(key: string): boolean;
  /** Whether the key wants more than two slots all the time, and more than twice of what the other busy keys want on average. */
  crowds(key: string): boolean;
  /** Slots that the other busy keys work in on average; 0 where there is none. */
  workOfOthers(key: string): number;
}

/** How long a key counts as busy after it asked for a slot or gave one back, in milliseconds. */
const BUSY_FOR_MS = 2_000;
/** What was so long ago counts half as much as what is, in milliseconds. A flood is known after half a second. */
const HALF_LIFE_MS = 1_000;
/**
 * However many slots a key asks for at a time, it counts as so many: when the machine stands still for a moment, what a
 * client sends at its own pace piles up and is gone again in the next.
 */
const MOST_COUNTED_SLOTS = 8;
/** A key that wants no more crowds nobody: one person's work goes on step by step. */
const SLOTS_OF_THE_MODEST = 2;
/** Whoever wants no more than so many times the mean of the others is one of them. */
const TIMES_THE_MEAN = 2;

/** A mean of a number over the last seconds, of which the latest count most. */
class Mean {
  #mean = 0;
  #current = 0;
  #at = 0;

  at(now: number): number {
    const left = 2 ** ((this.#at - now) / HALF_LIFE_MS);
    this.#mean = this.#mean * left + this.#current * (1 - left);
    this.#at = now;
    return this.#mean;
  }

  /** From now on the number is so much larger. */
  grow(now: number, by: number): void {
    this.at(now);
    this.#current += by;
  }

  /** Takes out what a key that is forgotten has left in the mean of all. */
  forget(now: number, mean: number): void {
    this.#mean = this.at(now) - mean;
  }
}

/** Slots that are wanted, and slots that are worked in. */
class Usage {
  readonly wanted = new Mean();
  readonly worked = new Mean();
}

class Key extends Usage {
  heardAt = 0;
  asked = 0;
}

/** The demand of nobody yet. A key that wants nothing, and that nothing is heard of for two seconds, is forgotten. */
export function createDemand(): Demand {
  /** The key that was heard of the longest ago first. */
  const keys = new Map<string, Key>();
  const all = new Usage();

  const heardOf = (name: string, now: number): Key => {
    const key = keys.get(name) ?? new Key();
    key.heardAt = now;
    keys.delete(name);
    keys.set(name, key);
    return key;
  };

  const forgetIdle = (now: number): void => {
    for (const [name, { heardAt, asked, wanted, worked }] of keys) {
      if (now - heardAt <= BUSY_FOR_MS) break;
      if (asked > 0) {
        heardOf(name, now);
        continue;
      }
      keys.delete(name);
      all.wanted.forget(now, wanted.at(now));
      all.worked.forget(now, worked.at(now));
    }
  };

  const wants = (name: string, by: 1 | -1): Key => {
    const now = performance.now();
    const key = heardOf(name, now);
    key.asked += by;
    // The ninth comes and goes without being counted.
    if ((by === 1 ? key.asked : key.asked + 1) > MOST_COUNTED_SLOTS) return key;
    for (const usage of [key, all]) usage.wanted.grow(now, by);
    return key;
  };

  const works = (key: Key, by: 1 | -1): void => {
    for (const usage of [key, all]) usage.worked.grow(performance.now(), by);
  };

  const othersThan = (name: string, now: number): number => {
    forgetIdle(now);
    return keys.size - (keys.has(name) ? 1 : 0);
  };

  /** Means of the key, and of the others together, with the number of the others. */
  const looked = (name: string) => {
    const now = performance.now();
    const others = othersThan(name, now);
    const key = keys.get(name);
    const wanted = key?.wanted.at(now) ?? 0;
    return {
      wanted,
      wantedOfOthers: all.wanted.at(now) - wanted,
      workedOfOthers: all.worked.at(now) - (key?.worked.at(now) ?? 0),
      others,
    };
  };

  return {
    asks: (name) => void wants(name, 1),
    begins: (name) => works(heardOf(name, performance.now()), 1),
    ends(name, was) {
      const key = wants(name, -1);
      if (was === 'at work') works(key, -1);
    },
    hasOtherThan: (name) => othersThan(name, performance.now()) > 0,
    crowds(name) {
      const { wanted, wantedOfOthers, others } = looked(name);
      if (others === 0 || wanted <= SLOTS_OF_THE_MODEST) return false;
      return wanted * others > TIMES_THE_MEAN * wantedOfOthers;
    },
    workOfOthers(name) {
      const { workedOfOthers, others } = looked(name);
      return others === 0 ? 0 : workedOfOthers / others;
    },
  };
}
