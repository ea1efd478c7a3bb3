/**
 * A sentence that opens with "it", "they" or "that" and names no subject cannot be understood alone: it belongs to
 * the statement before it, which names what is meant.
 */
import { contentTerms } from '../text/analyze.ts';
import { tagged } from '../english/tagger.ts';
import { isProse, readsAsEnglish } from './eligible.ts';
import type { OpenerStripper } from './openers.ts';
import { unclearPronouns } from './referents/pronouns.ts';
import { readClause } from './clause/reading.ts';
import { LINKING } from './worth/lexicon.ts';
import { predicateOf } from './worth/predicate.ts';
import { informativeWords } from './vague.ts';

const LEANS =
  /^(?:(?:and|but|so|plus|also|now|then) )?(?:it|it['’](?:s|ll|d)|its|they|they['’](?:re|ve|ll|d)|their|them|she|he|she['’]s|he['’]s|her|his|that|that['’]s|this|these|those|which)\b/iu;
const SECOND_PERSON = /\byou(?:r|rs|rself|['’]\p{L}+)?\b/iu;
/** "It was great!" adds nothing to what it praises. */
const MIN_CONTENT_WORDS = 2;
/** "That sounds like fun!" answers somebody. */
const REACTS = /^(?:and |but |so )?(?:that|this|it) (?:sounds|must)\b/iu;
const DEGREE = /\b(?:pretty|quite|super|totally|both|kinda)\b/giu;
/** "..., but it does not work": what takes back a part of what was said. */
const CONTRASTS = /^but\b|n['’]t\b|\bnot\b/iu;

/** "They keep me motivated" does something, "it was amazing" does not. */
function isDone(addition: string): boolean {
  const words = tagged(addition);
  const read = readClause(words);
  if (typeof read === 'string') return false;
  const { lemma } = predicateOf(read, false);
  return lemma !== 'be' && !LINKING.has(lemma);
}

/** The sentence, openers stripped, when it leans on the one before and names no listener; else null. */
function leaningPart(sentence: string, strip: OpenerStripper): string | null {
  if (!isProse(sentence) || !readsAsEnglish(sentence)) return null;
  const body = strip(sentence);
  if (!LEANS.test(body) || REACTS.test(body) || SECOND_PERSON.test(body)) return null;
  // "That bowl is pretty" leans on nothing, and "it is late" stands for nothing.
  return unclearPronouns(tagged(body), body).length === 0 ? null : body;
}

/** What the sentence adds to the one before it, openers stripped; null when it stands alone or adds nothing. */
export function continuationOf(sentence: string, strip: OpenerStripper): string | null {
  const body = leaningPart(sentence, strip);
  return body === null || contentTerms(body).length < MIN_CONTENT_WORDS ? null : body;
}

/**
 * What the end of a sentence adds to the clauses before it: what it tells beyond a judgement, or that they are not quite so.
 * `isContrast` says that "but" stands before it.
 */
export function tailOf(clause: string, isContrast: boolean, strip: OpenerStripper): string | null {
  const body = leaningPart(clause, strip);
  if (body === null || isContrast || CONTRASTS.test(body)) return body;
  if (contentTerms(body).length < MIN_CONTENT_WORDS) return null;
  return informativeWords(body.replace(DEGREE, '')) > 0 || isDone(body) ? body : null;
}
