/**
 * Writes to Meilisearch go in rounds, and after each round nothing is written for a while. Meilisearch makes its list of all
 * words again for each batch of tasks, however small: 30 MiB of words that nobody has said before make every later batch
 * cost some 150 ms of a core (measured), and an index grows for as long as there is something to tell. With a rest after
 * each round the batches become fewer and larger instead, and the engine leaves most of a core to others.
 */

/** Longer by so many times than what the engine worked for the round. */
const REST_BY_WORK = 3;
/** However long it worked: a rest spares small batches, and a large one is worth its time. */
export const LONGEST_REST_MS = 1_000;

/**
 * What takes longer goes on beside the next round. The engine may have lost a task with its process, and its sender waits
 * for it longer than anybody else should.
 */
export const LONGEST_ROUND_MS = 5_000;

/** A write; resolves with how long the engine worked for it, in milliseconds. */
export type Write = () => Promise<number>;

interface Round {
  readonly begins: Promise<void>;
  readonly writes: Promise<number>[];
}

export class WritingRounds {
  #coming: Round | null = null;
  /** The end of the round before and of its rest. Never rejects. */
  #free: Promise<void> = Promise.resolve();

  /** Writes in the coming round, which begins at once where no other is under way. Rejects with what `write` throws. */
  async write(write: Write): Promise<void> {
    const { begins, writes } = (this.#coming ??= this.#prepare());
    const written = begins.then(write);
    writes.push(written);
    await written;
  }

  #prepare(): Round {
    const writes: Promise<number>[] = [];
    const begins = this.#begin();
    this.#free = begins.then(() => rested(writes));
    return { begins, writes };
  }

  async #begin(): Promise<void> {
    await this.#free;
    // Whoever comes from now on waits for the next one.
    this.#coming = null;
  }
}

/** Resolves after `ms`. The timer keeps no process awake. */
function passed(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms).unref();
  return promise;
}

/** Resolves when all have ended, or have had their time, and a rest after them is over. */
async function rested(writes: readonly Promise<number>[]): Promise<void> {
  const ended = await Promise.race([Promise.allSettled(writes), passed(LONGEST_ROUND_MS)]);
  const worked = (ended ?? []).map((one) => (one.status === 'fulfilled' ? one.value : 0));
  const restMs = Math.min(LONGEST_REST_MS, REST_BY_WORK * Math.max(0, ...worked));
  if (restMs >= 1) await passed(restMs);
}
