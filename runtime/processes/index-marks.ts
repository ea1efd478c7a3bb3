/**
 * The loop of a worker that notices a search index of another past, and writes it anew. One worker does so at a time; one
 * that dies is followed by another.
 */
import type { IndexMarks } from '../../engine/indexes/marks.ts';
import type { IndexMaintenance } from '../../engine/indexes/maintenance.ts';
import { lookupAccountIds } from '../../stores/postgres/identity/directory.ts';
import { IndexMarksStore } from '../../stores/postgres/indexes/index-marks.store.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import { createLoop } from '../actors/loop.ts';
import { errorFields, type Log } from '../../engine/logging/logger.ts';

export interface IndexMarksOptions {
  readonly db: Queryable;
  readonly marks: IndexMarks;
  readonly indexes: Pick<IndexMaintenance, 'rebuild'>;
  readonly log: Log;
}

const INTERVAL_MS = 60_000;
/** An index that is away, or is being written by another worker, is looked at again sooner. */
const AGAIN_MS = 5_000;
const CLAIM_MS = 120_000;
const CLAIM_RENEWED_MS = 30_000;

/** Writes the indexes of every account. False while another worker does, or when something is left to do. */
async function rebuild(options: IndexMarksOptions, signal: AbortSignal): Promise<boolean> {
  const { db, indexes, log, marks } = options;
  const store = new IndexMarksStore(db);
  if (!(await store.claim(CLAIM_MS, false))) return false;
  log.warn('index.rebuild_begun');
  const renewal = setInterval(() => {
    store.claim(CLAIM_MS, true).catch(() => undefined);
  }, CLAIM_RENEWED_MS);
  try {
    let failed = 0;
    for (const accountId of await lookupAccountIds(db)) {
      signal.throwIfAborted();
      failed += (await indexes.rebuild(accountId, null, signal))?.failed ?? 0;
    }
    if (failed > 0) return false;
    await marks.accept();
    log.info('index.rebuild_ended');
    return true;
  } finally {
    clearInterval(renewal);
  }
}

/** Starts with a pass at once. `close` ends a rebuild between two pages, and another start begins it again. */
export function startIndexMarks(options: IndexMarksOptions): { close(): Promise<void> } {
  const stopping = new AbortController();
  let isSettled = false;
  const loop = createLoop({
    async pass() {
      try {
        isSettled = !(await options.marks.pass()) || (await rebuild(options, stopping.signal));
      } catch (error) {
        isSettled = false;
        if (!stopping.signal.aborted) options.log.warn('index.mark_failed', errorFields(error));
      }
    },
    waitMs: () => (isSettled ? INTERVAL_MS : AGAIN_MS),
  });
  loop.start();
  return {
    async close() {
      stopping.abort();
      await loop.close();
    },
  };
}
