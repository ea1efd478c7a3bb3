/** What the wording of a unit or of a question says about where the answer stands. Linear in the text. */
import { MONTH, SEASON, WEEKDAY, YEAR } from './time/lexicon.ts';

const TIME = new RegExp(
  String.raw`\b(?:yesterday|today|tonight|tomorrow|ago|recently|lately|since|${WEEKDAY}s?|${SEASON}|${MONTH}|${YEAR}|(?:last|next|this|past|coming) (?:morning|afternoon|evening|night|week|weekend|month|year|summer|winter)|(?:minute|hour|day|week|weekend|month|year|decade)s?|\d{1,2}(?:st|nd|rd|th))\b`,
  'iu',
);
const ASKS_WHEN =
  /\b(?:when|how (?:long|many (?:minutes|hours|days|weeks|months|years))|(?:what|which) (?:day|date|week|month|year|time))\b/iu;
const FIRST_PERSON = /\b(?:i|my|me|mine|myself)\b/iu;
const ENDS_AS_QUESTION = /\?["'\u201D\u2019)\]*_\s]*$/u;

/** A question with more content terms often says something as well. */
const SHORT_QUESTION_TERMS = 6;
/** Characters read at the end of a unit to see its last sign. */
const TAIL = 16;

/** Whether a text names a time. */
export function hasTimeCue(text: string): boolean {
  return TIME.test(text);
}

/** Whether a question asks for a time or a length of time. */
export function asksWhen(question: string): boolean {
  return ASKS_WHEN.test(question);
}

/** Whether a question is about the one who asks. */
export function asksOfOneself(question: string): boolean {
  return FIRST_PERSON.test(question);
}

/** Whether a unit ends as a question: what follows it may be the answer. */
export function endsAsQuestion(text: string): boolean {
  return ENDS_AS_QUESTION.test(text.slice(-TAIL));
}

/** Whether a unit of `terms` content terms is a short question and nothing else. */
export function isShortQuestion(text: string, terms: number): boolean {
  return terms <= SHORT_QUESTION_TERMS && endsAsQuestion(text);
}
