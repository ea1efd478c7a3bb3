/**
 * How much work each account brings to a process, and which account crowds the others with it. Time spent waiting or
 * working does not count: it grows on a slow machine, and an account that a crowd slows down would look like a crowd.
 */
import { availableParallelism } from 'node:os';
import { Loads } from '../domain/limits/loads.ts';

export interface Demand {
  /** Notes that the key is at work, or waits to be. */
  hears(key: string): void;
  /** Counts units of work that the key brings: see `unitsOfText` and `unitsOfStatements`. */
  brings(key: string, units: number): void;
  /** Whether another key was heard of within two seconds. */
  hasOtherThan(key: string): boolean;
  /** Whether the key brings more than its pace while another key, which does not, is present. */
  crowds(key: string): boolean;
}

/** Units of work per second and core; an account that brings more is heavy beside a lighter one. */
const WORK_UNITS_PER_SECOND_PER_CORE = 10;
/** Units that an account may bring at once before its pace counts. */
const FREE_WORK_UNITS = 10;
/** Milliseconds after which an account that brings nothing is light again, however much it has brought. */
const LONGEST_SURPLUS_MS = 60_000;
/** Bytes of text that take as long as all other work on an observation. */
const BYTES_OF_WORK_UNIT = 16_384;

/** The units of an observation with a text of so many bytes. */
export function unitsOfText(bytes: number): number {
  return 1 + bytes / BYTES_OF_WORK_UNIT;
}

/** Statements that cost one unit beside the observation: a commit compares and writes them, and they are indexed. */
const STATEMENTS_OF_WORK_UNIT = 4;

/** The units of the statements that observations lead to. */
export function unitsOfStatements(count: number): number {
  return count / STATEMENTS_OF_WORK_UNIT;
}

/** A demand that has heard of no key yet. */
export function createDemand(cores = availableParallelism()): Demand {
  const unitsPerSecond = cores * WORK_UNITS_PER_SECOND_PER_CORE;
  const loads = new Loads({ unitsPerSecond, freeUnits: FREE_WORK_UNITS }, LONGEST_SURPLUS_MS);
  return {
    hears: (key) => loads.hear(key, performance.now()),
    brings: (key, units) => void loads.add(key, units, performance.now()),
    hasOtherThan: (key) => loads.hasOther(key, performance.now()),
    crowds(key) {
      const now = performance.now();
      return loads.isHeavy(key, now) && loads.hasLightOther(key, now);
    },
  };
}
