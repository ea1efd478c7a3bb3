/**
 * The newer statements of an attribute as an older one meets them, from the oldest on. A reader leaves out those that
 * cannot act on it, and passes any number of neighbours that claim the same in one step.
 */

/** An entry with its place in the order of all, from the oldest on. */
interface Ranked<T> {
  readonly entry: T;
  readonly rank: number;
}

/** A line of entries, entered from the newest to the oldest. */
class Line<T> {
  readonly #entries: Ranked<T>[] = [];
  /** For each place: the place of the first newer entry that claims something else. */
  readonly #others: number[] = [];
  readonly #claimsSame: (a: T, b: T) => boolean;

  constructor(claimsSame: (a: T, b: T) => boolean) {
    this.#claimsSame = claimsSame;
  }

  get oldest(): number {
    return this.#entries.length - 1;
  }

  enter(ranked: Ranked<T>): void {
    const last = this.#entries[this.oldest];
    const isSame = last !== undefined && this.#claimsSame(last.entry, ranked.entry);
    this.#others.push(isSame ? this.otherThan(this.oldest) : this.oldest);
    this.#entries.push(ranked);
  }

  at(place: number): Ranked<T> | undefined {
    return this.#entries[place];
  }

  otherThan(place: number): number {
    return this.#others[place] ?? -1;
  }
}

/** Reads one or two lines in their common order. */
export class Newer<T> {
  readonly #cursors: { readonly line: Line<T>; place: number }[];

  constructor(lines: readonly Line<T>[]) {
    this.#cursors = lines.map((line) => ({ line, place: line.oldest }));
  }

  /** The entry that comes next; undefined after the last. */
  get current(): T | undefined {
    const cursor = this.#first();
    return cursor?.line.at(cursor.place)?.entry;
  }

  pass(): void {
    const cursor = this.#first();
    if (cursor !== undefined) cursor.place -= 1;
  }

  /** Passes the entry, and its neighbours in its line that claim the same. */
  passClaim(): void {
    const cursor = this.#first();
    if (cursor !== undefined) cursor.place = cursor.line.otherThan(cursor.place);
  }

  #first() {
    const [a, b] = this.#cursors;
    const [inA, inB] = [a?.line.at(a.place), b?.line.at(b.place)];
    if (inA === undefined) return inB === undefined ? undefined : b;
    return inB === undefined || inA.rank < inB.rank ? a : b;
  }
}

export interface EntryTraits<T> {
  readonly isPlaced: (entry: T) => boolean;
  readonly ownerOf: (entry: T) => string;
  readonly claimsSame: (a: T, b: T) => boolean;
}

export class NewerEntries<T> {
  readonly #traits: EntryTraits<T>;
  readonly #all: Line<T>;
  readonly #placed: Line<T>;
  readonly #waiting = new Map<string, Line<T>>();

  constructor(traits: EntryTraits<T>) {
    this.#traits = traits;
    this.#all = new Line(traits.claimsSame);
    this.#placed = new Line(traits.claimsSame);
  }

  /** Called from the newest to the oldest; `rank` is the place in the order, from the oldest on. */
  enter(entry: T, rank: number): void {
    const { isPlaced, ownerOf } = this.#traits;
    const ranked = { entry, rank };
    this.#all.enter(ranked);
    (isPlaced(entry) ? this.#placed : this.#waitingOf(ownerOf(entry))).enter(ranked);
  }

  /** Newer entries that may act on `older`: all if it is placed, else the placed and its owner's unplaced ones. */
  concerning(older: T): Newer<T> {
    const { isPlaced, ownerOf } = this.#traits;
    return new Newer(
      isPlaced(older) ? [this.#all] : [this.#placed, this.#waitingOf(ownerOf(older))],
    );
  }

  #waitingOf(owner: string): Line<T> {
    const known = this.#waiting.get(owner);
    if (known !== undefined) return known;
    const line = new Line<T>(this.#traits.claimsSame);
    this.#waiting.set(owner, line);
    return line;
  }
}
