/**
 * One turn of the event loop for each large body. Many that end at the same moment, because they came side by side, would
 * otherwise be parsed and judged one after the other without anybody else being served in between.
 */
import { setImmediate } from 'node:timers/promises';

/** A body of more bytes waits for a turn of its own: a mebibyte takes ten milliseconds. */
const SMALL_BODY_BYTES = 65_536;

export class LoopTurns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves at once for a small body, else in a turn of the event loop that no other large body has. */
  async take(bytes: number): Promise<void> {
    if (bytes <= SMALL_BODY_BYTES) return;
    const turn = this.#last.then(() => setImmediate());
    this.#last = turn;
    await turn;
  }
}
