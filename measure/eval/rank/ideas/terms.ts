/** Ideas that add terms to a query: from the words of the conversation, from their spelling, from the first hits. */
import { contentTerms } from '../../../../engine/text/analyze.ts';
import { search } from '../memory-index.ts';
import type { Indexed } from '../shapes.ts';
import type { Asked, Enrich, Expand, Weigh } from '../shapes.ts';

const ENGLISH = /^[a-z]{4,}$/u;

function keepLargest(into: Map<string, number>, term: string, weight: number): void {
  if (weight > (into.get(term) ?? 0)) into.set(term, weight);
}

/** Words of the conversation that begin with the same letters: `mentor` and `mentorship`. */
export function samePrefix(length: number, weight: number): Expand {
  return ({ frequencies }) => {
    const byPrefix = Map.groupBy(
      [...frequencies.keys()].filter((term) => ENGLISH.test(term) && term.length >= length),
      (term) => term.slice(0, length),
    );
    return ({ terms }, weigh) => {
      const more = new Map<string, number>();
      for (const [term, count] of terms) {
        for (const other of byPrefix.get(term.slice(0, length)) ?? []) {
          if (terms.has(other)) continue;
          keepLargest(more, other, weight * Math.min(weigh(term, count), weigh(other, 1)));
        }
      }
      return more;
    };
  };
}

function baseWeights({ terms }: Asked, weigh: Weigh): Map<string, number> {
  return new Map(Array.from(terms, ([term, count]) => [term, weigh(term, count)] as const));
}

/** Pseudo-relevance feedback (RM3): the words that the first hits share. */
export function feedback(hits: number, terms: number, weight: number): Expand {
  return (indexed) => (asked, weigh) => {
    const base = baseWeights(asked, weigh);
    const first = search(indexed, base, hits);
    const total = first.reduce((sum, { score }) => sum + score, 0);
    const shared = new Map<string, number>();
    for (const { unit, score } of first) {
      const own = indexed.prepared.units[unit]?.own;
      for (const [term, count] of own?.terms ?? []) {
        const share = (score / total) * (count / Math.max(5, own?.length ?? 0));
        shared.set(term, (shared.get(term) ?? 0) + share * weigh(term, 1));
      }
    }
    const best = [...shared]
      .filter(([term]) => !asked.terms.has(term))
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, terms);
    const mean = [...base.values()].reduce((sum, w) => sum + w, 0) / Math.max(1, base.size);
    const most = best[0]?.[1] ?? 1;
    return new Map(best.map(([term, share]) => [term, (weight * mean * share) / most]));
  };
}

function unitsByTerm({ prepared }: Indexed): Map<string, number[]> {
  const units = new Map<string, number[]>();
  prepared.units.forEach(({ own }, at) => {
    for (const term of own.terms.keys()) units.set(term, [...(units.get(term) ?? []), at]);
  });
  return units;
}

/** Words that stand beside a word of the question more often than by chance (pointwise mutual information). */
export function cooccurring(terms: number, weight: number): Expand {
  return (indexed) => {
    const units = unitsByTerm(indexed);
    const all = indexed.prepared.units.length;
    return (asked, weigh) => {
      const more = new Map<string, number>();
      for (const [term, count] of asked.terms) {
        const holding = units.get(term) ?? [];
        if (holding.length > all / 20) continue;
        const beside = new Map<string, number>();
        for (const other of holding.flatMap((at) => [
          ...(indexed.prepared.units[at]?.own.terms.keys() ?? []),
        ])) {
          if (!asked.terms.has(other)) beside.set(other, (beside.get(other) ?? 0) + 1);
        }
        const strength = ([other, n]: readonly [string, number]): number =>
          Math.log((n * all) / (holding.length * (units.get(other)?.length ?? 1))) *
          Math.min(1, (2 * n) / holding.length);
        const best = [...beside]
          .filter(([, n]) => n >= 2)
          .map((entry) => [entry[0], strength(entry)] as const)
          .toSorted((a, b) => b[1] - a[1])
          .slice(0, terms);
        for (const [other, s] of best)
          keepLargest(more, other, (weight * weigh(term, count) * s) / 5);
      }
      return more;
    };
  };
}

function pairsOf(text: string): string[] {
  const terms = contentTerms(text);
  return terms.slice(1).map((term, at) => `${terms[at]} ${term}`);
}

/** Pairs of neighbouring words as terms of their own. */
export const PAIRS: Enrich =
  ({ units }) =>
  (at) =>
    pairsOf(units[at]?.text ?? '').map((pair) => [pair, 1] as const);

export function askedPairs(weight: number): Expand {
  return ({ postings }) =>
    ({ text }, weigh) =>
      new Map(
        pairsOf(text)
          .filter((pair) => postings.has(pair))
          .map((pair) => [pair, weight * Math.max(...pair.split(' ').map((t) => weigh(t, 1)))]),
      );
}

function gramsOf(text: string): string[] {
  return contentTerms(text).flatMap((term) => {
    const padded = `_${term}_`;
    return Array.from(
      { length: Math.max(0, padded.length - 3) },
      (_, n) => `#${padded.slice(n, n + 4)}`,
    );
  });
}

/** Character 4-grams of the stems. */
export const GRAMS: Enrich =
  ({ units }) =>
  (at) =>
    gramsOf(units[at]?.text ?? '').map((gram) => [gram, 0.5] as const);

export function askedGrams(weight: number): Expand {
  return () =>
    ({ terms }, weigh) => {
      const more = new Map<string, number>();
      for (const [term, count] of terms) {
        const grams = gramsOf(term);
        for (const gram of grams)
          keepLargest(more, gram, (weight * weigh(term, count)) / grams.length);
      }
      return more;
    };
}
