/** Variants with related words by WordNet, whose files are no part of the project. */
import { wordNet, WORDNET_WEIGHTS, type WordNetWeights } from './ideas/wordnet.ts';
import { WordNet } from './ideas/wordnet-files.ts';
import { RANKER } from './recipe.ts';
import type { Variant } from './variant.ts';
import { ofRanker } from './variants.ts';

const { senses, weight } = WORDNET_WEIGHTS;
const NO_RELATION = { senses, weight, synonym: 0, kinds: 0, above: 0, derived: 0, similar: 0 };

/** `folder` holds the files of WordNet 3.0. */
export function wordNetVariants(folder: string): readonly Variant[] {
  const net = new WordNet(folder);
  const of = (name: string, about: string, weights: WordNetWeights): Variant =>
    ofRanker(`wordnet-${name}`, about, { expand: wordNet(net, weights) });
  return [
    of('all', 'ranker, and all that WordNet relates', WORDNET_WEIGHTS),
    ofRanker('wordnet-alone', 'ranker with WordNet in place of related words', {
      query: { ...RANKER.query, related: 0 },
      expand: wordNet(net, WORDNET_WEIGHTS),
    }),
    of('light', 'wordnet-all at half the weight', { ...WORDNET_WEIGHTS, weight: 0.2 }),
    of('two-senses', 'wordnet-all by two senses of a word', { ...WORDNET_WEIGHTS, senses: 2 }),
    of('synonyms', 'ranker, and words of one meaning', { ...NO_RELATION, synonym: 1 }),
    of('kinds', 'ranker, and kinds of what is asked', { ...NO_RELATION, kinds: 0.7 }),
    of('above', 'ranker, and what a word is a kind of', { ...NO_RELATION, above: 0.4 }),
    of('derived', 'ranker, and words of one root', { ...NO_RELATION, derived: 0.8 }),
  ];
}
