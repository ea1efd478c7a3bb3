/** Which words are pronouns that stand for something, and which of them nothing in their own words explains. */
import type { Word } from '../../english/tagger.ts';
import { isNoun, isVerb } from '../clause/words.ts';
import { mentionsOf, type ReferentKind, type NamedThing } from './mentions.ts';

const PRONOUNS: ReadonlyMap<string, ReferentKind> = new Map([
  ['it', 'thing'],
  ['its', 'thing'],
  ['this', 'event'],
  ['that', 'event'],
  ['they', 'people'],
  ['them', 'people'],
  ['their', 'people'],
  ['theirs', 'people'],
  ['these', 'people'],
  ['those', 'people'],
  ['she', 'woman'],
  ['her', 'woman'],
  ['hers', 'woman'],
  ['he', 'man'],
  ['him', 'man'],
  ['his', 'man'],
  // "Here" is where its speaker is.
  ['there', 'place'],
]);

const WEATHER =
  /^(?:takes?|took|turns? out|turned out|seems?|rains?|rained|snows?|snowed|depends|(?:is|was) one of those)\b|^(?:'s|is|was|will be|'ll be)\s+(?:raining|snowing|sunny|cold|hot|late|early|monday|tuesday|wednesday|thursday|friday|saturday|sunday|time to|my turn)\b/iu;
const LEADS_ON = /^(?:to|that|since|when|if|how|what|because|\p{L}+ing)$/u;
const BEFORE_QUALITY =
  /^(?:'s|is|was|has|had|been|be|will|'ll|would|'d|can|could|must|might|may|not|n't|a|an|the|my|our|so|such|really|always|also|just|still|only|never|quite|pretty|very|too|kinda|few|couple|of|one|two|three|four|five|six|\d+)$/u;
const STRETCH =
  /^(?:while|ages|days?|weeks?|months?|years?|hours?|time|long|pleasure|shame|pity|honou?r|relief|joy|dream|goal|aim|privilege|blessing)$/u;
/** "I got this yesterday": the time is no part of what is pointed at. */
const TIMES =
  /^(?:yesterday|today|tomorrow|tonight|last|next|once|again|recently|lately|now|ago)$/u;
