/** Observations that were sent, by their outcome. */
import { Counter, type Registry } from 'prom-client';
import type { RecordedObservation } from '../../stores/postgres/observations/observations.store.ts';

/** Called with the outcome of every observation that was sent. Must not throw. */
export type OnRecorded = (outcome: RecordedObservation['outcome']) => void;

export function createObservationMetrics(registry: Registry): OnRecorded {
  const total = new Counter({
    name: 'vouch_observations_total',
    help: 'Observations that were committed, answered from an earlier request, or refused as a conflict with one.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['accepted', 'replayed', 'conflict']) total.inc({ outcome }, 0);
  return (outcome) => total.inc({ outcome });
}
