/** Every operation a door may offer, by the name its file exports. */
import type { Operation } from './operation.ts';
import { readDocumentStatus } from './documents/status.ts';
import { submitDocument } from './documents/submit.ts';
import { withdrawDocument } from './documents/withdraw.ts';
import { registerExtractionBudget } from './extraction/budget.ts';
import { readExtractionEvidence } from './extraction/evidence.ts';
import { requeueExtraction } from './extraction/requeue.ts';
import { readHealth } from './health/read-health.ts';
import { readReadiness } from './health/read-readiness.ts';
import { signIn } from './identity/sign-in.ts';
import { ingestObservation } from './observations/ingest.ts';
import { readIngestStatus } from './observations/status.ts';
import { queryKnowledge } from './retrieval/knowledge.ts';
import { search } from './retrieval/search.ts';
import { requestReconcile } from './runs/reconcile.ts';

export const operations = {
  readHealth,
  readReadiness,
  signIn,
  ingestObservation,
  readIngestStatus,
  submitDocument,
  readDocumentStatus,
  withdrawDocument,
  search,
  queryKnowledge,
  requestReconcile,
  requeueExtraction,
  registerExtractionBudget,
  readExtractionEvidence,
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof operations;

/** What a door needs of the registry: an operation for every name. */
export type OperationTable = Readonly<Record<OperationName, Operation>>;
