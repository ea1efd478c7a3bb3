/**
 * How well an embedder tells the right answer of a question from wrong ones, measured on texts of which that is known. A
 * model without meaning, or one that is asked in a wrong way, orders them by chance, and its list would displace what the
 * words found. Pure.
 */
import { cosineOf } from '../ranking/cosine.ts';

type Vectors = readonly (readonly number[])[];

/**
 * An order by chance reaches it once in several hundred times: it has 0.5 with a deviation of 0.1. An embedder of any use
 * reaches 0.95 in a language that it knows.
 */
export const LEAST_ABILITY = 0.8;

/**
 * Over the questions, the mean share of the others' answers that are less similar to the question than its own: 0 to 1,
 * 0.5 by chance. `answers` are in the order of `questions`; 0 when there are fewer than two, or a vector is missing.
 */
export function abilityOf(questions: Vectors, answers: Vectors): number {
  const count = questions.length;
  if (count < 2 || answers.length !== count) return 0;
  let sum = 0;
  for (const [at, question] of questions.entries()) {
    const [own = -1, ...others] = [answers[at] ?? [], ...answers.filter((_, n) => n !== at)].map(
      (answer) => cosineOf(question, answer) ?? -1,
    );
    sum += others.filter((cosine) => cosine < own).length / (count - 1);
  }
  return sum / count;
}
