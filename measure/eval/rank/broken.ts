/** Questions with a slip of the pen, the same ones in every run. */
import { murmur3 } from '../../../domain/ranking/term-id.ts';
import { contentStem } from '../../../engine/english/analysis.ts';
import { framesQuestion } from '../../../engine/english/question-frame.ts';
import type { Row } from '../report.ts';
import { randomFrom } from './bootstrap.ts';
import type { CorpusConversation } from './corpus.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** A word that matters: of so many letters, not a stop word, and not one that only frames a question. */
const SHORTEST = 5;
const WORD = /[A-Za-z]+/gu;

function below(random: () => number, most: number): number {
  return Math.floor(random() * most);
}

/** The word with one letter left out, put in or replaced, or with two neighbours swapped; always another word. */
function brokenWord(word: string, random: () => number): string {
  const letter = (): string => LETTERS[below(random, LETTERS.length)] ?? '';
  for (;;) {
    const letters = Array.from(word);
    const at = below(random, letters.length);
    const kind = below(random, 4);
    if (kind === 0) letters.splice(at, 1);
    else if (kind === 1) letters.splice(at, 0, letter());
    else if (kind === 2) letters.splice(at, 1, letter());
    else {
      const first = Math.min(at, letters.length - 2);
      letters.splice(first, 2, ...letters.slice(first, first + 2).toReversed());
    }
    const broken = letters.join('');
    if (broken !== word) return broken;
  }
}

export interface BrokenQuestion {
  readonly text: string;
  /** The same with a digit in the broken word: such a word is not repaired. */
  readonly beyondRepair: string;
}

/** The question with one word of five letters or more broken, chosen by chance; null where none matters. */
export function breakQuestion(question: string, seed = 0): BrokenQuestion | null {
  const random = randomFrom(murmur3(question, seed));
  const words = [...question.matchAll(WORD)].filter(([word]) => {
    const stem = contentStem(word.toLowerCase());
    return word.length >= SHORTEST && stem !== null && !framesQuestion(stem);
  });
  const chosen = words[below(random, words.length)];
  if (chosen === undefined) return null;
  const broken = brokenWord(chosen[0].toLowerCase(), random);
  const around = (word: string): string =>
    question.slice(0, chosen.index) + word + question.slice(chosen.index + chosen[0].length);
  return { text: around(broken), beyondRepair: around(`${broken}7`) };
}

/** How many different slips each question is measured with. */
export const SLIPS_OF_QUESTION = 3;

/** Mean recall at ten in percent of questions without a slip, with one, and with one that cannot be repaired. */
export interface SpellingFigures {
  readonly correct: number;
  readonly broken: number;
  readonly repaired: number;
}

/** The rows of a kind of results; `floor` is the share of the lost recall that must be regained. */
export function spellingRows(
  title: string,
  { broken, correct, repaired }: SpellingFigures,
  floor?: number,
): Row[] {
  return [
    { metric: `${title}: R@10`, value: correct },
    { metric: `${title}, a word broken beyond repair: R@10`, value: broken },
    { metric: `${title}, a word broken: R@10`, value: repaired },
    {
      metric: `${title}: share of the lost R@10 regained`,
      value: (repaired - broken) / (correct - broken),
      digits: 2,
      ...(floor === undefined ? {} : { floor }),
    },
  ];
}

/** The conversation with the questions that have a word to break, broken in the given way or as they are. */
export function withSlips(
  conversation: CorpusConversation,
  by: keyof BrokenQuestion | 'correct',
  seed: number,
): CorpusConversation {
  const questions = conversation.questions.flatMap((question) => {
    const broken = breakQuestion(question.text, seed);
    if (broken === null) return [];
    return [{ ...question, text: by === 'correct' ? question.text : broken[by] }];
  });
  return { ...conversation, questions };
}
