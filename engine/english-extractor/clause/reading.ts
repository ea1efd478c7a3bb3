/**
 * Reads an English clause as far as judging it needs: who or what it is about, and what it says of that. Spoken English
 * leaves out subjects ("Just started learning"), opens with times and conditions ("Last week, I ..."), and commands.
 */
import type { Word } from '../../english/tagger.ts';
import { leftOut, opensWithVerb, verbOfActivity } from './left-out.ts';
import { openingOf } from './opening.ts';
import { mainOf, verbOf } from './verb.ts';
import { isActivity, isNoun, isOwnSubject, SUBJECT_OF, type SubjectKind } from './words.ts';

export interface ClauseReading {
  readonly words: readonly Word[];
  readonly subject: SubjectKind;
  /** Where the subject begins, and where it ends: the first word of the verb group. */
  readonly from: number;
  readonly verb: number;
  /** The last word of the verb group: what is done, or the form of "be" of a description. */
  readonly main: number;
}

/** A clause that commands, asks or has no verb. */
export type NoReading = 'command' | 'question' | 'fragment';

const ASKING = /^(?:who|whom|whose|which|where|why|how|when)$/u;
const DETERMINER = /^(?:this|that|these|those|all|one)$/u;

function reading(
  words: readonly Word[],
  subject: SubjectKind,
  from: number,
  verb: number,
): ClauseReading {
  return { words, subject, from, verb, main: mainOf(words, verb) };
}

/** What the first word says of the subject; null for a noun and what stands before one. */
function subjectKind(words: readonly Word[], at: number): SubjectKind | null {
  const [first, next] = [words[at], words[at + 1]];
  if (first === undefined) return null;
  const isBeforeNoun = next !== undefined && (isNoun(next) || next.pos === 'ADJ');
  return DETERMINER.test(first.lower) && isBeforeNoun
    ? null
    : (SUBJECT_OF.get(first.lower) ?? null);
}

function ofNoun(words: readonly Word[], at: number): ClauseReading | NoReading {
  const verb = verbOf(words, at);
  const first = words[at];
  if (verb === null || first === undefined) return 'fragment';
  const isOwn = words.slice(at, verb).some(isOwnSubject);
  return reading(words, isActivity(first) ? 'activity' : isOwn ? 'own' : 'other', at, verb);
}

/** The reading of an English clause from its tagged words. */
export function readClause(words: readonly Word[]): ClauseReading | NoReading {
  const at = openingOf(words);
  const first = words[at];
  if (first === undefined) return 'fragment';
  if (ASKING.test(first.lower)) return 'question';
  const kind = subjectKind(words, at);
  if (kind !== null) {
    const verb = verbOf(words, at + 1);
    return verb === null ? 'fragment' : reading(words, kind, at, verb);
  }
  if (!opensWithVerb(words, at)) return ofNoun(words, at);
  const verb = verbOfActivity(words, at);
  if (verb !== null) return reading(words, 'activity', at, verb);
  const kindLeftOut = leftOut(words, at);
  return kindLeftOut === 'left out' ? reading(words, 'left out', at, at) : kindLeftOut;
}
