/**
 * What operations reach the world through. The composition root builds one and passes it down; each member
 * is an interface that stands beside the operations that use it.
 */
import type { ExtractionServices } from './extraction/ports.ts';
import type { HealthServices } from './health/ports.ts';
import type { IdentityServices } from './identity/ports.ts';
import type { ObservationServices } from './observations/ports.ts';
import type { RetrievalServices } from './retrieval/ports.ts';
import type { RunServices } from './runs/ports.ts';

export interface Services {
  readonly extraction: ExtractionServices;
  readonly health: HealthServices;
  readonly identity: IdentityServices;
  readonly observations: ObservationServices;
  readonly retrieval: RetrievalServices;
  readonly runs: RunServices;
}
