/**
 * What accounts bring a process to work on, and who crowds whom with it. Waiting and working do not count: both grow with
 * the slowness of the machine, and then whoever is slowed by a crowd looks like one.
 */
import { availableParallelism } from 'node:os';
import { Loads } from '../domain/limits/loads.ts';

export interface Demand {
  /** The key is at work, or wants to be. */
  hears(key: string): void;
  /** It brings so many units of work: see `unitsOfText` and `unitsOfStatements`. */
  brings(key: string, units: number): void;
  /** Whether another key was heard of within two seconds. */
  hasOtherThan(key: string): boolean;
  /** Whether the key brings more than its pace while another one that does not is there. */
  crowds(key: string): boolean;
}

/** Units of work a second of one account for each core, past which it is heavy beside a light one. */
const WORK_UNITS_PER_SECOND_PER_CORE = 10;
/** Units that come at once. */
const FREE_WORK_UNITS = 10;
/** However much an account has brought, it is light again after so long in which it brings nothing, in milliseconds. */
const LONGEST_SURPLUS_MS = 60_000;
/** Of a text: a page takes as long as everything around it. */
const BYTES_OF_WORK_UNIT = 16_384;

/** The units of an observation with a text of so many bytes. */
export function unitsOfText(bytes: number): number {
  return 1 + bytes / BYTES_OF_WORK_UNIT;
}

/** Statements that a commit compares and writes, and that are indexed, beside what the observation costs: one unit more. */
const STATEMENTS_OF_WORK_UNIT = 4;

/** The units of so many statements that observations put out. */
export function unitsOfStatements(count: number): number {
  return count / STATEMENTS_OF_WORK_UNIT;
}

/** The demand of nobody yet. */
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
