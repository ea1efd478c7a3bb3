/**
 * A sentence that opens with "it", "they" or "that" and names no subject cannot be understood alone: it belongs to
 * the statement before it, which names what is meant. So does the caption of a picture that a statement points at.
 */
import { contentTerms } from '../text/analyze.ts';
import { tagged } from '../english/tagger.ts';
import { isProse, readsAsEnglish } from './eligible.ts';
import type { OpenerStripper } from './openers.ts';
import { unclearPronouns } from './referents/pronouns.ts';

const LEANS =
  /^(?:(?:and|but|so|plus|also|now|then) )?(?:it|it['’](?:s|ll|d)|its|they|they['’](?:re|ve|ll|d)|their|them|she|he|she['’]s|he['’]s|her|his|that|that['’]s|this|these|those|which)\b/iu;
const SECOND_PERSON = /\byou(?:r|rs|rself|['’]\p{L}+)?\b/iu;
/** "It was great!" adds nothing to what it praises. */
const MIN_CONTENT_WORDS = 2;
const POINTS_AT = /\b(?:this|these|here['’]s|pics?|photos?|pictures?)\b/iu;
/** Says that a picture stands in the message, wherever it does. */
const SHOWS =
  /\b(?:here['’]s|(?:take|have) a look|look at (?:this|these)|check (?:this|these) out|(?:this|these) (?:pics?|photos?|pictures?))\b/iu;
const CAPTION =
  /^[\s.!…]*\[shares (?:a|an|some) (?:photo|photography|picture|image)s? of (?<shown>[^[\]\n]{3,200})\]/u;
/** The most characters of a caption, including those before it. */
const CAPTION_REACH = 260;

/** What the sentence adds to the one before it, openers stripped; null when it stands alone or adds nothing. */
export function continuationOf(sentence: string, strip: OpenerStripper): string | null {
  if (!isProse(sentence) || !readsAsEnglish(sentence)) return null;
  const body = strip(sentence);
  if (!LEANS.test(body) || SECOND_PERSON.test(body)) return null;
  // "That bowl is pretty" leans on nothing, and "it is late" stands for nothing.
  if (unclearPronouns(tagged(body), body).length === 0) return null;
  return contentTerms(body).length < MIN_CONTENT_WORDS ? null : body;
}

/** The caption right after the end of a sentence that points at a picture, and where it ends; else null. */
export function captionAfter(
  content: string,
  sentence: string,
  end: number,
): { readonly shown: string; readonly end: number } | null {
  if (!POINTS_AT.test(sentence)) return null;
  const found = CAPTION.exec(content.slice(end, end + CAPTION_REACH));
  const shown = found?.groups?.['shown'];
  return found === null || shown === undefined ? null : { shown, end: end + found[0].length };
}

/** Whether the sentence shows a picture of its message. */
export const showsPicture = (sentence: string): boolean => SHOWS.test(sentence);
