/** Whom or what a clause about others is about, as far as the rules of worth ask. */
import type { Word } from '../../english/tagger.ts';
import { informative, isName, namesOwn, type Predicate } from './predicate.ts';
import type { WorthRule } from './rules.ts';

/** Whom or what a clause about others is about. */
export interface ToldSubject {
  /** It or what is said of it is the speaker's. */
  readonly isOwn: boolean;
  readonly isNamed: boolean;
  /** Words of subject and predicate that are not vague. */
  readonly about: number;
}

/** What somebody does with what is theirs, and not what they see or know: "growing my shop". */
export function isOwned(deed: readonly Word[]): boolean {
  const isFelt = /^(?:see|hear|know|think|feel|watch|notice|be)ing$/u.test(deed[0]?.lower ?? '');
  return !isFelt && deed.some(({ lower }) => lower === 'my' || lower === 'our');
}

export function subjectOf({ complement, content, isOfName, reading }: Predicate): ToldSubject {
  const { from, subject, verb, words } = reading;
  const named = words.slice(from, verb);
  return {
    // "Growing my shop is the focus": what somebody does with what is theirs.
    isOwn: subject === 'own' || namesOwn(complement) || (subject === 'activity' && isOwned(named)),
    isNamed: isOfName || named.some((word) => isName(word, words)),
    about: informative(named) + content,
  };
}

/** The rule for what is told of another. */
export const ruleFor = ({ reading }: Predicate): WorthRule =>
  reading.subject === 'own' ? 'description' : 'of others';

/** "Family is important to me", "running is good for my health". */
function isValued({ complement }: Predicate): boolean {
  return complement.some(
    ({ lower }, i) =>
      /^(?:to|for)$/u.test(lower) && /^(?:me|us|my|our)$/u.test(complement[i + 1]?.lower ?? ''),
  );
}

/** Whether what is said of a thing is its worth to the speaker. */
export function isSomebodys(said: Predicate): boolean {
  return /^(?:other|activity|own)$/u.test(said.reading.subject) && isValued(said);
}
