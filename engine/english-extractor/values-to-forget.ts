/**
 * What a request to forget names: numbers, codes, addresses, dates, words in quotation marks, names behind what they are the
 * name of. What is to be kept ("keep only ...", "use ... instead") is none of it.
 */
import type { Withdrawal } from '../../domain/extraction/withdrawal.ts';
import { foldedTokens, MOST_TOKENS_OF_VALUE } from '../../domain/forgetting/tokens.ts';
import { contentStem } from '../english/analysis.ts';
import { meantSentences } from './meant.ts';
import { namedIn } from './named-values.ts';
import { partsThatGo } from './parts-that-go.ts';

/** Values of one message. */
const MOST_VALUES = 20;
/** Whether the stretch is a value: of one to eight words, not of function words alone, and not too short to tell. */
function isValue(text: string): boolean {
  const tokens = foldedTokens(text);
  if (tokens.length === 0 || tokens.length > MOST_TOKENS_OF_VALUE) return false;
  if (/\p{Nd}/u.test(text)) return true;
  const letters = tokens.reduce((sum, token) => sum + token.text.length, 0);
  return letters >= 3 && tokens.some((token) => contentStem(token.text) !== null);
}

function valuesOf(content: string, from: number, until: number): readonly Withdrawal[] {
  const found: Withdrawal[] = [];
  const sentence = content.slice(from, until);
  for (const { start, text } of partsThatGo(sentence)) {
    for (const value of namedIn(text, sentence.slice(0, start))) {
      const at = from + start;
      const stretch = { ...value, start: at + value.start, end: at + value.end };
      if (isValue(content.slice(stretch.start, stretch.end))) found.push(stretch);
    }
  }
  return found;
}

/** What goes back to the sentence before. */
const REFERS =
  /\b(?:it|this|that|these|those|them|the (?:old |above |last )?(?:number|code|address|one|value|name|token|amount|date))\b/iu;

/**
 * The stretches of a message that its speaker asks to be forgotten, in text order. A request that names nothing and goes back to
 * the sentence before it ("My old number was ... . Please forget it.") means the one value there, if there is exactly one.
 */
export function valuesToForget(content: string): readonly Withdrawal[] {
  const values: Withdrawal[] = [];
  let before: { readonly start: number; readonly end: number } | null = null;
  for (const { asksToForget, sentence } of meantSentences(content)) {
    const { end, start } = sentence;
    if (asksToForget) {
      const named = valuesOf(content, start, end);
      values.push(...named);
      if (named.length === 0 && before !== null && REFERS.test(sentence.text)) {
        const meant = valuesOf(content, before.start, before.end);
        if (meant.length === 1) values.push(...meant);
      }
    }
    before = asksToForget ? null : { start, end };
    if (values.length >= MOST_VALUES) break;
  }
  return values.slice(0, MOST_VALUES);
}
