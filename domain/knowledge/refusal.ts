/** Whether a proposal repeats, in other words, a statement that a person or a rule refused. */
import { areComparable, readingOf, type Likeness, type Reading } from '../statements/paraphrase.ts';
import type { Proposal } from '../statements/statement.ts';

/** Whether `text` says the same as the refused text. Both are about the same subject. */
export type RefusalRule = (text: string, refused: string) => boolean;

/** A refused statement. */
export interface Refused {
  readonly id: string;
  readonly subjectId: string;
  readonly text: string;
}

/** The least share of the words of both texts that both have. */
const SHARED_WORDS = 0.6;

/**
 * Whether two texts share most of their words beside those of grammar: the Jaccard index of the two sets. It replaces
 * an embedder that does not answer, so that a refused statement does not come back meanwhile. Symmetric, and linear in
 * the words of both.
 */
export function shareMostWords(
  { meaningful: inA }: Reading,
  { meaningful: inB }: Reading,
): boolean {
  const [least, most] = [Math.min(inA.size, inB.size), Math.max(inA.size, inB.size)];
  if (most === 0 || least < SHARED_WORDS * most) return false;
  let shared = 0;
  for (const word of inA) if (inB.has(word)) shared += 1;
  return shared >= SHARED_WORDS * (inA.size + inB.size - shared);
}

const repeatsInWords = (a: Reading, b: Reading): boolean =>
  shareMostWords(a, b) && areComparable(a, b);

/** Reads each text once, however often it is compared. For one commit: it remembers what it has read. */
function reader(): (text: string) => Reading {
  const readings = new Map<string, Reading>();
  return (text) => {
    const known = readings.get(text) ?? readingOf(text);
    readings.set(text, known);
    return known;
  };
}

/** The rule of one commit without an embedder. */
export function repeatsByWords(): RefusalRule {
  const read = reader();
  return (text, refused) => repeatsInWords(read(text), read(refused));
}

/** The rule of one commit with an embedder; it falls back on words where one of the texts has no vector. */
export function repeatsByLikeness(likeness: Likeness, threshold: number): RefusalRule {
  const read = reader();
  return (text, refused) => {
    const cosine = likeness(text, refused);
    if (cosine === null) return repeatsInWords(read(text), read(refused));
    return cosine >= threshold && areComparable(read(text), read(refused));
  };
}

type Said = Pick<Proposal, 'subject' | 'wording'>;

/** The texts that are proposed about each subject, each once. */
function textsBySubject(proposals: readonly Said[]): ReadonlyMap<string, readonly string[]> {
  const said = Map.groupBy(proposals, ({ subject }) => subject.id);
  return new Map(
    Array.from(said, ([id, of]) => [
      id,
      [...new Set(of.flatMap(({ wording }) => wording.text ?? []))],
    ]),
  );
}

/** Picks the refused statements that a proposal about their subject says again. */
export function refusedAmong(
  proposals: readonly Said[],
  repeats: RefusalRule,
): (refused: readonly Refused[]) => readonly string[] {
  const texts = textsBySubject(proposals);
  return (refused) =>
    refused
      .filter(({ subjectId, text }) => texts.get(subjectId)?.some((said) => repeats(said, text)))
      .map(({ id }) => id);
}

/**
 * The ids of refused statements whose likeness decides whether a proposal about their subject says them again: the
 * first `most` in the given order.
 */
export function comparableRefused(
  proposals: readonly Said[],
  refused: readonly Refused[],
  most: number,
): ReadonlySet<string> {
  const found = new Set<string>();
  if (refused.length === 0) return found;
  const readings = new Map(
    Array.from(textsBySubject(proposals), ([of, texts]) => [of, texts.map(readingOf)]),
  );
  for (const { id, subjectId, text } of refused) {
    if (found.size === most) break;
    const reading = readingOf(text);
    if (readings.get(subjectId)?.some((said) => areComparable(said, reading))) found.add(id);
  }
  return found;
}
