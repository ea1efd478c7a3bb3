/**
 * Analysis of a text into weighted terms, the same for points and queries. Each script has what measures best:
 * English stems; other Latin languages and Devanagari words plus half-weight 4-grams; Cyrillic, Arabic and
 * every other alphabet 4-grams alone; Han, kana and Hangul bigrams; Thai and its neighbours dictionary words.
 * Words of another Latin language are stemmed like English ones, so that a query too short to show its
 * language still meets them.
 */
import { segments, wordForms, type Segment } from '../../domain/text/tokens.ts';
import { contentStem } from '../english/analysis.ts';
import { isFunctionWord, isOtherLatin } from '../english/function-words.ts';
import { bigramsOf, dictionaryWords, gramsOf } from './grams.ts';

/** Part of every point; points of another version are indexed again. */
export const ANALYZER_VERSION = 2;

const GRAM_WEIGHT = 0.5;

export interface Analysis {
  /** Term to real-valued frequency. */
  readonly terms: ReadonlyMap<string, number>;
  /** Number of content words (or bigrams, or dictionary words): the length in the ranking formula. */
  readonly length: number;
}

type Script = 'latin' | 'devanagari' | 'hangul' | 'other';

/** Most words, at a tenth of what the look at scripts costs. */
const ASCII_WORD = /^[0-9A-Za-z']+$/;
const LATIN_OR_NUMBER = /^[\p{sc=Latin}\p{N}\p{M}']+$/u;
const DEVANAGARI = /^\p{sc=Devanagari}/u;
const HANGUL = /^\p{sc=Hangul}/u;

function scriptOf(word: string): Script {
  if (ASCII_WORD.test(word) || LATIN_OR_NUMBER.test(word)) return 'latin';
  if (DEVANAGARI.test(word)) return 'devanagari';
  return HANGUL.test(word) ? 'hangul' : 'other';
}

/** What one segment contributes. `words` are the content terms, `grams` the weaker ones beside them. */
interface Contribution {
  readonly words: readonly string[];
  readonly grams: readonly string[];
}

const NOTHING: Contribution = { words: [], grams: [] };

function analyzeLatin(word: string, otherLatin: boolean): Contribution {
  if (!otherLatin) {
    const stem = contentStem(word);
    return stem === null || stem === '' ? NOTHING : { words: [stem], grams: [] };
  }
  const forms = wordForms(word).filter((form) => !isFunctionWord(form));
  return {
    words: forms.flatMap((form) => contentStem(form) ?? []),
    grams: forms.flatMap((form) => gramsOf(form)),
  };
}

function analyzeWord(word: string, otherLatin: boolean): Contribution {
  switch (scriptOf(word)) {
    case 'latin':
      return analyzeLatin(word, otherLatin);
    case 'devanagari':
      return isFunctionWord(word) ? NOTHING : { words: [word], grams: gramsOf(word) };
    case 'hangul':
      return { words: bigramsOf(word), grams: [] };
    case 'other':
      return { words: gramsOf(word), grams: [] };
  }
}

function analyzeSegment(segment: Segment, otherLatin: boolean): Contribution {
  if (segment.kind === 'cjk') return { words: bigramsOf(segment.text), grams: [] };
  if (segment.kind === 'unspaced') return { words: dictionaryWords(segment.text), grams: [] };
  return analyzeWord(segment.text, otherLatin);
}

function contributions(text: string): Contribution[] {
  const parts = segments(text);
  const latin = parts.filter((p) => p.kind === 'word' && LATIN_OR_NUMBER.test(p.text));
  const otherLatin = isOtherLatin(latin.map((p) => p.text));
  const known = new Map<string, Contribution>();
  return parts.map((segment) => {
    const contribution = known.get(segment.text) ?? analyzeSegment(segment, otherLatin);
    known.set(segment.text, contribution);
    return contribution;
  });
}

/** Terms of a text with their frequencies, and its length. Text without letters and digits gives none. */
export function analyze(text: string): Analysis {
  const terms = new Map<string, number>();
  let length = 0;
  const add = (term: string, weight: number): void => {
    terms.set(term, (terms.get(term) ?? 0) + weight);
  };
  for (const { words, grams } of contributions(text)) {
    length += words.length;
    for (const word of words) add(word, 1);
    for (const gram of grams) add(gram, GRAM_WEIGHT);
  }
  return { terms, length };
}

/** Content terms of a text in order, repetitions kept: stems, words or bigrams, without the weaker grams. */
export function contentTerms(text: string): string[] {
  return contributions(text).flatMap((contribution) => contribution.words);
}
