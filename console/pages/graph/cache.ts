/**
 * Pictures that were drawn lately, each with its table, by a hash of all that they are drawn from. The rows are read through the predicate of
 * the reader each time, and only then a picture is looked for: so none outlives a right, and two readers share one only
 * where both see exactly the same rows.
 */
import { createHash } from 'node:crypto';
import type { Markup } from '../../design/markup.ts';

/** Pictures that are kept by a process. */
export const MOST_PICTURES = 32;
/** Bytes of all pictures that are kept by a process. One with its table has 100 to 300 KiB. */
export const MOST_PICTURE_BYTES = 8_388_608;

interface Kept {
  readonly picture: Markup;
  readonly bytes: number;
}

export class Pictures<Drawn extends object> {
  readonly #draw: (graph: Drawn) => Markup;
  /** The one that was looked at longest ago comes first. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(draw: (graph: Drawn) => Markup) {
    this.#draw = draw;
  }

  /** The picture: drawn now, or kept from an equal graph. One that is larger than all may be is drawn each time. */
  of(graph: Drawn): Markup {
    const key = createHash('sha256').update(JSON.stringify(graph)).digest('hex');
    const kept = this.#kept.get(key) ?? this.#drawn(graph);
    this.#forget(key);
    this.#kept.set(key, kept);
    this.#bytes += kept.bytes;
    this.#makeRoom();
    return kept.picture;
  }

  #drawn(graph: Drawn): Kept {
    const picture = this.#draw(graph);
    return { picture, bytes: Buffer.byteLength(picture.toString()) };
  }

  #forget(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }

  /** Those that were looked at longest ago give way. */
  #makeRoom(): void {
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_PICTURES && this.#bytes <= MOST_PICTURE_BYTES) return;
      this.#forget(oldest);
    }
  }
}
