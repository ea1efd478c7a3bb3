/** Which items of evidence cannot both be true: what they say of one attribute of one person, at one time. */
import type { EvidenceItem } from './evidence.ts';

type Claiming = Pick<EvidenceItem, 'id' | 'subjectPeerId' | 'claim' | 'validity'>;

/** Whether there is an instant at which both hold; an end that is not known leaves the window open. */
function overlap(a: Claiming, b: Claiming): boolean {
  const begins = ({ validity: { from } }: Claiming): number =>
    from === null ? Number.NEGATIVE_INFINITY : Date.parse(from.at);
  const ends = ({ validity: { until } }: Claiming): number =>
    until === null ? Number.POSITIVE_INFINITY : Date.parse(until.at);
  return begins(a) < ends(b) && begins(b) < ends(a);
}

function contradict(a: Claiming, b: Claiming): boolean {
  if (a.claim === null || b.claim === null || a.claim.about !== b.claim.about) return false;
  const [first, second] = [a.claim, b.claim];
  const ended = [first, second].filter(({ mode }) => mode === 'ended');
  if (ended.length === 0) return first.value !== second.value;
  if (ended.length === 2) return false;
  return ended[0]?.value === null || first.value === second.value;
}

/**
 * For each item the ids of the items that contradict it, in the order of the list: about the same person and attribute,
 * with another value or with the news that it ended, in windows that overlap. Symmetric, and never with itself.
 */
export function disagreements(
  evidence: readonly Claiming[],
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    evidence.map((item) => [
      item.id,
      evidence
        .filter(
          (other) =>
            other.id !== item.id &&
            item.subjectPeerId !== null &&
            other.subjectPeerId === item.subjectPeerId &&
            contradict(item, other) &&
            overlap(item, other),
        )
        .map(({ id }) => id),
    ]),
  );
}
