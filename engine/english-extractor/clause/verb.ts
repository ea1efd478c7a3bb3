/** Finds the verb of a clause by its tags, and by its looks where a verb is tagged as a noun. */
import { isPastForm } from '../../../domain/text/past-form.ts';
import { tagged, type Word } from '../../english/tagger.ts';
import { isBaseVerb } from '../verbs.ts';
import { isActivity, isNominative, isNoun, isVerb, LIKING } from './words.ts';

/** In words: a verb that stands further away belongs to something else. */
const REACH = 8;

/** "Have been reading", tagged as a noun. */
function isProgressive(words: readonly Word[], at: number): boolean {
  const [before, word] = [words[at - 1], words[at]];
  return (
    word !== undefined &&
    isActivity(word) &&
    /^(?:am|is|are|was|were|been|'m|'re)$/u.test(before?.lower ?? '')
  );
}

/** In words: a comma so far behind the subject ends it. */
const FAR = 15;

/** The last word of the verb group that begins at `verb`: "has been working" is about "working". */
export function mainOf(words: readonly Word[], verb: number): number {
  let main = verb;
  for (let i = verb + 1; i < words.length; i += 1) {
    const word = words[i];
    // "It's part-time work": half of a compound is no verb.
    if (word === undefined || words[i + 1]?.text === '-') break;
    const follows = words[main]?.pos === 'AUX' || (main === verb && isShortBe(words, verb));
    if (follows && (isVerb(word) || isProgressive(words, i))) main = i;
    else if ((word.pos !== 'ADV' && word.pos !== 'PART') || word.lower === 'to') break;
  }
  return main;
}

/** "My dad's a doctor": a short "is", which looks like a possessive. */
export function isShortBe(words: readonly Word[], at: number): boolean {
  const next = words[at + 1];
  if (words[at]?.lower !== "'s" || next === undefined) return false;
  const isDescribed = next.pos === 'ADJ' && words[at + 2]?.pos !== 'NOUN';
  const isFunction = /^(?:a|an|one|the|not|in|at|on|been|my|our|his|her|their)$/u.test(next.lower);
  return next.pos === 'ADV' || isFunction || next.lower.endsWith('ing') || isDescribed;
}

/** Whether the word is a verb where a verb must stand. */
function canBeVerb(base: string): boolean {
  return isBaseVerb(base) || tagged(`They ${base} it.`)[1]?.pos === 'VERB';
}

/** "The kids love nature". */
function likesBehind(before: Word | undefined, word: Word): boolean {
  return (
    before !== undefined && isNoun(before) && before.lower.endsWith('s') && LIKING.has(word.lower)
  );
}

/** Tagged as a noun, and a verb by its place: "My sister lives in Graz", "My canoe leaks", "I neither drink". */
function looksLikeVerb(words: readonly Word[], at: number, from: number): boolean {
  const [before, word] = [words[at - 1], words[at]];
  if (word === undefined || word.pos !== 'NOUN') return false;
  const isAfterPronoun = /^(?:i|we|you|they)$/u.test(words[from - 1]?.lower ?? '');
  if (isAfterPronoun) return isBaseVerb(word.lower) || isPastForm(word.lower);
  if (likesBehind(before, word)) return true;
  const base = word.lower.replace(/s$/u, '');
  const isAfterNoun = before !== undefined && (isNoun(before) || before.pos === 'ADV');
  return base !== word.lower && isAfterNoun && canBeVerb(base);
}

/** A pronoun that begins a clause within the subject: "The novel I am reading". */
function beginsRelative(words: readonly Word[], at: number): boolean {
  const word = words[at];
  const isPointing = word?.lower === 'that' || word?.lower === 'this';
  const isObject = /^(?:CCONJ|ADP|VERB|AUX)$/u.test(words[at - 1]?.pos ?? '');
  return word !== undefined && isNominative(word) && !isPointing && !isObject;
}

/** An infinitive, one joined to it, or an -ing form: part of a phrase, and no verb of the clause. */
function createModifiers(words: readonly Word[], from: number): (at: number) => boolean {
  let isBehindInfinitive = false;
  return (at) => {
    const word = words[at];
    if (word === undefined || at === from) return false;
    const before = words[at - 1]?.lower ?? '';
    const isJoined =
      isBehindInfinitive &&
      /^(?:and|or)$/u.test(before) &&
      word.pos === 'VERB' &&
      word.lower === word.lemma;
    if (before === 'to') isBehindInfinitive = true;
    return before === 'to' || isJoined || (word.pos === 'VERB' && word.lower.endsWith('ing'));
  };
}

function taggedVerb(words: readonly Word[], from: number): number | null {
  let relatives = 0;
  const isModifier = createModifiers(words, from);
  for (let i = from; i < words.length; i += 1) {
    if (i > from && beginsRelative(words, i)) relatives += 1;
    else if (words[i]?.text === ',' && i > from + FAR) return null;
    const isCandidate = words[i] !== undefined && (isVerb(words[i] as Word) || isShortBe(words, i));
    if (!isCandidate || isModifier(i)) continue;
    if (relatives === 0) return i;
    // The verb behind the pronoun belongs to the clause within the subject.
    relatives -= 1;
    i = mainOf(words, i);
  }
  return null;
}

/** The first verb of the clause after the words of its subject; null without one. */
export function verbOf(words: readonly Word[], from: number): number | null {
  const tagged = taggedVerb(words, from);
  if (tagged !== null) return tagged;
  const at = words.findIndex((_, i) => i >= from && looksLikeVerb(words, i, from));
  return at === -1 || at > from + REACH ? null : at;
}

/** "Playing and singing": two activities make a plural. */
function isPair(words: readonly Word[]): boolean {
  return words.some(
    ({ lower }, i) => lower === 'and' && words[i + 1]?.lower.endsWith('ing') === true,
  );
}

/** Whether the verb at `verb` has the words from `from` as its subject, and is none of them ("doing what I love is"). */
export function isFinite(words: readonly Word[], verb: number, from: number): boolean {
  const word = words[verb];
  if (word === undefined) return false;
  const before = words.slice(from, verb);
  if (/^(?:that|who|which|to)$/u.test(before.at(-1)?.lower ?? '')) return false;
  // "Trying to stay motivated".
  if (before.at(-2)?.lower === 'to' && before.at(-1)?.pos === 'VERB') return false;
  if (word.pos === 'AUX') return !/^(?:be|been|being|wanna|gonna|gotta)$/u.test(word.lower);
  return (
    word.lower.endsWith('s') ||
    isPastForm(word.lower) ||
    (isPair(before) && word.lower === word.lemma)
  );
}
