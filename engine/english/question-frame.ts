/** Words that say how a question is to be answered, not what it is about: `what kind of`, `list in order`, `mention`. */
import { wordSet } from '../../domain/text/word-set.ts';
import { contentStem } from './analysis.ts';

const WORDS = `kind type sort list mention describe discuss explain tell order different many much various specific
recommend suggest summarize conversation chat throughout across one two three four five ten item name thing way help please
aspect bring time recently`;

const STEMS: ReadonlySet<string> = new Set(
  Array.from(wordSet(WORDS), (word) => contentStem(word)).filter((stem) => stem !== null),
);

/** Whether a content stem only frames a question. */
export function framesQuestion(stem: string): boolean {
  return STEMS.has(stem);
}