/** "Live it up", "things like that", "make it": these stand for nothing in particular. */
const IDIOM =
  /\b(?:(?:live|liv(?:ed|ing)) it up|(?:things?|stuff|something|anything) like (?:that|this)|(?:make|made|making) it(?= (?:to|through|work|happen|big|clear|back)\b|[.!,]?$)|(?:just )?like that|take it (?:easy|slow)|call(?:ed|ing)? it|figure it out|that['’]s (?:it|all)|at it|keep it up|who (?:needs?|wants?) (?:it|them)|(?:all|about) (?:that|it))\b/iu;
/** In characters, the part of an idiom that can stand beside its pronoun. */
const LONGEST_IDIOM = 16;

/** "It is hard to choose", "it has been a year since": this "it" stands for nothing. */
function isExpletive(words: readonly Word[], at: number, source: string): boolean {
  const word = words[at];
  if (word?.lower !== 'it') return false;
  if (WEATHER.test(source.slice(word.end).trimStart())) return true;
  const found = words.findIndex(({ lower }, i) => i > at && !BEFORE_QUALITY.test(lower));
  const quality = words[found];
  const isBe = words
    .slice(at + 1, found)
    .some(({ lower }) => /^(?:'s|is|was|been|be)$/u.test(lower));
  if (!isBe || quality === undefined || words[found + 1]?.lower === 'like') return false;
  const after = words[found + 1];
  // "It is a great chance to ...": something is one.
  const isOfThing = after !== undefined && isNoun(after) && !STRETCH.test(after.lower);
  const isQuality = (quality.pos === 'ADJ' && !isOfThing) || STRETCH.test(quality.lower);
  return isQuality && words.slice(found + 1, found + 5).some(({ lower }) => LEADS_ON.test(lower));
}

function isIdiom({ end, start }: Word, source: string): boolean {
  const from = Math.max(0, start - LONGEST_IDIOM);
  const idiom = IDIOM.exec(source.slice(from, end + LONGEST_IDIOM));
  if (idiom === null) return false;
  const begins = from + idiom.index;
  return begins <= start && begins + idiom[0].length >= end;
}

/** "This cake", "those old shoes": the word points, and the noun says at what. */
function isBeforeNoun(words: readonly Word[], at: number): boolean {
  const [next, after] = [words[at + 1], words[at + 2]];
  if (next === undefined || TIMES.test(next.lower)) return false;
  // "These new healthy snacks", whose first quality is tagged as an adverb.
  const isBehindAdverb = next.pos === 'ADV' && /^(?:ADJ|NOUN)$/u.test(after?.pos ?? '');
  const isQuality = next.pos === 'ADJ' || next.pos === 'NUM' || isBehindAdverb;
  // "We made this possible": the quality is no part of what is pointed at.
  const isOver = next.pos === 'ADJ' && (after === undefined || /^[.!?,;…]/u.test(after.text));
  return isNoun(next) || (isQuality && !isOver) || (next.pos === 'INTJ' && after !== undefined);
}

/** "That is mine" refers; "the one that is mine" and "that I like it" do not. */
function thatRefers(words: readonly Word[], at: number): boolean {
  const [before, next] = [words[at - 1], words[at + 1]];
  if (next === undefined || next.pos === 'PUNCT') return true;
  const opens = at === 0 || before?.pos === 'CCONJ' || before?.pos === 'PUNCT';
  return opens && isVerb(next);
}

function pointsAt(words: readonly Word[], at: number): boolean {
  const [word, next] = [words[at], words[at + 1]];
  if (word === undefined || isBeforeNoun(words, at)) return false;
  if (word.lower === 'that') return thatRefers(words, at);
  // "Those who help" are told by what follows.
  const isTold = /^(?:who|that|with|of|around|in)$/u.test(next?.lower ?? '');
  return !(word.lower === 'those' && isTold) && (word.pos === 'PRON' || word.pos === 'DET');
}

/** "I go there" refers, "there is" does not. */
function placeRefers(words: readonly Word[], at: number): boolean {
  const next = words[at + 1];
  const exists = next?.pos === 'AUX' || next?.lower === "'s";
  return !exists && words[at]?.pos !== 'DET' && next?.lower !== 'for';
}

/** Whether the word is a pronoun that stands for something, and not an article, a conjunction or "there is". */
function isReferring(words: readonly Word[], at: number, source: string): boolean {
  const word = words[at];
  if (word === undefined || !PRONOUNS.has(word.lower) || isIdiom(word, source)) return false;
  if (/^(?:this|these|those|that)$/u.test(word.lower)) return pointsAt(words, at);
  if (word.lower === 'there') return placeRefers(words, at);
  return !isExpletive(words, at, source);
}

/** "Ada and Bo ... they": two names together are people. */
function namesPair(words: readonly Word[]): boolean {
  return words.some(({ lower }, i) => {
    const [before, after] = [words[i - 1], words[i + 1]];
    const areNouns = before !== undefined && after !== undefined && isNoun(before) && isNoun(after);
    return lower === 'and' && areNouns;
  });
}

function explains(
  kind: ReferentKind,
  before: readonly NamedThing[],
  words: readonly Word[],
): boolean {
  const fits = before.some(
    ({ kinds }) => kinds.includes(kind) || (kind === 'thing' && kinds.includes('place')),
  );
  return fits || (kind === 'people' && before.length > 1 && namesPair(words));
}

/** "A problem with it": the noun that the pronoun depends on is not what it stands for. */
function beforeObject(words: readonly Word[], at: number): number {
  const [noun, preposition] = [words[at - 2], words[at - 1]];
  const isOwner = /^(?:its|their|his|her)$/u.test(words[at]?.lower ?? '');
  const depends = !isOwner && preposition?.pos === 'ADP' && noun !== undefined && isNoun(noun);
  return depends ? at - 2 : at;
}

export interface Unclear {
  /** Index of the pronoun among the words. */
  readonly at: number;
  readonly kind: ReferentKind;
}

/** The pronouns that nothing before them in the same words can stand for, the first of each kind. */
export function unclearPronouns(words: readonly Word[], source: string): readonly Unclear[] {
  const unclear: Unclear[] = [];
  for (const [at, { lower }] of words.entries()) {
    if (!isReferring(words, at, source)) continue;
    const kind = PRONOUNS.get(lower) ?? 'thing';
    const before = words.slice(0, beforeObject(words, at));
    const isKnown =
      unclear.some((other) => other.kind === kind) ||
      explains(kind, mentionsOf(before, source), before);
    if (!isKnown) unclear.push({ at, kind });
  }
  return unclear;
}
