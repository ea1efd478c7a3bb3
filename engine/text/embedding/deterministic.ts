/**
 * The embedder that needs no model: words, word pairs and character n-grams hashed into a fixed number of
 * dimensions with a sign, so that unrelated texts are orthogonal on average. It finds spellings and shared
 * wording, not meaning. It uses only additions, products and square roots, which IEEE 754 rounds alike everywhere,
 * so a text has one vector on every platform.
 */
import { DETERMINISTIC_DIMENSIONS } from '../../../domain/models/role-config.ts';
import { murmur3 } from '../../../domain/ranking/term-id.ts';
import { foldingWithin } from '../../../domain/text/fold.ts';
import { characters, words } from '../../../domain/text/tokens.ts';
import { contentTerms } from '../analyze.ts';

const WORD_WEIGHT = 1;
const PAIR_WEIGHT = 0.5;
const GRAM_WEIGHT = 0.35;
const GRAM_SIZES = [3, 4, 5] as const;
const SIGN_SEED = 0x9747b28c;

/** More than a passage, a statement or a query folds to, unless its characters expand. */
const MOST_EMBEDDED_CHARS = 4_800;

function count(features: Map<string, number>, feature: string, times = 1): void {
  features.set(feature, (features.get(feature) ?? 0) + times);
}

/** How often each term stands in the text. */
function frequenciesOf(terms: readonly string[]): ReadonlyMap<string, number> {
  const frequencies = new Map<string, number>();
  for (const term of terms) count(frequencies, term);
  return frequencies;
}

function characterGrams(features: Map<string, number>, term: string, times: number): void {
  const padded = ['<', ...characters(term), '>'];
  for (const size of GRAM_SIZES) {
    for (let i = 0; i + size <= padded.length; i += 1) {
      count(features, `g${padded.slice(i, i + size).join('')}`, times);
    }
  }
}

function featuresOf(whole: string): Map<string, number> {
  const text = foldingWithin(whole, MOST_EMBEDDED_CHARS);
  const content = contentTerms(text);
  const terms = content.length > 0 ? content : words(text);
  const features = new Map<string, number>();
  const frequencies = frequenciesOf(terms);
  const read = new Set<string>();
  terms.forEach((term, i) => {
    count(features, `w${term}`);
    const next = terms[i + 1];
    if (next !== undefined) count(features, `p${term} ${next}`);
    // The grams of a word are made where it stands first, and counted for all its places.
    if (!read.has(term)) characterGrams(features, term, frequencies.get(term) ?? 0);
    read.add(term);
  });
  return features;
}

function weightOf(feature: string): number {
  if (feature.startsWith('w')) return WORD_WEIGHT;
  return feature.startsWith('p') ? PAIR_WEIGHT : GRAM_WEIGHT;
}

/**
 * The vector of a text's content words, or of all its words when they are function words: 384 numbers of length 1,
 * rounded to 1e-6. A text without letters and digits has the zero vector; callers do not index or search it.
 */
export function embedDeterministic(text: string): number[] {
  const vector = Array.from({ length: DETERMINISTIC_DIMENSIONS }, () => 0);
  for (const [feature, frequency] of featuresOf(text)) {
    const slot = murmur3(feature) % DETERMINISTIC_DIMENSIONS;
    const sign = (murmur3(feature, SIGN_SEED) & 1) === 0 ? 1 : -1;
    vector[slot] = (vector[slot] ?? 0) + sign * weightOf(feature) * Math.sqrt(frequency);
  }
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (norm === 0) return vector;
  return vector.map((value) => Math.round((value / norm) * 1e6) / 1e6 + 0);
}
