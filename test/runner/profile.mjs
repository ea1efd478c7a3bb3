/**
 * What a test file costs, in milliseconds: the time on the wall and of this process's processors, while its modules
 * are loaded, while services start for it, and in all. What neither used a processor was waiting.
 */
import { readFileSync } from 'node:fs';

const TICK_MS = 1000 / 100;
const FROM_STATE = 3;
const CHILDREN_USER = 16;
const CHILDREN_SYSTEM = 17;

/** Processor time of child processes that have ended, where the system tells it. */
function childrenMs() {
  if (process.platform !== 'linux') return 0;
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1).split(' ');
  const ticks = (field) => Number(fields[field - FROM_STATE]);
  return (ticks(CHILDREN_USER) + ticks(CHILDREN_SYSTEM)) * TICK_MS;
}

function now() {
  const { user, system } = process.cpuUsage();
  return { wall: performance.now(), processor: (user + system) / 1000, children: childrenMs() };
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
