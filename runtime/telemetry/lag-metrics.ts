/**
 * How late the service is with what it owes: extraction, indexes, erasures, sweeps, and people with their reviews. Read from
 * Postgres at a scrape, with the counts of queues, so that a scrape costs no more for it.
 */
import { Gauge, type Registry } from 'prom-client';
import { ITEM_KINDS } from '../../domain/governance/items.ts';
import { SWEEP_KINDS } from '../../domain/governance/sweeps.ts';
import { INDEX_NAMES } from '../../domain/retrieval/index-failure.ts';
import type {
  AnchorCount,
  LastSweeps,
  MarkCount,
  OverdueReviews,
} from '../../stores/postgres/readiness.store.ts';

export interface LagReading {
  readonly anchors: readonly AnchorCount[];
  readonly marks: readonly MarkCount[];
  readonly overdue: readonly OverdueReviews[];
  readonly erasureSeconds: number;
  readonly sweeps: LastSweeps;
}

const SAME = 'The same in every process: take the maximum.';

const oldest = (of: readonly { readonly oldest_age_seconds: number }[]): number =>
  Math.max(0, ...of.map(({ oldest_age_seconds: seconds }) => seconds));

/** The result shows a reading; null, because there is none, takes what was shown away. */
export function createLagMetrics(registry: Registry): (reading: LagReading | null) => void {
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Gauge({ name, help: `${help} ${SAME}`, labelNames, registers: [registry] });
  const extraction = gauge(
    'vouch_extraction_lag_seconds',
    'Age of the oldest observation whose extraction has not ended, 0 without any.',
    [],
  );
  const index = gauge(
    'vouch_index_lag_seconds',
    'Age of the oldest change that an index does not show, 0 without any.',
    ['index'],
  );
  const overdue = gauge(
    'vouch_reviews_overdue',
    'Items of the desk that wait for a person although their time has passed, escalated ones too, counted up to 10,000.',
    ['kind'],
  );
  const overdueSeconds = gauge(
    'vouch_reviews_overdue_seconds',
    'For how long the time of the oldest of them has passed, 0 without any.',
    ['kind'],
  );
  const erasure = gauge(
    'vouch_erasure_oldest_age_seconds',
    'Age of the oldest erasure that has not ended, 0 without any.',
    [],
  );
  const sweep = gauge(
    'vouch_lifecycle_sweep_age_seconds',
    'Time since the last sweep that left nothing due, or since the installation before the first.',
    ['sweep'],
  );
  return (reading) => {
    for (const each of [extraction, index, overdue, overdueSeconds, erasure, sweep]) each.reset();
    // A gauge without labels shows 0 after a reset, which would say that all is done.
    for (const each of [extraction, erasure]) each.remove();
    if (reading === null) return;
    extraction.set(oldest(reading.anchors));
    erasure.set(reading.erasureSeconds);
    for (const name of INDEX_NAMES) {
      index.set({ index: name }, oldest(reading.marks.filter(({ engine }) => engine === name)));
    }
    for (const kind of ITEM_KINDS) {
      const found = reading.overdue.find((each) => each.kind === kind);
      overdue.set({ kind }, found?.total ?? 0);
      overdueSeconds.set({ kind }, found?.oldest_overdue_seconds ?? 0);
    }
    for (const kind of SWEEP_KINDS) {
      sweep.set({ sweep: kind }, reading.sweeps.passes[kind].waitedSeconds);
    }
  };
}
