/**
 * Weights of query terms from different counts of how common they are. Frequencies over all messages would tell of
 * messages that a reader may not see (ADR 8), so they are the measure here and not what the service does.
 */
import { queryWeight } from '../../../domain/ranking/sparse.ts';
import { search } from './memory-index.ts';
import type { Asked, Indexed, Weigh, Weighing } from './shapes.ts';
import { countTexts, statementCounts, type TextCounts } from './statements.ts';

/** Frequencies of own words over all units of the conversation. */
export function ownFrequencies({ prepared, frequencies }: Indexed): () => Weigh {
  return () => (term, count) =>
    queryWeight(count, prepared.units.length, frequencies.get(term) ?? 0);
}

/** All terms weigh the same. */
export function equalWeights(): () => Weigh {
  return () => (_, count) => count;
}

function overTexts({ texts, frequencies }: TextCounts): () => Weigh {
  return () => (term, count) => queryWeight(count, texts, frequencies.get(term) ?? 0);
}

/** Frequencies over the extracted statements that every reader of a scope may read: what the service counts. */
export function statementFrequencies({ prepared }: Indexed): () => Weigh {
  return overTexts(statementCounts(prepared.conversation));
}

/** Frequencies over the facts that people noted. */
export function factFrequencies({ prepared }: Indexed): () => Weigh {
  return overTexts(countTexts(prepared.conversation.facts.map(({ text }) => text)));
}

/** Frequencies over the `size` best units of a first search with other weights. */
export function poolFrequencies(size: number, first: Weighing = equalWeights): Weighing {
  return (indexed) => {
    const weighFirst = first(indexed);
    return (asked: Asked) => {
      const weigh = weighFirst(asked);
      const weights = new Map(
        Array.from(asked.terms, ([term, count]) => [term, weigh(term, count)] as const),
      );
      const pool = search(indexed, weights, size).map(({ unit }) => indexed.prepared.units[unit]);
      return (term, count) => {
        const frequency = pool.filter((unit) => unit?.own.terms.has(term) === true).length;
        return queryWeight(count, pool.length, frequency);
      };
    };
  };
}

/** Long words are rarer: a weight from the length of the stem alone. */
export function lengthWeights(): () => Weigh {
  return () => (term, count) => count * Math.min(1.4, 0.6 + 0.1 * term.length);
}

/** A weighted mean; `scale` makes both comparable. */
export function mixed(one: Weighing, other: Weighing, share: number, scale: number): Weighing {
  return (indexed) => {
    const [first, second] = [one(indexed), other(indexed)];
    return (asked) => {
      const [a, b] = [first(asked), second(asked)];
      return (term, count) => share * a(term, count) + (1 - share) * scale * b(term, count);
    };
  };
}

/** Weights raised to a power below 1: the differences between common and rare words become smaller. */
export function softened(weighing: Weighing, power: number): Weighing {
  return (indexed) => {
    const weighAsked = weighing(indexed);
    return (asked) => {
      const weigh = weighAsked(asked);
      return (term, count) => count * weigh(term, 1) ** power;
    };
  };
}
