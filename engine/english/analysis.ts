/** English word analysis: possessives and contractions cut, stop words out, irregular families and Porter stems. */
import { stemmer } from 'stemmer';

import { irregularBase } from '../../domain/text/irregular.ts';
import { wordSet } from '../../domain/text/word-set.ts';

const STOP_WORDS =
  wordSet(`a about above after again against all also am an and any are as at be because been before being below between
both but by can cannot could did do does doing down during each either else ever few for from further had has have
having he her here hers herself him himself his how i if in into is it its itself just me might more most
must my myself neither no nor not now of off oh ok okay on once one only or other ought our ours ourselves out over own
really same shall she should so some such than that the their theirs them themselves then there these they
this those through to too under until up upon us very was we well were what when where whether which while who whom
whose why will with would yeah yes you your yours yourself yourselves gonna wanna gotta`);

/** Suffixes that an apostrophe introduces; the word stands before it. */
const CONTRACTION = /^(.+?)(?:n't|'(?:s|re|ve|ll|d|m|t)?)$/u;
const IRREGULAR_NEGATIONS: ReadonlyMap<string, string> = new Map([
  ["can't", 'can'],
  ["won't", 'will'],
  ["shan't", 'shall'],
  ["ain't", 'is'],
]);

/** The word without possessive or contracted ending (`Anna's` -> `anna`, `don't` -> `do`). Folded input. */
function withoutContraction(word: string): string {
  if (!word.includes("'")) return word;
  return IRREGULAR_NEGATIONS.get(word) ?? CONTRACTION.exec(word)?.[1] ?? word;
}

function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Stem of a folded word: irregular families share one, numbers stay as they are. */
function englishStem(word: string): string {
  const base = irregularBase(word);
  return /^[a-z]+$/u.test(base) ? stemmer(base) : base;
}

/** Content stem of a folded word, or null for a stop word. */
export function contentStem(word: string): string | null {
  const bare = withoutContraction(word);
  if (isStopWord(bare)) return null;
  return englishStem(bare.replaceAll("'", ''));
}
