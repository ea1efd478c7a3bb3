/**
 * Writes to Meilisearch go in rounds, and after each round nothing is written for a while. Meilisearch makes its list
 * of all words again for each batch of tasks, however small. After 30 MiB of new words every later batch costs some
 * 150 ms of a core (measured), and the index keeps growing. With a rest after each round the batches become fewer and
 * larger, and Meilisearch leaves most of a core to others.
 */

/** A rest lasts so many times as long as Meilisearch worked for the round. */
const REST_BY_WORK = 3;
/** However long Meilisearch worked: a rest saves small batches, and a large batch is worth its time. */
export const LONGEST_REST_MS = 1_000;

/**
 * A write that takes longer goes on beside the next round. Meilisearch may have lost its task with a process that ended:
 * then only its sender waits for it, and other writers do not.
 */
export const LONGEST_ROUND_MS = 5_000;

/** A write; resolves with how long Meilisearch worked for it, in milliseconds. */
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
    // A write that comes from now on joins the next round.
    this.#coming = null;
  }
}

/** Resolves after `ms`. The timer keeps no process awake. */
function passed(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms).unref();
  return promise;
}

/** Resolves when all writes have ended or `LONGEST_ROUND_MS` are over, and the rest after that is over too. */
async function rested(writes: readonly Promise<number>[]): Promise<void> {
  const ended = await Promise.race([Promise.allSettled(writes), passed(LONGEST_ROUND_MS)]);
  const worked = (ended ?? []).map((one) => (one.status === 'fulfilled' ? one.value : 0));
  const restMs = Math.min(LONGEST_REST_MS, REST_BY_WORK * Math.max(0, ...worked));
  if (restMs >= 1) await passed(restMs);
}
