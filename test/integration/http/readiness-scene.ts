/** Readiness reports over parts that a test chooses. */
import { SWEEP_KINDS } from '../../../domain/governance/sweeps.ts';
import type { ModelRoles } from '../../../domain/models/role-config.ts';
import type { VectorSpace } from '../../../domain/models/vector-space.ts';
import { execute } from '../../../operations/execute.ts';
import type { ReadinessSources } from '../../../operations/environment/readiness-sources.ts';
import { readReadiness } from '../../../operations/health/read-readiness.ts';
import type { RequestContext } from '../../../operations/operation.ts';
import type { LastSweeps } from '../../../stores/postgres/readiness.store.ts';
import { NO_ROLES } from '../../unit/models/fixtures.ts';

const SPACE: VectorSpace = {
  provider: 'deterministic',
  model: 'hashed-ngrams',
  version: '1',
  dimensions: 384,
};
const DETERMINISTIC = {
  provider: 'deterministic',
  model: 'rules',
  modelVersion: '1',
  dimensions: null,
} as const;
export const ROLES: ModelRoles = {
  ...NO_ROLES,
  embedder: { ...DETERMINISTIC, model: 'hashed-ngrams', dimensions: 384 },
  ingest_extractor: DETERMINISTIC,
};

export const ofAllKinds = (value: string) =>
  Object.fromEntries(SWEEP_KINDS.map((kind) => [kind, value]));

/** All kinds were swept `waitedSeconds` ago, or never yet in a deployment of that age. */
export function sweeps(completedAt: string | null, waitedSeconds: number): LastSweeps {
  const pass = { completedAt, waitedSeconds };
  const passes = { expiry: pass, revalidation: pass, ageing: pass, questions: pass };
  return { passes, failedAccounts: 0, setAside: 0 };
}

export function healthy(): ReadinessSources {
  return {
    database: async () => {},
    jobQueue: async () => {},
    qdrant: async () => {},
    meilisearch: async () => {},
    anchors: async () => [],
    marks: async () => [],
    runs: async () => [],
    oldestErasureSeconds: async () => 0,
    overdueReviews: async () => [],
    unsealedAuditSeconds: async () => 0,
    waitingContextCardSeconds: async () => 0,
    lastSweeps: async () => sweeps(null, 0),
    lastRetention: async () => ({ completedAt: null, waitedSeconds: 0, failedAccounts: 0 }),
    attempts: async () => [],
    governance: async () => ({
      pending_human_reviews: 0,
      restricted_withheld: 0,
      unattended: false,
    }),
    modelRoles: () => ROLES,
    vectorSpace: () => SPACE,
    vectorIndexes: async () => [{ configured: true, dimensions: 384 }],
  };
}

export function contextOf(readiness: ReadinessSources): RequestContext {
  // Readiness asks nothing else.
  return {
    readiness,
    caller: null,
    traceId: 'f'.repeat(32),
    now: new Date('2026-03-01T12:00:00Z'),
    signal: new AbortController().signal,
    clientAddress: null,
    idempotency: null,
  } as Partial<RequestContext> as RequestContext;
}

export const report = (broken: Partial<ReadinessSources> = {}) =>
  execute(readReadiness, contextOf({ ...healthy(), ...broken }), {});

export const silent = () => new Promise<never>(() => {});

export const refused = async (): Promise<never> => {
  throw Object.assign(new Error('secret-host refused'), { code: 'ECONNREFUSED' });
};
