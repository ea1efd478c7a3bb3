/**
 * How well an embedder tells the right answer of a question from wrong ones, measured on texts of which that is known. A
 * model without meaning, or one that is asked in a wrong way, orders them by chance, and its list would displace what the
 * words found. Pure.
 */
import { cosineOf, directionOf, type Direction } from '../ranking/cosine.ts';

type Vectors = readonly (readonly number[])[];

/**
 * An order by chance reaches it once in several hundred times: it has 0.5 with a deviation of 0.1. An embedder of any use
 * reaches 0.95 in a language that it knows.
 */
export const LEAST_ABILITY = 0.8;

const likeness = (a: Direction | null, b: Direction | null): number =>
  a === null || b === null ? -1 : cosineOf(a, b);

/**
 * Over the questions, the mean share of the others' answers that are less similar to the question than its own: 0 to 1,
 * 0.5 by chance. `answers` are in the order of `questions`; 0 when there are fewer than two, or a vector is missing.
 */
export function abilityOf(questions: Vectors, answers: Vectors): number {
  const count = questions.length;
  if (count < 2 || answers.length !== count) return 0;
  const given = answers.map(directionOf);
  let sum = 0;
  for (const [at, question] of questions.entries()) {
    const asked = directionOf(question);
    const cosines = given.map((answer) => likeness(asked, answer));
    const own = cosines[at] ?? -1;
    const others = cosines.toSpliced(at, 1);
    sum += others.filter((cosine) => cosine < own).length / (count - 1);
  }
  return sum / count;
}
