/** Observations that were sent, by what was made of them. */
import { Counter, type Registry } from 'prom-client';
import type { OnRecorded } from '../container/observations.ts';

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
