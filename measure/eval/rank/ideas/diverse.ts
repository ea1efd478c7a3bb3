/** An idea that changes the final order: what stands beside a source that was taken already counts less. */
import type { Ranked, Reorder } from '../shapes.ts';

/** Past this many the order stays. */
const REORDERED = 60;

/**
 * Takes the best source, lowers those left of its session by the factor `ofSession` and those at most `near` messages
 * away also by `beside`, and takes the next one.
 */
export function diverse(near: number, beside: number, ofSession: number): Reorder {
  return (sources) => {
    const left = sources.slice(0, REORDERED).map((source) => ({ source, score: source.score }));
    const taken: Ranked[] = [];
    for (;;) {
      const best = left.toSorted((a, b) => b.score - a.score)[0];
      if (best === undefined) return [...taken, ...sources.slice(REORDERED)];
      left.splice(left.indexOf(best), 1);
      taken.push(best.source);
      for (const other of left) {
        if (other.source.session !== best.source.session) continue;
        const isNear = Math.abs(other.source.order - best.source.order) <= near;
        other.score *= ofSession * (isNear ? beside : 1);
      }
    }
  };
}
