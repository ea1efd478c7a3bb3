/** Clauses that leave their subject out: "Lost my job", "Been busy", "Working on it"; and commands, which look alike. */
import { isPastForm } from '../../../domain/text/past-form.ts';
import { wordSet } from '../../../domain/text/word-set.ts';
import type { Word } from '../../english/tagger.ts';
import { isFinite, verbOf } from './verb.ts';
import { asks, isActivity, isVerb, LIKING } from './words.ts';

const STATE =
  wordSet(`excited stoked thrilled pumped nervous determined lucky blessed obsessed tired exhausted grateful thankful ready glad happy sorry
proud sad busy worried curious eager keen allergic`);
const AUXILIARY = /^(?:been|had|have|having|gonna|wanna|gotta|will|got|did|could)$/u;
const COLLOQUIAL = /^(?:gonna|wanna|gotta)$/u;

export type LeftOut = 'left out' | 'command' | 'question' | 'fragment';

/** Whether the clause may begin with its verb or a state. */
export function opensWithVerb(words: readonly Word[], at: number): boolean {
  const [first, next] = [words[at], words[at + 1]];
  if (first === undefined) return false;
  const opens = isVerb(first) || LIKING.has(first.lower) || COLLOQUIAL.test(first.lower);
  const isNoun = first.pos === 'NOUN' && next !== undefined && isVerb(next);
  return (opens && !isNoun) || STATE.has(first.lower);
}

/** The first verbs behind an activity that may be the one it is the subject of. */
const MOST_VERBS = 4;

function finiteVerb(words: readonly Word[], at: number): number | null {
  let from = at + 1;
  for (let tries = 0; tries < MOST_VERBS; tries += 1) {
    const verb = verbOf(words, from);
    if (verb === null || isFinite(words, verb, at)) return verb;
    from = verb + 1;
  }
  return null;
}

/** The verb of a clause whose subject is what somebody does: "Painting the fence takes a day"; null for any other. */
export function verbOfActivity(words: readonly Word[], at: number): number | null {
  const first = words[at];
  const verb = first !== undefined && isActivity(first) ? finiteVerb(words, at) : null;
  if (verb === null) return null;
  const comma = words.findIndex(({ text }, i) => i > at && text === ',');
  // "Sharing tools, especially new ones, is useful": a comma may close an insertion.
  const isBeforeComma = comma === -1 || verb < comma || words[verb - 1]?.text === ',';
  return isBeforeComma ? verb : null;
}

function ofAuxiliary(word: Word, next: Word | undefined): LeftOut {
  const isNegated = next?.lower === "n't" || next?.lower === 'not';
  if (isNegated) return word.lower === 'do' ? 'command' : 'left out';
  return AUXILIARY.test(word.lower) ? 'left out' : 'question';
}

/** What follows tells whether a word of liking is a verb: "Love my job", but not "Love you" and "Love and peace". */
function ofLiking(next: Word | undefined): LeftOut {
  return next?.lower === 'you' || next?.pos === 'CCONJ' ? 'fragment' : 'left out';
}

function ofVerb(word: Word, next: Word | undefined): LeftOut {
  if (isActivity(word)) return 'left out';
  if (word.pos === 'AUX') return ofAuxiliary(word, next);
  if (LIKING.has(word.lower)) return ofLiking(next);
  return isPastForm(word.lower) || STATE.has(word.lower) ? 'left out' : 'command';
}

/** What a clause is that opens with its verb or a state at `at`. */
export function leftOut(words: readonly Word[], at: number): LeftOut {
  const [word, next] = [words[at], words[at + 1]];
  if (word === undefined) return 'fragment';
  if (STATE.has(word.lower) && !isVerb(word)) return 'left out';
  if (asks(word, next)) return 'question';
  return word.lower === 'let' ? 'command' : ofVerb(word, next);
}
