/**
 * Gathers bytes that come in pieces into one array. Every piece is copied as it comes. Joining a list of pieces at the
 * end would hold the event loop while 32 MiB are copied, and a sender of single bytes would make each a heap object.
 */

/** Allocated at first when it is not known how much will come. */
const FIRST_BYTES = 16 * 1_024;
/** Past this size the array grows to its maximum at once: memory that is not written to yet costs nothing. */
const LAST_COPIED_BYTES = 1_048_576;

export class GatheredBytes {
  readonly #mostBytes: number;
  #bytes: Buffer;
  #size = 0;

  /** At most `mostBytes`; `expectedBytes` is how many will come, where that is known. */
  constructor(mostBytes: number, expectedBytes: number | null = null) {
    this.#mostBytes = mostBytes;
    const first = Math.min(expectedBytes ?? FIRST_BYTES, mostBytes);
    this.#bytes = Buffer.allocUnsafeSlow(first);
  }

  /** False, with nothing of the piece kept, when the piece would pass `mostBytes`. */
  add(piece: Uint8Array): boolean {
    const size = this.#size + piece.length;
    if (size > this.#mostBytes) return false;
    if (size > this.#bytes.length) this.#grow(size);
    this.#bytes.set(piece, this.#size);
    this.#size = size;
    return true;
  }

  /** All there is; not a copy. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  clear(): void {
    this.#size = 0;
  }

  #grow(size: number): void {
    const next = size > LAST_COPIED_BYTES ? this.#mostBytes : size * 2;
    const larger = Buffer.allocUnsafeSlow(Math.min(next, this.#mostBytes));
    larger.set(this.bytes());
    this.#bytes = larger;
  }
}
