/**
 * The commit of a batch of extractions: fence, lock, load, decide, write, in one transaction.
 *
 *   1  the anchors still held by the drain (their rows locked), after one advisory lock per subject
 *   2  statements recorded a moment ago, or refused: other words may say the same
 *   3  the known statements of the proposed texts, and the rules
 *   4  changes of statements that exist
 *   5  everything that is new, and the anchors
 *   6  audit
 */
import { sql } from 'slonik';
import { z } from 'zod';
import { AuditStore, type AuditEvent } from '../audit/audit.store.ts';
import {
  comparedStatements,
  unshownStatements,
  type ComparedStatement,
  type Unshown,
} from './compared.ts';
import { loadKnowledgeState, type CommitSelection, type LoadedKnowledge } from './state.ts';
import { isHeld, type Hold } from '../observations/anchor-ends.ts';
import { HoldsStore } from '../forgetting/holds.store.ts';
import { serveWritten } from '../forgetting/serve.ts';
import { writeChanges, writeNew, type KnowledgeWrites } from './writes.ts';
import { isNotErasing } from '../visibility/erasing.ts';
import { PoolStore } from '../pool-store.ts';
import { withAccount, type Queryable } from '../pool.ts';
import { subjectLocks } from '../subject-locks.ts';

export interface CommitRequest extends CommitSelection {
  readonly accountId: string;
  /** The anchors to commit, each as its drain holds it. */
  readonly holds: readonly Hold[];
  /**
   * Opens holds for what the speakers of the anchors that are still held ask to be forgotten, before anything is decided; left out
   * where nobody asks.
   */
  readonly openHolds?:
    | ((holds: HoldsStore, held: ReadonlySet<string>) => Promise<void>)
    | undefined;
  /** What the index may not have shown when it was asked; absent where it was not. */
  readonly unshown?: Unshown | undefined;
  /**
   * Picks the statements that the decision reads as well, among those about the subjects that the index may not have
   * shown and those refused. An error that it throws ends the commit.
   */
  readonly alikeAmong: (statements: readonly ComparedStatement[]) => readonly string[];
}

export interface CommitState extends LoadedKnowledge {
  /** The messages whose anchors the drain still holds. */
  readonly held: ReadonlySet<string>;
}

export interface CommitWork {
  readonly writes: KnowledgeWrites;
  readonly audit: readonly AuditEvent[];
}

/** Takes the subjects' locks, then the anchors that their drains still hold, but those of people who are being erased. */
async function fence(tx: Queryable, request: CommitRequest): Promise<ReadonlySet<string>> {
  const held = await tx.anyFirst(sql.type(z.object({ message_id: z.string() }))`
    select a.message_id
    from extraction_anchors a, (${subjectLocks(request.accountId, request.subjectIds)}) first
    where ${isHeld(sql.fragment`a`, request.holds)} and a.status in ('pending', 'failed')
      and a.extracted_at is null
      and ${isNotErasing(sql.fragment`a.account_id`, sql.fragment`a.speaker_peer_id`)}
    order by a.message_id for update of a`);
  return new Set(held);
}

async function alikeStatements(tx: Queryable, request: CommitRequest): Promise<readonly string[]> {
  const { accountId, alikeAmong, ids = [], subjectIds, unshown } = request;
  if (subjectIds.length === 0) return ids;
  const compared = await comparedStatements(tx, accountId, subjectIds, unshown);
  return [...ids, ...alikeAmong(compared)];
}

/** Statements whose words, or whose sources, the writes change. */
function writtenBy({ created, inherited, sources, updated }: KnowledgeWrites) {
  const rows = [...created.map(({ id }) => id), ...updated.map(({ id }) => id)];
  const cited = [...sources, ...inherited].map(({ knowledge_id: id }) => String(id));
  return {
    statementIds: [...new Set([...rows, ...cited])],
    messageIds: sources.map(({ message_id: id }) => String(id)),
  };
}

/** Writes what was decided, in the transaction that holds the locks. */
export async function carryOut(tx: Queryable, accountId: string, work: CommitWork): Promise<void> {
  await writeChanges(tx, accountId, work.writes);
  await writeNew(tx, accountId, work.writes);
  await serveWritten(tx, accountId, writtenBy(work.writes));
  await new AuditStore(tx, accountId).record(...work.audit);
}

/** Commits of extractions. */
export class KnowledgeCommitStore extends PoolStore {
  /** What the index may not show of the statements about the subjects, whenever it is asked from now on. One query. */
  unshown(accountId: string, subjectIds: readonly string[]): Promise<Unshown> {
    const read = (tx: Queryable) => unshownStatements(tx, accountId, subjectIds);
    return withAccount(this.db, accountId, read, { readOnly: true });
  }

  /** Runs `decide` under the locks and writes what it answers. It may run again after a deadlock. */
  commit(request: CommitRequest, decide: (state: CommitState) => CommitWork): Promise<void> {
    return withAccount(this.db, request.accountId, async (tx) => {
      const { accountId, openHolds } = request;
      const holds = new HoldsStore(tx, accountId);
      if (openHolds !== undefined) await holds.lock();
      const held = await fence(tx, request);
      if (held.size === 0) return;
      await openHolds?.(holds, held);
      const ids = await alikeStatements(tx, request);
      const state = await loadKnowledgeState(tx, { ...request, ids });
      await carryOut(tx, request.accountId, decide({ ...state, held }));
    });
  }
}
