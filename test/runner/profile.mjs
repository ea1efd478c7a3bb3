/**
 * What a test file costs, in milliseconds: the time on the wall and of this process's processors, while its modules
 * are loaded, while services start for it, and in all. What neither used a processor was waiting.
 */
import { endedChildrenMs } from './processor-times.mjs';

function now() {
  const { user, system } = process.cpuUsage();
  return {
    wall: performance.now(),
    processor: (user + system) / 1000,
    children: endedChildrenMs(),
  };
}

const ZERO = { wall: 0, processor: 0, children: 0 };
const each = (one, other, combine) =>
  Object.fromEntries(Object.keys(ZERO).map((key) => [key, combine(one[key], other[key])]));
const between = (begin, end) => each(begin, end, (a, b) => Math.round(b - a));
const sum = (one, other) => each(one, other, (a, b) => a + b);

const STARTING = Symbol.for('vouch.test-profile.starting');

export class FileProfile {
  #begin = now();
  #loaded = this.#begin;
  #starting = ZERO;

  constructor() {
    /** Runs what starts a service, and books its cost (test/support/measured.ts). */
    globalThis[STARTING] = async (start) => {
      const begin = now();
      try {
        return await start();
      } finally {
        this.#starting = sum(this.#starting, between(begin, now()));
      }
    };
  }

  /** Every module of the file is there: its tests begin. */
  loaded() {
    this.#loaded = now();
  }

  end() {
    delete globalThis[STARTING];
    const all = between(this.#begin, now());
    return {
      all,
      loading: between(this.#begin, this.#loaded),
      starting: this.#starting,
      waitingMs: Math.max(0, all.wall - all.processor),
      memoryMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
    };
  }
}
