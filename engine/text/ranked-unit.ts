/** What is read out of a passage for ranking, once, when it is written. */
import type { WeightedTerms } from '../../domain/ranking/bag.ts';
import { endsAsQuestion, hasTimeCue, isShortQuestion } from '../english/cues.ts';
import { analyze, contentTerms } from './analyze.ts';
import { dateWords } from '../english/time/date-words.ts';

export interface UnitReading {
  readonly own: WeightedTerms;
  readonly isShortQuestion: boolean;
  /** Whether the next unit may be an answer. */
  readonly asks: boolean;
  readonly hasTimeCue: boolean;
}

export function readUnit(text: string): UnitReading {
  const own = analyze(text);
  return {
    own,
    isShortQuestion: isShortQuestion(text, own.length),
    asks: endsAsQuestion(text),
    hasTimeCue: hasTimeCue(text),
  };
}

/** Terms of the name of a speaker, for a bag. */
export function nameTerms(name: string): string[] {
  return contentTerms(name);
}

/** Terms of the day of a moment, for a bag. */
export function dateTerms(at: number, offsetMinutes = 0): string[] {
  return contentTerms(dateWords(at, offsetMinutes).join(' '));
}
