/**
 * Sends items to an index in requests that are bounded in count and in bytes. A request that the index refuses for
 * its content is halved until the item at fault stands alone; the index gets all other items.
 */
import { IndexFailure } from '../domain/retrieval/index-failure.ts';

export interface Slicing<T> {
  readonly mostItems: number;
  readonly mostBytes: number;
  /** Bytes of the item in a request, roughly. */
  readonly bytesOf: (item: T) => number;
  /** Throws an `IndexFailure`, reason `refused`, when the index takes none of it. */
  readonly send: (items: readonly T[]) => Promise<void>;
  /** Whether the index refuses every request with this code, whatever items it holds. */
  readonly refusesAll: (code: string) => boolean;
}

/** After so many refused items a refused request is not halved any more: all of its items count as refused. */
const MOST_REFUSED_ALONE = 32;

/** Slices in order; an item over the bound is a slice of its own. */
function* slicesOf<T>(items: Iterable<T>, slicing: Slicing<T>): Generator<T[]> {
  let slice: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = slicing.bytesOf(item);
    const isFull = slice.length === slicing.mostItems || bytes + size > slicing.mostBytes;
    if (slice.length > 0 && isFull) {
      yield slice;
      slice = [];
      bytes = 0;
    }
    slice.push(item);
    bytes += size;
  }
  if (slice.length > 0) yield slice;
}

/**
 * Sends the items, one request at a time, and takes items from the iterable only when it sends them. Answers the items
 * that the index refused for their content. Throws the `IndexFailure` of an index that is away, or refuses all.
 */
export async function sendInSlices<T>(items: Iterable<T>, slicing: Slicing<T>): Promise<T[]> {
  const refused: T[] = [];
  const attempt = async (slice: readonly T[]): Promise<void> => {
    try {
      await slicing.send(slice);
    } catch (error) {
      if (!(error instanceof IndexFailure) || error.reason !== 'refused') throw error;
      if (slicing.refusesAll(error.code ?? '')) throw error;
      if (slice.length === 1 || refused.length >= MOST_REFUSED_ALONE) {
        refused.push(...slice);
        return;
      }
      const half = Math.ceil(slice.length / 2);
      await attempt(slice.slice(0, half));
      await attempt(slice.slice(half));
    }
  };
  for (const slice of slicesOf(items, slicing)) await attempt(slice);
  return refused;
}
