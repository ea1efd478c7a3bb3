/** Whether a message only asks: it repeats what somebody wants to know, and is no evidence of it. */
import { sentencesOf } from './sentences.ts';

const QUESTION = /[?？؟][\s"'”’)*_\]]*$/u;
/** "Hey Mel!", "Wow, thanks!": so few words beside a question tell nothing. */
const WORDS_OF_A_REMARK = 3;
const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;
const SAYS_NUMBER = /\p{N}/u;

const tells = (sentence: string): boolean =>
  SAYS_NUMBER.test(sentence) || (sentence.match(WORD) ?? []).length > WORDS_OF_A_REMARK;

/** True of a text with a question in which nothing else tells anything. Linear in its length. */
export function onlyAsks(text: string): boolean {
  let asks = false;
  for (const { text: sentence } of sentencesOf(text)) {
    if (QUESTION.test(sentence)) asks = true;
    else if (tells(sentence)) return false;
  }
  return asks;
}
