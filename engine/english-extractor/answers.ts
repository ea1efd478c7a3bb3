/** Answers that say nothing without their question: "Since I was 17 or so", "About seven years". */
import { tagged, type Word } from '../english/tagger.ts';
import type { Sentence } from '../text/sentences.ts';
import type { Assertion } from './assertion.ts';
import { askedBehind } from './asked.ts';
import type { Context } from './context.ts';
import { isProse, readsAsEnglish } from './eligible.ts';
import { isNoun } from './clause/words.ts';
import { told } from './judged.ts';
import { EVALUATIVE } from './worth/lexicon.ts';
import { readClause } from './clause/reading.ts';
import { MIN_SENTENCE } from './sentence-bounds.ts';
import type { Voice } from './voice.ts';
import { informativeWords } from './vague.ts';

/** A question that asks for a thing, a time, a place, a way or a reason. */
const ASKS_FOR =
  /(?:^|[\s,;–—-])(?:what|who|when|where|which|why|how (?:long|many|much|old|often|far))\b/iu;
const SECOND_PERSON = /\byou(?:r|rs)?\b/iu;
const THANKS =
  /^(?:thanks?|congrat\p{L}*|wow|good|great|nice|awesome|cool|sounds|sorry|welcome|no|ha+)\b/iu;
const LONGEST_ANSWER = 200;

function isAnswer(text: string): boolean {
  const isOfLength = text.length >= MIN_SENTENCE && text.length <= LONGEST_ANSWER;
  return isOfLength && isProse(text) && readsAsEnglish(text) && !SECOND_PERSON.test(text);
}

/** No sentence, or "it is" and a part of one: "It's mostly stress and boredom". */
function isFragment(words: readonly Word[]): boolean {
  const reading = readClause(words);
  if (typeof reading === 'string') return reading === 'fragment';
  const isIt =
    words[reading.from]?.lower === 'it' &&
    /^(?:'s|is|was)$/u.test(words[reading.verb]?.lower ?? '');
  const said = words.slice(reading.verb + 1);
  return isIt && said.some(isNoun) && !said.some(({ lower }) => EVALUATIVE.has(lower));
}

/** Says something, and no sentence. */
function tells(body: string, words: readonly Word[]): boolean {
  const said = words.filter(({ pos }) => pos !== 'INTJ' && pos !== 'PUNCT');
  const isPart = isFragment(words) && !THANKS.test(body) && said.length > 1;
  return isPart && (said.some(({ pos }) => pos === 'NUM') || informativeWords(body) > 0);
}

const withSmallLetter = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** The answer with its question; null for a sentence that is none, or that says something by itself. */
export function answered({ text }: Sentence, context: Context, speaker: Voice): Assertion | null {
  const asked = isAnswer(text) ? context.asked() : null;
  if (asked === null || !ASKS_FOR.test(asked.question)) return null;
  const body = speaker.strip(text);
  const words = tagged(body);
  if (!tells(body, words)) return null;
  const isName = words[0]?.pos === 'PROPN';
  const answer = told(isName ? body : withSmallLetter(body), speaker, text);
  return {
    ...askedBehind(`${speaker.name}: ${isName ? answer : withSmallLetter(answer)}`, asked),
    span: text,
    dated: text,
    subjectRef: speaker.key,
    rule: 'answer',
  };
}
