/** The sentences of a message, each with whether its speaker says by it what is. */
import { sentencesOf, type Sentence } from '../text/sentences.ts';
import { asksToForget } from './forgetting.ts';
import { createFrames, takesBack } from './frames.ts';
import { ownWords } from './own-words.ts';
import { quotationsOf } from './quotations.ts';

export interface MeantSentence {
  readonly sentence: Sentence;
  /** False within a quotation, a game, a wish, a condition, a request to forget; and before a sentence that takes it back. */
  readonly isMeant: boolean;
  /** Its speaker asks by it that something be forgotten. */
  readonly asksToForget: boolean;
}

const BREAK = /\n\s*\n/u;

/** The sentences of the speaker's own words in text order. Offsets are those of the content. */
export function* meantSentences(content: string): Generator<MeantSentence> {
  const own = ownWords(content);
  const quotations = quotationsOf(own);
  const frames = createFrames();
  const sentences = sentencesOf(own);
  let quotation = 0;
  let asksBefore = false;
  let end = 0;
  for (let next = sentences.next(); next.done !== true;) {
    const sentence: Sentence = next.value;
    next = sentences.next();
    while ((quotations[quotation]?.[1] ?? Infinity) <= sentence.start) quotation += 1;
    const quotes = (quotations[quotation]?.[0] ?? Infinity) < sentence.end;
    const isReal = frames.isReal(sentence.text, BREAK.test(own.slice(end, sentence.start)));
    asksBefore = !quotes && asksToForget(sentence.text, asksBefore);
    const isTakenBack: boolean = next.done !== true && takesBack(next.value.text);
    end = sentence.end;
    const isMeant = isReal && !quotes && !isTakenBack && !asksBefore;
    yield { sentence, isMeant, asksToForget: asksBefore };
  }
}

/** Where the speaker of a message asks that something be forgotten, in text order: pairs of offsets. */
export function requestsToForget(content: string): readonly (readonly [number, number])[] {
  return [...meantSentences(content)]
    .filter(({ asksToForget: asks }) => asks)
    .map(({ sentence }) => [sentence.start, sentence.end] as const);
}
