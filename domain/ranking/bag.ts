/**
 * The bag of a unit: what a passage is found by. A turn of a conversation is often understood only with the turns around
 * it, so their words belong to it with less weight, as do the name of its speaker and the words of its date.
 *
 * Words may come only from neighbours and sources that every reader of the unit may read; the caller leaves out others. A search
 * for a hidden word would otherwise find the public unit beside it.
 */

/** Terms of a text with real-valued frequencies; `length` is the number of its content terms. */
export interface WeightedTerms {
  readonly terms: ReadonlyMap<string, number>;
  readonly length: number;
}

/** What each part of a bag weighs; the words of the unit itself weigh 1. */
export interface BagWeights {
  /** The units before and after, of the same session. */
  readonly next: number;
  /** The units two before and two after. */
  readonly second: number;
  /** Besides `next`: the unit before, where another person asks in it what this unit may answer. */
  readonly question: number;
  /** A neighbour counts as if it had at most so many terms, so that a long answer does not drown a short question. */
  readonly neighbourTerms: number;
  /** The messages that a statement was drawn from. */
  readonly source: number;
  readonly speaker: number;
  readonly date: number;
}

export const BAG_WEIGHTS: BagWeights = {
  next: 0.33,
  second: 0.15,
  question: 0.7,
  neighbourTerms: 40,
  source: 0.5,
  speaker: 0.5,
  date: 0.25,
};

export interface BagParts {
  readonly own: WeightedTerms;
  /** Those directly before and after. */
  readonly next: readonly WeightedTerms[];
  /** Those one further away. */
  readonly second: readonly WeightedTerms[];
  /** The unit before, where it ends as a question of another person to whom the speaker replies; else null. */
  readonly question: WeightedTerms | null;
  /** For a statement, the messages that it cites; then the parts above are their neighbours. None for a message. */
  readonly sources: readonly WeightedTerms[];
  /** Terms of the speaker's name, in a conversation between people; none in a chat with an assistant. */
  readonly speaker: readonly string[];
  /** Words of the date on which the message was written. */
  readonly date: readonly string[];
}

class Bag {
  readonly terms = new Map<string, number>();
  length = 0;

  add(term: string, weight: number): void {
    this.terms.set(term, (this.terms.get(term) ?? 0) + weight);
  }

  addAll({ terms, length }: WeightedTerms, weight: number): void {
    for (const [term, count] of terms) this.add(term, count * weight);
    this.length += length * weight;
  }

  addEach(words: readonly string[], weight: number): void {
    for (const word of words) this.add(word, weight);
    this.length += words.length * weight;
  }
}

/** The bag of a unit; its length is the sum of the weights of its content terms. */
export function bagOf(parts: BagParts, weights: BagWeights = BAG_WEIGHTS): WeightedTerms {
  const bag = new Bag();
  bag.addAll(parts.own, 1);
  const addNeighbours = (neighbours: readonly WeightedTerms[], weight: number): void => {
    if (weight === 0) return;
    for (const neighbour of neighbours) {
      const scale = Math.min(1, weights.neighbourTerms / Math.max(1, neighbour.length));
      bag.addAll(neighbour, weight * scale);
    }
  };
  addNeighbours(parts.next, weights.next);
  addNeighbours(parts.second, weights.second);
  addNeighbours(parts.sources, weights.source);
  if (parts.question !== null) addNeighbours([parts.question], weights.question);
  if (weights.speaker > 0) bag.addEach(parts.speaker, weights.speaker);
  if (weights.date > 0) bag.addEach(parts.date, weights.date);
  return { terms: bag.terms, length: bag.length };
}
