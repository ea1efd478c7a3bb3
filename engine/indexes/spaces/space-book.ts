/**
 * What a process knows of the vector spaces that stand side by side (`domain/models/vector-spaces.ts`). A search reads what
 * was known lately; a write asks anew, after it has read its units: what fills a new collection begins after the collection
 * was entered, so it reads whatever a writer read that did not know of the collection yet.
 */
import {
  readSpace,
  writtenSpaces,
  type KeptSpace,
  type OwnSpace,
} from '../../../domain/models/vector-spaces.ts';

export interface SpaceBookOptions {
  /** The space of the configured embedder, or of none. */
  readonly own: OwnSpace;
  /** The spaces that are kept, the one that became ready last first. Null where no other can stand beside the own one. */
  readonly kept: (() => Promise<readonly KeptSpace[]>) | null;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** The greatest age in milliseconds of the state that searches use. */
const FRESH_MS = 1_000;

export class SpaceBook {
  readonly own: OwnSpace;
  readonly #options: SpaceBookOptions;
  #read: OwnSpace;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SpaceBookOptions) {
    this.#options = options;
    this.own = options.own;
    this.#read = options.own;
  }

  /** The collection to search. Looks at the book again beside the search, at most once a second. */
  readonly reading = (): string => {
    const { kept, now } = this.#options;
    if (kept !== null && now() - this.#askedAt >= FRESH_MS) {
      // Without an answer the process goes on with what it knew.
      this.load().catch(() => undefined);
    }
    return this.#read.collection;
  };

  /** Whether the collection to search has the vectors of the configured embedder. */
  readonly readsOwn = (): boolean => this.reading() === this.own.collection;

  /** The spaces that are kept now. */
  async load(): Promise<readonly KeptSpace[]> {
    const { kept, now } = this.#options;
    if (kept === null) return [];
    this.#askedAt = now();
    const spaces = await kept();
    this.#read = readSpace(this.own, spaces);
    return spaces;
  }

  /** The collections to write now, the own one first if it is one of them. */
  async writing(): Promise<readonly OwnSpace[]> {
    return writtenSpaces(this.own, await this.load());
  }
}
