/**
 * Keeps both indexes at what Postgres says.
 *
 * `refresh` works through the dirty marks of a mailbox. `indexStatements` is the short way for statements of anchors
 * that are about to complete: it writes their points and waits for Qdrant, but at most `timeoutMs`. When Qdrant does
 * not answer, the statements are marked overdue (searches then read them from Postgres), and no call waits for Qdrant
 * until a probe has succeeded. Only `refresh` waits for Meilisearch in any case.
 *
 * Marks are cleared by generation, so a change during a write keeps its mark. A mark that vanished during a write was
 * cleared by another writer, and this write may have replaced newer data of that writer. The unit is then marked
 * again, and written once more from Postgres.
 */
import type { IndexFailureReason } from '../../domain/retrieval/index-failure.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { within } from '../async.ts';
import { analyseUnits, idsInPoints, readUnits } from './batch.ts';
import { createIndexGate } from './index-gate.ts';
import { markAgain, sorted } from './outcome.ts';
import type { IndexDependencies } from './dependencies.ts';
import { createRefreshing, type Refreshing } from './refresh.ts';
import { forgetUnits, writePoints } from './writes.ts';

export interface IndexStatementsInput {
  readonly accountId: string;
  readonly knowledgeIds: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /**
   * What is written in the transaction that settles the statements: when Qdrant has acknowledged them, or together with
   * the marks that say that it has not. It may run more than once, also after the call has answered.
   */
  readonly alongside?: (stores: Stores) => Promise<void>;
}

/** A refresh throws when Postgres is away or the signal fires; an index's failure only postpones its marks. */
export interface Indexer extends Refreshing {
  /** `acknowledged`: a search finds them now. `overdue`: they are marked so. Throws like `refresh`. */
  indexStatements(input: IndexStatementsInput): Promise<'acknowledged' | 'overdue'>;
}

/** The embedder may use this share of the time that a caller waits. */
const EMBEDDING_SHARE = 0.5;

/** Builds the indexer of a process. */
export function createIndexer(dependencies: IndexDependencies): Indexer {
  const { inAccount, points, now } = dependencies;
  const gate = createIndexGate({ probe: (signal) => points.probe(signal), now });

  const acknowledge = async ({
    accountId,
    alongside,
    knowledgeIds,
    timeoutMs,
    signal,
  }: IndexStatementsInput): Promise<IndexFailureReason | null> => {
    const units = await inAccount(accountId, async (stores) =>
      readUnits(stores, accountId, await stores.dirtyMarks.ofStatements(knowledgeIds)),
    );
    const batch = await analyseUnits(dependencies, units, signal);
    const embedding = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs * EMBEDDING_SHARE)]);
    const report = await writePoints(dependencies, batch, embedding);
    if (report.failure !== null) return report.failure;
    const { unfinished, finished } = sorted(batch, batch.marks, () => report);
    const gone = await inAccount(accountId, async (stores) => {
      // Before the marks, as whoever commits or erases anchors takes them.
      if (report.refused.size === 0) await alongside?.(stores);
      // Before any other mark: it locks statements first, as whoever changes them does.
      const vanished = await stores.dirtyMarks.clear(finished, report.space);
      await stores.dirtyMarks.setCaughtUp(idsInPoints(unfinished, 'statement'));
      return markAgain(stores, vanished);
    });
    await forgetUnits(dependencies, accountId, gone);
    gate.open();
    return report.refused.size > 0 ? 'refused' : null;
  };

  const giveUp = async (input: IndexStatementsInput): Promise<'overdue'> => {
    const { accountId, alongside, knowledgeIds } = input;
    await inAccount(accountId, async (stores) => {
      await alongside?.(stores);
      await stores.dirtyMarks.setOverdue(knowledgeIds);
    });
    return 'overdue';
  };

  return {
    ...createRefreshing(dependencies, () => gate.open()),

    async indexStatements(input) {
      if (input.knowledgeIds.length === 0) return 'acknowledged';
      if (!gate.isOpen()) return giveUp(input);
      // Late work goes on by itself.
      const failure = await within(input.timeoutMs, acknowledge(input), () => 'timeout' as const);
      if (failure === null) return 'acknowledged';
      input.signal.throwIfAborted();
      if (failure !== 'refused') gate.close();
      // A late acknowledgement still clears the marks by itself, overdue or not.
      return giveUp(input);
    },
  };
}
