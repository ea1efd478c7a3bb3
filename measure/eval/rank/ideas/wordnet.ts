/** An idea that adds terms to a query: what WordNet says of its words, in place of lists or beside them. */
import { words } from '../../../../domain/text/tokens.ts';
import { contentStem } from '../../../../engine/english/analysis.ts';
import { framesQuestion } from '../../../../engine/english/question-frame.ts';
import type { Expand } from '../shapes.ts';
import { statementCounts } from '../statements.ts';
import type { Synset, WordNet } from './wordnet-files.ts';

/** How surely a word stands for one that it is related to; 0 leaves the relation out. */
export interface WordNetWeights {
  /** Senses of a word that are used. */
  readonly senses: number;
  readonly synonym: number;
  /** Kinds of it, to the third step down, each a tenth weaker. */
  readonly kinds: number;
  /** What it is a kind of. */
  readonly above: number;
  readonly derived: number;
  readonly similar: number;
  /** Of all of them. */
  readonly weight: number;
}

export const WORDNET_WEIGHTS: WordNetWeights = {
  senses: 1,
  synonym: 1,
  kinds: 0.7,
  above: 0.4,
  derived: 0.8,
  similar: 0.5,
  weight: 0.4,
};

const STEPS_DOWN = 3;
const WEAKER = 0.9;
const MOST_TERMS = 200;

type Add = (synset: Synset, strength: number) => void;

function addKinds(net: WordNet, of: Synset, strength: number, steps: number, add: Add): void {
  if (steps === 0 || strength === 0) return;
  for (const kind of net.linked(of, ['~', '~i'])) {
    add(kind, strength);
    addKinds(net, kind, strength * WEAKER, steps - 1, add);
  }
}

function related(net: WordNet, word: string, weights: WordNetWeights): Map<string, number> {
  const found = new Map<string, number>();
  const add: Add = (synset, strength) => {
    for (const stem of synset.words.flatMap((one) => contentStem(one) ?? [])) {
      if (strength > (found.get(stem) ?? 0)) found.set(stem, strength);
    }
  };
  for (const sense of net.senses(word, weights.senses)) {
    add(sense, weights.synonym);
    addKinds(net, sense, weights.kinds, STEPS_DOWN, add);
    for (const one of net.linked(sense, ['@', '@i'])) add(one, weights.above);
    for (const one of net.linked(sense, ['+'])) add(one, weights.derived);
    for (const one of net.linked(sense, ['&', '^', '$'])) add(one, weights.similar);
  }
  return found;
}

/** Terms that no counted statement holds are left out. */
export function wordNet(net: WordNet, weights: WordNetWeights): Expand {
  const known = new Map<string, ReadonlyMap<string, number>>();
  const relatedOnce = (word: string): ReadonlyMap<string, number> => {
    const found = known.get(word) ?? related(net, word, weights);
    known.set(word, found);
    return found;
  };
  return ({ prepared }) => {
    const { frequencies } = statementCounts(prepared.conversation);
    return ({ names, terms, text }, weigh) => {
      const more = new Map<string, number>();
      for (const word of words(text)) {
        const own = contentStem(word);
        if (own === null || !terms.has(own) || names.has(own) || framesQuestion(own)) continue;
        for (const [stem, strength] of relatedOnce(word)) {
          if (terms.has(stem) || !frequencies.has(stem)) continue;
          const weight = weights.weight * strength * Math.min(weigh(own, 1), weigh(stem, 1));
          if (weight > (more.get(stem) ?? 0)) more.set(stem, weight);
        }
      }
      return new Map([...more].toSorted((a, b) => b[1] - a[1]).slice(0, MOST_TERMS));
    };
  };
}
