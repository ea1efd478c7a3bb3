/**
 * The extraction of a batch that a drain holds: window, model call, commit, index, complete.
 *
 *   held ──► extracted (tx 1: statements and all that follows) ──► acknowledged by Qdrant ──► completed (tx 2)
 *     └────► failed with its next attempt · repairable · terminal
 *
 * The model is asked outside any transaction; sessions and chunks of documents go side by side, the calls of one
 * session one after the other, each about one anchor or a few neighbours. What the batches of an account extract is
 * committed together. Every write is fenced by the epoch of the drain, so a drain that was overtaken settles nothing. A
 * failure stops only the anchor that causes it: a group that fails to load, to commit or to be indexed is halved
 * (`bisect.ts`).
 */
import type { UnitCounts } from '../../domain/actors/unit-counts.ts';
import { NO_BATCHING, type BatchingParameters } from '../../domain/extraction/batching.ts';
import type { AnchorsStore, BatchRows } from '../../stores/postgres/observations/anchors.store.ts';
import type { HeldAnchorRow } from '../../stores/postgres/actors/holds.ts';
import { eachOf } from '../async.ts';
import { createAccountQueues } from './account-queues.ts';
import { Asking, type AskingBatch, type AskingDeps, type Ending } from './asking.ts';
import { ExtractionBatch } from './batch.ts';
import { bisect } from '../bisect.ts';
import { callsOf, sideBySide } from './calls.ts';
import type { CommitQueue } from './commit-queue.ts';
import { slicesOf, type ExtractionOutcome, type Member } from './commit.ts';
import { ExtractionSettlement, type Extracted, type SettleDeps } from './settle.ts';
import { resolveAnchors, type LoadedAnchor } from './window.ts';

export interface HeldBatch {
  readonly accountId: string;
  readonly shard: number;
  readonly epoch: number;
  readonly anchors: readonly Pick<HeldAnchorRow, 'messageId' | 'bytes'>[];
}

export interface BatchProcessor {
  /**
   * Works through the batch and settles each anchor. After an abort it begins nothing new. It still commits what is
   * already extracted, and the drain keeps holding the rest. `stopping` is the gentle form: no further model call
   * begins, and the pipeline waits for the running ones. `settled` gets the anchors as they are settled or found lost.
   * Throws if the database is away.
   */
  process(
    batch: HeldBatch,
    signal: AbortSignal,
    stopping?: AbortSignal,
    settled?: (messageIds: readonly string[]) => void,
  ): Promise<UnitCounts>;
}

export interface ExtractionPipelineDeps extends SettleDeps, AskingDeps {
  readonly anchors: Pick<AnchorsStore, 'load' | 'complete' | 'fail'>;
  /** Sessions, and chunks of documents, of a batch that are extracted side by side. */
  readonly concurrentSessions?: number;
  /** Without it each anchor is asked about alone. */
  readonly batching?: BatchingParameters;
  /** Whether the extractor works in this process: all anchors are then asked about at once, to share round trips. */
  readonly extractsInProcess?: boolean;
}

/** The whole batch: a call that waits for a provider's slot costs nothing, and a slow session holds up no other. */
const CONCURRENT_SESSIONS = 50;
const COMMIT_GROUPS = { quietMs: 100, longestMs: 1_000, enough: 50 } as const;

