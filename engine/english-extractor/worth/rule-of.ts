/**
 * Whether a clause holds something that lasts: an event, a habit, a plan, a preference, an ability, a possession, a
 * description. Praise, thanks, advice, small talk and general truths are none.
 */
import { readClause, type ClauseReading } from '../clause/reading.ts';
import { isOwnSubject } from '../clause/words.ts';
import { EXCLAIMS, MENTAL, PHATIC } from './lexicon.ts';
import { ofListener, ofOthers } from './of-others.ts';
import { ofSpeaker } from './of-speaker.ts';
import { namesOwn, predicateOf, type Predicate } from './predicate.ts';
import type { WorthRule } from './rules.ts';

/** "I think my job is safe": what is believed of oneself is worth what it would be if it were said outright. */
function believed({ act, lemma, reading }: Predicate): WorthRule | null {
  if (!MENTAL.has(lemma)) return null;
  const rest = reading.words.slice(act + 1);
  const inner = rest[0]?.lower === 'that' ? rest.slice(1) : rest;
  const read = isOwnSubject(inner[0]) ? readClause(inner) : 'fragment';
  return typeof read === 'string' ? null : judged(read, false);
}

function ofPlace(said: Predicate): WorthRule | null {
  return namesOwn(said.complement) && said.content > 1 ? 'of others' : null;
}

function judged(reading: ClauseReading, isOfName: boolean): WorthRule | null {
  const said = predicateOf(reading, isOfName);
  switch (reading.subject) {
    case 'speaker':
    case 'group':
    case 'left out':
      return ofSpeaker(said) ?? believed(said);
    case 'listener':
      return ofListener(said);
    case 'there':
      return ofPlace(said);
    case 'anybody':
      return null;
    case 'own':
    case 'other':
    case 'activity':
    case 'pronoun':
      return ofOthers(said);
  }
}

/**
 * The rule by which the clause is worth a statement; null when it is not. `text` is that of the words; `isOfName` says that its
 * subject is the name of somebody, which a capital alone does not at the beginning of a sentence.
 */
export function ruleOf(reading: ClauseReading, text: string, isOfName = false): WorthRule | null {
  const isTalk = PHATIC.test(text) || EXCLAIMS.test(text) || text.trimEnd().endsWith(':');
  return isTalk ? null : judged(reading, isOfName);
}
