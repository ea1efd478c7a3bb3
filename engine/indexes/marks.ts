/**
 * Whether the indexes are of the same past as the database. Each holds a mark that the database knows and renews about
 * each minute: a new random one, which the database enters as pending before it is written and as current after it. So
 * an index that was emptied or put back holds none or an old one, and a database that was put back knows only old ones.
 * A process that dies between two steps leaves an index that holds either the current mark or the pending one.
 */
import type {
  IndexMark,
  IndexMarksStore,
  MarkedEngine,
} from '../../stores/postgres/indexes/index-marks.store.ts';

/** Where the mark of an index stands. */
export interface MarkHolder {
  /** Null where there is none. */
  read(): Promise<string | null>;
  write(mark: string): Promise<void>;
}

export interface IndexMarks {
  /** Whether the index belongs to the database as it is, and does not wait to be written anew. */
  isKnown(engine: MarkedEngine): Promise<boolean>;
  /** Notes indexes of another past, and renews the marks of the others. Answers whether any has to be written anew. */
  pass(): Promise<boolean>;
  /** Gives both indexes new marks: they were written anew. */
  accept(): Promise<void>;
}

export interface IndexMarksDependencies {
  readonly store: Pick<IndexMarksStore, 'find' | 'propose' | 'settle' | 'lose' | 'found'>;
  readonly holders: Readonly<Record<MarkedEngine, MarkHolder>>;
  /** A new random mark. */
  readonly newMark: () => string;
}

const ENGINES = ['meilisearch', 'qdrant'] as const;
/** A process that has been about to write a mark for so long has died. */
const STALE_MS = 60_000;
/** A mark that changes with each look is renewed by others, who look at it too. */
const LOOKS = 5;

const isSame = (one: IndexMark | null, other: IndexMark | null): boolean =>
  one?.current === other?.current && one?.pending === other?.pending;

/** Without any word of the database, and none of the index, both are new, or of a release without marks. */
function belongs(row: IndexMark | null, held: string | null): boolean {
  if (held === null) return (row?.current ?? null) === null;
  return held === row?.current || held === row?.pending;
}

export function createIndexMarks({ holders, newMark, store }: IndexMarksDependencies): IndexMarks {
  /** Compares the index with the row. Only where they differ is the row looked at again: it may have changed meanwhile. */
  async function look(
    engine: MarkedEngine,
  ): Promise<{ readonly belongs: boolean; readonly lost: boolean }> {
    let before: IndexMark | null = null;
    for (let looked = 1; ; looked += 1) {
      const held = await holders[engine].read();
      const after = await store.find(engine);
      const isOne = belongs(after, held);
      const isStill = looked > 1 && isSame(before, after);
      if (isOne || isStill || looked === LOOKS) {
        return { belongs: isOne, lost: after?.lost ?? false };
      }
      before = after;
    }
  }

  async function renew(engine: MarkedEngine, staleMs: number): Promise<void> {
    const mark = newMark();
    if (!(await store.propose(engine, mark, staleMs))) return;
    await holders[engine].write(mark);
    await store.settle(engine, mark);
  }

  return {
    async isKnown(engine) {
      const found = await look(engine);
      return found.belongs && !found.lost;
    },
    async pass() {
      let isAnyLost = false;
      for (const engine of ENGINES) {
        const found = await look(engine);
        if (!found.belongs) await store.lose(engine);
        if (!found.belongs || found.lost) isAnyLost = true;
        else await renew(engine, STALE_MS);
      }
      return isAnyLost;
    },
    async accept() {
      for (const engine of ENGINES) await renew(engine, 0);
      await store.found();
    },
  };
}
