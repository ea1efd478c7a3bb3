/**
 * The coded field that makes quoted Han, kana and Thai phrases findable in a full-text index whose own
 * dictionary cuts the phrase differently from the text. Every pair of neighbouring characters becomes one
 * Latin word (hexadecimal code units, written with the letters a to p so that no tokenizer splits it between
 * letters and digits); a phrase of the script becomes a phrase of such words.
 */
import { characters, segments } from '../../domain/text/tokens.ts';

const DIGITS = 'abcdefghijklmnop';

function code(text: string): string {
  let coded = '';
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    for (const shift of [12, 8, 4, 0]) coded += DIGITS.charAt((unit >> shift) & 15);
  }
  return coded;
}

/**
 * Coded bigrams of all runs of scripts without spaces, in order, separated by spaces; empty when there are
 * none. A run of one character is coded alone, so a one-character phrase meets only such runs: the check on
 * the hydrated text decides there. The same function codes texts and phrases.
 */
export function quotedBigrams(text: string): string {
  return segments(text)
    .filter((segment) => segment.kind !== 'word')
    .flatMap((segment) => {
      const chars = characters(segment.text);
      if (chars.length < 2) return chars.map(code);
      return chars.slice(1).map((char, i) => code(`${chars[i] ?? ''}${char}`));
    })
    .join(' ');
}
