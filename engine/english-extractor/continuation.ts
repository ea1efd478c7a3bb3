/**
 * A sentence that opens with "it", "they" or "that" and names no subject cannot be understood alone: it belongs to
 * the statement before it, which names what is meant.
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

/** What the sentence adds to the one before it, openers stripped; null when it stands alone or adds nothing. */
export function continuationOf(sentence: string, strip: OpenerStripper): string | null {
  if (!isProse(sentence) || !readsAsEnglish(sentence)) return null;
  const body = strip(sentence);
  if (!LEANS.test(body) || SECOND_PERSON.test(body)) return null;
  // "That bowl is pretty" leans on nothing, and "it is late" stands for nothing.
  if (unclearPronouns(tagged(body), body).length === 0) return null;
  return contentTerms(body).length < MIN_CONTENT_WORDS ? null : body;
}
