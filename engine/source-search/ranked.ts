/** The messages that were found, in the order in which they are shown. Pure. */
import { roundScore } from '../../domain/ranking/sparse.ts';
import type { MessageHit } from '../../stores/qdrant/message-points.ts';

/**
 * The best passage of each message with a score above 0, best first; messages of one score in the order in which they
 * were said, then by id. Scores are rounded by `scoreOf` before anything is ordered by them.
 */
export function rankedHits(
  hits: readonly MessageHit[],
  scoreOf: (score: number) => number = roundScore,
): readonly MessageHit[] {
  const best = new Map<string, MessageHit>();
  for (const hit of hits) {
    const score = scoreOf(hit.score);
    const known = best.get(hit.messageId);
    if (score > 0 && (known === undefined || score > known.score)) {
      best.set(hit.messageId, { ...hit, score });
    }
  }
  return [...best.values()].toSorted(
    (a, b) =>
      b.score - a.score ||
      a.order - b.order ||
      (a.messageId < b.messageId ? -1 : a.messageId > b.messageId ? 1 : 0),
  );
}
