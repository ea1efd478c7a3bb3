/** What may stand before the subject of a spoken clause: interjections, adverbs, times, places and conditions. */
import { wordSet } from '../../../domain/text/word-set.ts';
import type { Word } from '../../english/tagger.ts';
import { isActivity, isOwnSubject, isSign, isVerb } from './words.ts';

const TIME_NOUN =
  wordSet(`second minute hour day night morning evening afternoon week weekend month year decade summer winter spring autumn fall
monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october
november december mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec christmas easter time while
days weeks months years hours minutes today yesterday tomorrow tonight`);
const TIME_OPENING =
  wordSet(`last next this every each yesterday today tomorrow tonight a an two three four five six seven eight nine ten few some one couple
earlier later`);
const SUBORDINATE =
  wordSet(`since when whenever after before while because although though as if until till once unless
whereas so`);
/** Adverbs that begin a clause of another kind. */
const NO_LEAD = wordSet('there here how why where when');
/** In words: a longer opening is a clause of its own. */
const LONGEST_OPENING = 25;

/** A day, a month, a season or another stretch of time. */
export const isTimeNoun = ({ lower }: Word): boolean => TIME_NOUN.has(lower);

function isFollowedByVerb(words: readonly Word[], at: number): boolean {
  for (const word of words.slice(at + 1, at + 5)) {
    if (isSign(word)) return false;
    if (isVerb(word)) return true;
  }
  return false;
}

function isSubordinate(words: readonly Word[], at: number): boolean {
  const word = words[at];
  const isAmount =
    word?.lower === 'so' && /^(?:many|much|few|little)$/u.test(words[at + 1]?.lower ?? '');
  return word !== undefined && !isAmount && SUBORDINATE.has(word.lower) && word.pos !== 'NOUN';
}

function opensAdjunct(words: readonly Word[], at: number): boolean {
  const first = words[at];
  if (first === undefined) return false;
  const isTime = TIME_OPENING.has(first.lower) && words.slice(at, at + 4).some(isTimeNoun);
  return isTime || first.pos === 'ADP' || first.lower === 'to' || isTimeNoun(first);
}

/** Where the words of a time, a place or a condition that open the clause end; null when none open it. */
function afterAdjunct(words: readonly Word[], from: number): number | null {
  const depends = isSubordinate(words, from);
  if (!depends && !opensAdjunct(words, from)) return null;
  for (let i = from + 1; i < Math.min(words.length, from + LONGEST_OPENING); i += 1) {
    if (/^[,–—-]$/u.test(words[i]?.text ?? '')) return i + 1;
    if (!depends && isOwnSubject(words[i]) && isFollowedByVerb(words, i)) return i;
  }
  return null;
}

/** "Taking the bus, I met him": the phrase up to the comma before the speaker. */
function afterActivity(words: readonly Word[], from: number): number | null {
  const first = words[from];
  if (first === undefined || !isActivity(first)) return null;
  const comma = words.findIndex(
    ({ text }, i) => i > from && text === ',' && isOwnSubject(words[i + 1]),
  );
  return comma === -1 ? null : comma + 1;
}

function isLead(words: readonly Word[], at: number): boolean {
  const word = words[at];
  if (word === undefined) return false;
  const isAdverb = word.pos === 'ADV' && !NO_LEAD.has(word.lower) && !SUBORDINATE.has(word.lower);
  return isSign(word) || word.pos === 'INTJ' || word.pos === 'CCONJ' || isAdverb;
}

/** Where the subject may begin. */
export function openingOf(words: readonly Word[]): number {
  let at = 0;
  while (at < words.length) {
    const next = isLead(words, at) ? at + 1 : (afterAdjunct(words, at) ?? afterActivity(words, at));
    if (next === null || next >= words.length) return at;
    at = next;
  }
  return at;
}

/** The clause that depends on the one that it opens: of "Since I lost my job, things are hard" the first; else null. */
export function openingClause(words: readonly Word[]): readonly Word[] | null {
  const first = words.findIndex((_, i) => isSubordinate(words, i));
  const opens =
    first !== -1 && words.slice(0, first).every((word) => isSign(word) || word.pos === 'ADV');
  const comma = words.findIndex(({ text }, i) => i > first && text === ',');
  return opens && comma !== -1 ? words.slice(first + 1, comma) : null;
}
