/** The built-in answerer with the words of the languages that the text analysis knows. */
import { extractAnswer } from '../../domain/answers/extractive/answer.ts';
import type { ExtractiveInput } from '../../domain/answers/extractive/reading.ts';
import type { ExtractiveAnswer } from '../../domain/answers/extractive/types.ts';
import type { TextReader } from '../../domain/answers/extractive/words.ts';
import { isClearlyCapital } from '../../domain/entities/possible-names.ts';
import { isNoise } from '../../domain/entities/noise.ts';
import { nameTokensOf } from '../../domain/entities/tokens.ts';
import { words } from '../../domain/text/tokens.ts';
import { asksWhen, hasTimeCue } from '../english/cues.ts';
import { isOtherLatin } from '../english/function-words.ts';
import { framesQuestion } from '../english/question-frame.ts';
import { relatedStems } from '../english/related-words.ts';
import { resolveWindow } from '../english/time/resolve-window.ts';
import { contentTerms } from '../text/analyze.ts';
import { dateTerms } from '../text/ranked-unit.ts';

/** Names that a question may have; more are not looked at. */
const MOST_NAMES = 32;

/** Other languages write nouns with capitals, or have none. */
function namesIn(question: string): string[] {
  if (isOtherLatin(words(question))) return [];
  return nameTokensOf(question)
    .tokens.filter((token) => !token.isRun && isClearlyCapital(token) && !isNoise(token.word))
    .slice(0, MOST_NAMES)
    .map(({ word }) => word);
}

function timeAsked(
  question: string,
  referenceTime: string,
): { readonly from: string | null; readonly until: string | null } | null {
  const { from, until } = resolveWindow(question, { occurredAt: referenceTime, offsetMinutes: 0 });
  return from === null && until === null
    ? null
    : { from: from?.at ?? null, until: until?.at ?? null };
}

function dayTerms(instant: string): string[] {
  const at = Date.parse(instant);
  return Number.isNaN(at) ? [] : dateTerms(at);
}

export const EXTRACTIVE_READER: TextReader = {
  termsOf: contentTerms,
  relatedTo: relatedStems,
  framesQuestion,
  namesIn,
  dayTerms,
  hasTimeCue,
  asksWhen,
  timeAsked,
};

/** `extractAnswer` with the text analysis of this service: no model, no state, no waiting. */
export function answerExtractively(input: ExtractiveInput): ExtractiveAnswer {
  return extractAnswer(input, EXTRACTIVE_READER);
}
