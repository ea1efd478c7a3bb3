/**
 * Pictures that were drawn lately, by a hash of all that they are drawn from. Two readers share one only where both see
 * exactly the same rows, so it tells nobody anything.
 */
import { createHash } from 'node:crypto';
import type { Markup } from '../../design/markup.ts';

/** Pictures that are kept; one has 150 statements at most, and less than 200 KB. */
const MOST_PICTURES = 32;

export class Pictures<Drawn extends object> {
  readonly #draw: (graph: Drawn) => Markup;
  readonly #kept = new Map<string, Markup>();

  constructor(draw: (graph: Drawn) => Markup) {
    this.#draw = draw;
  }

  /** The picture: drawn now, or kept from an equal graph. The one that was looked at longest ago gives way. */
  of(graph: Drawn): Markup {
    const key = createHash('sha256').update(JSON.stringify(graph)).digest('hex');
    const picture = this.#kept.get(key) ?? this.#draw(graph);
    this.#kept.delete(key);
    this.#kept.set(key, picture);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_PICTURES) break;
      this.#kept.delete(oldest);
    }
    return picture;
  }
}
