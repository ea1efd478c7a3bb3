/** Kinds of words that the reading of a clause asks for. */
import { wordSet } from '../../../domain/text/word-set.ts';
import type { Word } from '../../english/tagger.ts';

export type SubjectKind =
  | 'speaker'
  | 'group'
  | 'own'
  | 'left out'
  | 'listener'
  | 'other'
  | 'activity'
  | 'pronoun'
  | 'there'
  | 'anybody';

function kindOfEach(kind: SubjectKind, words: string): [string, SubjectKind][] {
  return words.split(' ').map((word) => [word, kind]);
}

/** What a clause is about that opens with the word. */
export const SUBJECT_OF: ReadonlyMap<string, SubjectKind> = new Map([
  ...kindOfEach('speaker', 'i'),
  ...kindOfEach('group', 'we'),
  ...kindOfEach('listener', 'you your yours'),
  ...kindOfEach('own', 'my mine our ours'),
  ...kindOfEach('pronoun', 'he she they it this that these those'),
  ...kindOfEach('there', 'there'),
  ...kindOfEach(
    'anybody',
    'everyone everybody someone somebody anyone anybody nobody everything nothing something anything one all',
  ),
]);

const NOMINATIVE =
  wordSet(`i we you he she they it this that these those there everyone everybody someone somebody anyone anybody nobody everything nothing
something anything`);
const ASKING = wordSet(
  'do does did is are am was were can could will would should may have has had shall might',
);
export const LIKING = wordSet(
  'love like hate need want prefer enjoy hope miss wish plan adore dislike',
);

export const isSign = ({ pos }: Word): boolean => pos === 'PUNCT' || pos === 'SYM';
export const isVerb = ({ pos }: Word): boolean => pos === 'VERB' || pos === 'AUX';
export const isNoun = ({ pos }: Word): boolean => pos === 'NOUN' || pos === 'PROPN';
export const isNominative = ({ lower }: Word): boolean => NOMINATIVE.has(lower);
export const isOwnSubject = (word: Word | undefined): boolean =>
  /^(?:i|we|my|our)$/u.test(word?.lower ?? '');
/** "Kayaking", but not "thing". */
export const isActivity = ({ lower }: Word): boolean =>
  lower.endsWith('ing') && lower.length > 4 && !lower.endsWith('thing');

/** "Did you", "have our": the verb before its subject. */
export function asks(verb: Word, next: Word | undefined): boolean {
  const isSubject =
    next !== undefined && (isNominative(next) || /^(?:my|our|your|mine|yours)$/u.test(next.lower));
  return ASKING.has(verb.lower) && isSubject;
}
