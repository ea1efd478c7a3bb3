/**
 * The loop of a worker that seals audit events. It needs Postgres alone, so that events are sealed while Temporal is
 * away; every worker has one, and of one account one of them seals.
 */
import { createSealer, type SealReport } from '../../engine/audit/sealer.ts';
import { AuditChainStore } from '../../stores/postgres/audit/audit-chain.store.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import { createLoop } from '../actors/loop.ts';
import { errorFields, type Log } from '../../engine/logging/logger.ts';

export interface AuditSealingOptions {
  readonly db: Queryable;
  readonly log: Log;
  /** Told of every pass that ended. */
  readonly observe: (report: SealReport) => void;
}

const INTERVAL_MS = 5_000;

/** Starts with a pass at once. `close` ends a running pass between two pages and waits for it. */
export function startAuditSealing({ db, log, observe }: AuditSealingOptions): {
  close(): Promise<void>;
} {
  const stopping = new AbortController();
  const sealer = createSealer({
    store: new AuditChainStore(db),
    onFailure: (error) => log.warn('audit.seal_failed', errorFields(error)),
  });
  const loop = createLoop({
    async pass() {
      try {
        observe(await sealer.pass(stopping.signal));
      } catch (error) {
        log.warn('audit.pass_failed', errorFields(error));
      }
    },
    waitMs: () => INTERVAL_MS,
  });
  loop.start();
  return {
    async close() {
      stopping.abort();
      await loop.close();
    },
  };
}
