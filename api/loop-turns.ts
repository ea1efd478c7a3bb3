/**
 * Gives each large body a turn of the event loop of its own. Many bodies may end at the same moment, because they came
 * side by side. Without turns they would be parsed and judged in one go, and no other request be served meanwhile.
 */
import { setImmediate } from 'node:timers/promises';

/** A body of more bytes waits for a turn of its own: a mebibyte takes ten milliseconds. */
const SMALL_BODY_BYTES = 65_536;

export class LoopTurns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves at once for a small body, otherwise in a turn of the event loop without another large body. */
  async take(bytes: number): Promise<void> {
    if (bytes <= SMALL_BODY_BYTES) return;
    const turn = this.#last.then(() => setImmediate());
    this.#last = turn;
    await turn;
  }
}
