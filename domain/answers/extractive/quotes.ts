/** Which statements are quoted. */
import type { ReadEvidence, EvidenceReading } from './reading.ts';
import { QUOTES } from './weights.ts';

interface Valued {
  readonly read: ReadEvidence;
  readonly value: number;
}

/** What is about the person asked about goes before everything else; then the value; then the id, so that no order of a list counts. */
function byValue(a: Valued, b: Valued): number {
  const rank = ({ read }: Valued): number => (read.relevance === 'asked' ? 0 : 1);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (a.value !== b.value) return b.value - a.value;
  return a.read.item.id < b.read.item.id ? -1 : 1;
}

/**
 * One to three statements, best first: those that share something with the question, about the person asked about where
 * there are any. A statement that disputes the first one follows it, so that both sides are seen. None when no statement
 * shares anything with the question.
 */
export function chooseQuotes({ asksWhen, evidence }: EvidenceReading): readonly ReadEvidence[] {
  const best = Math.max(0, ...evidence.map(({ item }) => item.score));
  const ranked = evidence
    .filter(({ coverage }) => coverage > 0)
    .map((read) => ({
      read,
      value:
        (best > 0 ? Math.max(0, read.item.score) / best : 0) +
        QUOTES.coverage * read.coverage +
        (asksWhen && read.namesTime ? QUOTES.time : 0),
    }))
    .toSorted(byValue);
  const [first, ...rest] = ranked;
  if (first === undefined) return [];
  const disputes = ({ read }: Valued): boolean =>
    first.read.item.disagreesWith.includes(read.item.id) ||
    read.item.disagreesWith.includes(first.read.item.id);
  const further = rest.filter(
    ({ read, value }) =>
      read.relevance === first.read.relevance && value >= QUOTES.least * first.value,
  );
  const disputing = rest.filter(disputes);
  const chosen = new Set([first, ...disputing.slice(0, 1), ...further]);
  return [...chosen].slice(0, QUOTES.most).map(({ read }) => read);
}
