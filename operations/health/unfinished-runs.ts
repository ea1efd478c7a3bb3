/**
 * Durable work that is not completed, by kind. An extraction anchor is the durable job of one extraction, so
 * open anchors count as `extraction` beside the runs of that kind.
 */
import type { RunKind } from '../../domain/pipeline/run-kinds.ts';
import type { AnchorCount, RunCount } from '../../stores/postgres/readiness.store.ts';

export interface Unfinished {
  readonly count: number;
  readonly oldest_age_seconds: number;
}

interface Group {
  readonly kind: RunKind;
  readonly total: number;
  readonly oldest_age_seconds: number;
}

export function unfinishedRuns(
  anchors: readonly AnchorCount[],
  runs: readonly RunCount[],
): Partial<Record<RunKind, Unfinished>> {
  const groups: readonly Group[] = [
    ...anchors.map((anchor) => ({ ...anchor, kind: 'extraction' as const })),
    ...runs,
  ];
  const byKind: Partial<Record<RunKind, Unfinished>> = {};
  for (const group of groups) {
    const before = byKind[group.kind];
    byKind[group.kind] = {
      count: (before?.count ?? 0) + group.total,
      oldest_age_seconds: Math.max(before?.oldest_age_seconds ?? 0, group.oldest_age_seconds),
    };
  }
  return byKind;
}
