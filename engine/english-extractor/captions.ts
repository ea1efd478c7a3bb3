/** The captions of the pictures that a message shows: "[shares a photo of a wooden sledge]". */
import { withoutEnding } from '../../domain/text/ending.ts';

const CAPTION = String.raw`\[shares (?:an?|some) (?:photo|photography|picture|image)s? of (?<shown>[^[\]\n]{3,200})\]`;
const ANY = new RegExp(CAPTION, 'gu');
const NEXT = new RegExp(String.raw`^[\s.!…]*${CAPTION}`, 'u');
/** The most characters of a caption, including those before it. */
const CAPTION_REACH = 260;
const POINTS_AT = /\b(?:this|these|here['’]s|pics?|photos?|pictures?)\b/iu;
/** Says that a picture stands in the message, wherever it does. */
const SHOWS =
  /\b(?:here['’]s|(?:take|have) a look|look at (?:this|these)|check (?:this|these) out|check(?: out)? (?:my|our)|(?:this|these) (?:\p{L}+ )?(?:pics?|photos?|pictures?))\b/iu;

/** The text without the captions in it. */
export const withoutCaptions = (content: string): string => content.replace(ANY, '');

/** What the one picture of a message shows; null without one, or with several. */
export function onlyPicture(content: string): string | null {
  const [only, ...more] = content.matchAll(ANY);
  return more.length === 0 ? (only?.groups?.['shown'] ?? null) : null;
}

/** The caption right after the end of a sentence that points at a picture, and where it ends; else null. */
export function captionAfter(
  content: string,
  sentence: string,
  end: number,
): { readonly shown: string; readonly end: number } | null {
  if (!POINTS_AT.test(sentence)) return null;
  const found = NEXT.exec(content.slice(end, end + CAPTION_REACH));
  const shown = found?.groups?.['shown'];
  return found === null || shown === undefined ? null : { shown, end: end + found[0].length };
}

/** Whether the sentence shows a picture of its message. */
export const showsPicture = (sentence: string): boolean => SHOWS.test(sentence);

/** How a picture stands behind a statement. */
export const PICTURE_BEHIND = '[with a picture of ';

/** The statement with what the picture beside it shows. */
export const withPictureBehind = (statement: string, picture: string): string =>
  `${withoutEnding(statement, /[.!…]/u)} ${PICTURE_BEHIND}${picture}]`;