/** Builds the processor of a process. */
export function createExtractionPipeline(deps: ExtractionPipelineDeps): BatchProcessor {
  const queues = createAccountQueues((accountId) => {
    const settlement = new ExtractionSettlement(deps, accountId);
    return {
      groupsOf: slicesOf,
      commit: (members: readonly Member[]) => settlement.commit(members),
      finish: (extracted: readonly Extracted[]) => settlement.index(extracted),
    };
  }, COMMIT_GROUPS);
  return {
    async process(held, signal, stopping, settled = () => {}) {
      const { accountId, epoch, shard } = held;
      const parts = await load(deps, held, signal);
      const scopes = parts.loaded.flatMap(({ rows }) => rows.scopes);
      const batch = new ExtractionBatch({ shard, epoch, scopes, signal, settled });
      const settlement = new ExtractionSettlement(deps, accountId);
      const anchors = parts.loaded.flatMap((part) => part.anchors);
      const known = new Set([...anchors.map(({ messageId }) => messageId), ...parts.failed]);
      const lost = held.anchors.flatMap(({ messageId }) =>
        known.has(messageId) ? [] : [messageId],
      );
      batch.end('fenced', lost);
      for (const messageId of parts.failed) await settlement.failAlone(batch, messageId);
      await settlement.finish(
        batch,
        anchors.filter(({ extracted }) => extracted !== null),
      );
      const fresh = anchors.filter(({ extracted }) => extracted === null);
      await queues.joined(accountId, (queue) =>
        askAbout(deps, fresh, queuedFor(batch, queue), held, { signal, stopping }),
      );
      return batch.report;
    },
  };
}

/** The queue for the outcomes of one batch. */
function queuedFor(
  batch: ExtractionBatch,
  queue: CommitQueue<Member>,
): CommitQueue<ExtractionOutcome> {
  return {
    push: (outcome) => queue.push({ batch, outcome }),
    get broken() {
      return queue.broken;
    },
    drain: () => queue.drain(),
  };
}

interface Loaded {
  readonly loaded: readonly {
    readonly rows: BatchRows;
    readonly anchors: readonly LoadedAnchor[];
  }[];
  /** Anchors that cannot be loaded, for any reason. */
  readonly failed: readonly string[];
}

/** Reads the anchors with their windows, all at once unless that fails. */
async function load(
  deps: ExtractionPipelineDeps,
  { accountId, epoch, anchors }: HeldBatch,
  signal: AbortSignal,
): Promise<Loaded> {
  const loaded: { rows: BatchRows; anchors: readonly LoadedAnchor[] }[] = [];
  const failed: string[] = [];
  await bisect(anchors, {
    async work(some) {
      const holds = some.map(({ bytes, messageId }) => ({ bytes, epoch, messageId }));
      const rows = await deps.anchors.load(accountId, holds);
      const ids = holds.map(({ messageId }) => messageId);
      loaded.push({ rows, anchors: resolveAnchors(rows, ids) });
    },
    async alone({ messageId }) {
      failed.push(messageId);
    },
    endsAll: (error) => signal.aborted || deps.isDatabaseGone(error),
    failed: (some) => deps.report('extraction.load_failed', { anchors: some.length }),
  });
  return { loaded, failed };
}

/** Asks about fresh anchors and has their outcomes committed as they come. */
async function askAbout(
  deps: ExtractionPipelineDeps,
  fresh: readonly LoadedAnchor[],
  queue: CommitQueue<ExtractionOutcome>,
  batch: AskingBatch,
  ending: Ending,
): Promise<void> {
  const asking = new Asking(deps, batch, queue, ending);
  const limit = deps.concurrentSessions ?? CONCURRENT_SESSIONS;
  if (deps.extractsInProcess === true) await asking.aboutEach(fresh);
  else {
    await eachOf(sideBySide(fresh), limit, async (neighbours) => {
      for (const call of callsOrEach(deps, neighbours)) await asking.about(call);
    });
  }
  await queue.drain();
  asking.throwIfAway();
}

/** The calls about the anchors of a session; one call for each anchor where grouping them fails. */
function callsOrEach(
  deps: ExtractionPipelineDeps,
  neighbours: readonly LoadedAnchor[],
): readonly (readonly LoadedAnchor[])[] {
  try {
    return callsOf(neighbours, deps.batching ?? NO_BATCHING);
  } catch {
    deps.report('extraction.load_failed', { anchors: neighbours.length });
    return neighbours.map((anchor) => [anchor]);
  }
}
