/**
 * The checks of readiness that ask Postgres and the settings. The probe is public, so each check runs once at a time:
 * callers that come meanwhile share its answer, and many callers cost no more than one.
 */
import { vectorSpaceOf, type ModelRoles } from '../../domain/models/role-config.ts';
import { CHECK_TIMEOUT_MS } from '../../operations/health/bounded.ts';
import type { ReadinessSources } from '../../operations/environment/readiness-sources.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import { ReadinessStore } from '../../stores/postgres/readiness.store.ts';

/** A call shares the answer of the one under way, unless that has run for longer than any caller waits. */
export function shared<A extends readonly unknown[], T>(
  ask: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  let open: Promise<T> | null = null;
  return (...args) => {
    if (open !== null) return open;
    const asked = ask(...args);
    const forget = (): void => {
      clearTimeout(tooOld);
      if (open === asked) open = null;
    };
    const tooOld = setTimeout(forget, CHECK_TIMEOUT_MS);
    tooOld.unref();
    open = asked;
    asked.then(forget, forget);
    return asked;
  };
}

export type AsksAnotherServer = 'jobQueue' | 'qdrant' | 'meilisearch' | 'vectorIndexes';

export function buildDatabaseReadiness(
  db: Queryable,
  models: ModelRoles,
): Omit<ReadinessSources, AsksAnotherServer> {
  const space = vectorSpaceOf(models.embedder);
  const store = new ReadinessStore(db);
  // Readiness asks for both at the same time.
  const passes = shared(() => store.passes());
  return {
    database: shared(() => store.ping()),
    anchors: shared(() => store.anchors()),
    marks: shared(() => store.marks()),
    runs: shared(() => store.runs()),
    unsealedAuditSeconds: shared(() => store.unsealedAuditSeconds()),
    waitingContextCardSeconds: shared(() => store.waitingContextCardSeconds()),
    overdueReviews: shared(() => store.overdueReviews()),
    oldestErasureSeconds: shared(() => store.oldestErasureSeconds()),
    lastSweeps: shared(() => store.sweeps(passes())),
    lastRetention: shared(() => store.retention(passes())),
    attempts: shared((since: Date) => store.attempts(since)),
    governance: shared(() => store.governance()),
    modelRoles: () => models,
    vectorSpace: () => space,
  };
}
