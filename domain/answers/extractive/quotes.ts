/** Which statements are quoted. */
import type { ReadEvidence, EvidenceReading } from './reading.ts';
import { QUOTES, type QuoteWeights } from './weights.ts';

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

/** The statements in the order in which they would be quoted. */
function ranked(
  { asksWhen, evidence }: EvidenceReading,
  { coverage: share, time }: QuoteWeights,
): readonly Valued[] {
  const best = Math.max(
    0,
    ...evidence.filter(({ coverage }) => coverage > 0).map(({ item }) => item.score),
  );
  return evidence
    .map((read) => {
      const score = best > 0 ? Math.max(0, read.item.score) / best : 0;
      const isTimely = asksWhen && read.namesTime;
      return { read, value: score + share * read.coverage + (isTimely ? time : 0) };
    })
    .toSorted(byValue);
}

/**
 * One to three statements, best first: those that share something with the question, about the person asked about where
 * there are any. A statement that disputes the first one follows it, so that both sides are seen. None when no statement
 * shares anything with the question.
 */
export function chooseQuotes(
  reading: EvidenceReading,
  by: QuoteWeights = QUOTES,
): readonly ReadEvidence[] {
  const all = ranked(reading, by);
  const [first, ...rest] = all.filter(({ read }) => read.coverage > 0);
  if (first === undefined) return [];
  const { item, relevance } = first.read;
  const disputing = all.find(
    ({ read }) =>
      item.disagreesWith.includes(read.item.id) || read.item.disagreesWith.includes(item.id),
  );
  const further = rest.filter(
    ({ read, value }) => read.relevance === relevance && value >= by.least * first.value,
  );
  const chosen = new Set([first, ...(disputing === undefined ? [] : [disputing]), ...further]);
  return [...chosen].slice(0, by.most).map(({ read }) => read);
}
