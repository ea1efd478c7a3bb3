/**
 * What operations reach the world through. The composition root builds one and passes it down; each member
 * is an interface that stands beside the operations that use it.
 */
import type { DocumentServices } from './documents/ports.ts';
import type { ExtractionServices } from './extraction/ports.ts';
import type { HealthServices } from './health/ports.ts';
import type { IdentityServices } from './identity/ports.ts';
import type { ModelServices } from './models/ports.ts';
import type { ObservationServices } from './observations/ports.ts';
import type { RetrievalServices } from './retrieval/ports.ts';
import type { RunServices } from './runs/ports.ts';
import type { SecretServices } from './secrets.ts';

export interface Services {
  readonly documents: DocumentServices;
  readonly extraction: ExtractionServices;
  readonly health: HealthServices;
  readonly identity: IdentityServices;
  readonly models: ModelServices;
  readonly observations: ObservationServices;
  readonly retrieval: RetrievalServices;
  readonly runs: RunServices;
  readonly secrets: SecretServices;
}
