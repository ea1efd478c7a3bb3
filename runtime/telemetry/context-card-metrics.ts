/** Metrics of the builder of context cards: in workers, where it runs. */
import { Counter, Histogram, type Registry } from 'prom-client';
import { CONTEXT_CARD_KINDS } from '../../domain/context/kinds.ts';
import { SUMMARY_ENDS, type ContextCardObserver } from '../../engine/context-cards/observer.ts';
import { growth, seconds, SLOW_SECONDS } from './buckets.ts';

const CHANGES = ['written', 'removed'] as const;

export function createContextCardMetrics(registry: Registry): ContextCardObserver {
  const registers = [registry];
  const rows = new Counter({
    name: 'vouch_context_card_rows_total',
    help: 'Context cards that this process wrote or removed. One whose sources are the same is not written.',
    labelNames: ['kind', 'change'],
    registers,
  });
  const durations = new Histogram({
    name: 'vouch_context_card_build_duration_seconds',
    help: 'Building of a place: a card, a profile, a summary of a session, or all cards of names of a scope. Its count is the places that were built.',
    labelNames: ['kind'],
    buckets: [...SLOW_SECONDS],
    registers,
  });
  const summaries = new Histogram({
    name: 'vouch_context_card_summary_duration_seconds',
    help: 'Summaries that were asked for, the calls to the model included, by how they ended: kept, left because their sources had changed, or failed.',
    labelNames: ['kind', 'end'],
    buckets: [...SLOW_SECONDS],
    registers,
  });
  const failures = new Counter({
    name: 'vouch_context_card_build_failures_total',
    help: 'Places that could not be built; each is tried again, up to an hour apart.',
    labelNames: ['kind'],
    registers,
  });
  const turns = new Counter({
    name: 'vouch_context_card_turn_failures_total',
    help: 'Turns of accounts that ended early; the next pass begins them again.',
    registers,
  });
  for (const kind of CONTEXT_CARD_KINDS) {
    for (const change of CHANGES) rows.inc({ kind, change }, 0);
    for (const end of SUMMARY_ENDS) summaries.zero({ kind, end });
    durations.zero({ kind });
    failures.inc({ kind }, 0);
  }
  return {
    built({ durationMs, kind, removed, written }) {
      rows.inc({ kind, change: 'written' }, growth(written));
      rows.inc({ kind, change: 'removed' }, growth(removed));
      durations.observe({ kind }, seconds(durationMs));
    },
    buildFailed: (kind) => failures.inc({ kind }),
    summarised({ durationMs, end, kind }) {
      summaries.observe({ kind, end }, seconds(durationMs));
    },
    turnFailed: () => turns.inc(),
  };
}
