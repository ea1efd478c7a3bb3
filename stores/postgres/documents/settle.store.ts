/**
 * The end of a document version: when all its chunks are extracted, the document no longer attests what only earlier
 * versions said, page by page, each page one transaction. A withdrawal is a version that has no chunks.
 *
 *   1  the run's row; a version that a newer one has replaced, or that goes with its uploader, changes nothing
 *   2  chunks not extracted yet, and chunks of earlier versions still worked on: if any are left, nothing is decided
 *   3  a page of statements that only earlier versions said, under their subjects' locks; and of those that the
 *      version says again, because the one that had replaced it is erased
 *   4  what was decided; when nothing is left the version takes over: it is settled, the chunks of earlier ones leave
 *      the search indexes, and the run is completed
 */
import { sql } from 'slonik';
import { z } from 'zod';
import type { Revision } from '../../../domain/knowledge/planning.ts';
import type { PlacedScope } from '../../../domain/scopes/chain-ids.ts';
import type { MailboxKind } from '../../../domain/actors/names.ts';
import { DirtyMarksStore } from '../indexes/dirty-marks.store.ts';
import { carryOut, type CommitWork } from '../knowledge/commit.store.ts';
import { type LoadedKnowledge } from '../knowledge/state.ts';
import { PoolStore } from '../pool-store.ts';
import { withAccount, type Queryable } from '../pool.ts';
import { loadStatements, pageColumns, pageRow } from '../knowledge/regate.store.ts';
import { tellSettled } from '../observations/settlements.ts';
import { RunsStore } from '../runs/runs.store.ts';
import { isNotErasing } from '../visibility/erasing.ts';
import { isInIndexes } from '../visibility/indexed.ts';
import { subjectLocks } from '../subject-locks.ts';

export interface SettleState extends LoadedKnowledge {
  /** What the document says no longer, or again, whoever else says it. */
  readonly revision: Revision;
  /** Every scope of their chains. */
  readonly scopes: readonly PlacedScope[];
  readonly shard: number;
}

export interface SettleReport {
  /** Chunks that are not extracted yet. */
  readonly pending: number;
  /** Whether there may be more to supersede. */
  readonly more: boolean;
  /** Mailboxes of the shard in which work was left. */
  readonly work: readonly MailboxKind[];
  readonly shard: number;
}

const DONE: SettleReport = { pending: 0, more: false, work: [], shard: 0 };

const versionRow = z.object({
  version_id: z.string(),
  document_id: z.string(),
  version: z.number(),
  shard: z.number(),
  is_latest: z.boolean(),
  pending: z.number(),
  put_off: z.number(),
});
type VersionRow = z.infer<typeof versionRow>;

function readVersion(tx: Queryable, accountId: string, runId: string): Promise<VersionRow | null> {
  return tx.maybeOne(sql.type(versionRow)`
    select v.id as version_id, v.document_id, v.version, s.shard,
      not exists (select from document_versions newer
        where newer.account_id = v.account_id and newer.document_id = v.document_id
          and newer.version > v.version)
        and (v.is_withdrawal or ${isNotErasing(sql.fragment`v.account_id`, sql.fragment`v.uploader_peer_id`)})
        as is_latest,
      waiting.*
    from pipeline_runs r
    join document_versions v on v.account_id = r.account_id and v.id = r.target_id
    join sessions s on s.account_id = v.account_id and s.document_id = v.document_id
    cross join lateral (
      select count(*)::integer as pending,
        count(*) filter (where m.document_version_id <> v.id and a.available_at > clock_timestamp())::integer as put_off
      from document_versions any_version
      join messages m on m.account_id = any_version.account_id and m.document_version_id = any_version.id
      join extraction_anchors a on a.account_id = m.account_id and a.message_id = m.id
      where any_version.account_id = v.account_id and any_version.document_id = v.document_id
        and a.status <> 'completed' and (m.document_version_id = v.id or a.status in ('pending', 'failed'))
    ) waiting
    where r.account_id = ${accountId}::uuid and r.id = ${runId}::uuid`);
}

const revisedRow = pageRow.extend({
  /** Whether the document says it again; else it says it no longer. */
  is_restored: z.boolean(),
  was_revised: z.boolean(),
});

/** Statements of which the version says other than what the document is counted to say. */
function readRevised(
  tx: Queryable,
  accountId: string,
  { document_id: documentId, version }: VersionRow,
  limit: number,
): Promise<readonly z.infer<typeof revisedRow>[]> {
  return tx.any(sql.type(revisedRow)`
    select ${pageColumns}, a.withdrawn as is_restored,
      k.state = 'superseded' and (
        select e.reason from lifecycle_events e
        where e.account_id = k.account_id and e.knowledge_id = k.id
        order by e.occurred_at desc, e.id desc limit 1) = 'document_revised' as was_revised
    from knowledge_attesters a
    join knowledge k on k.account_id = a.account_id and k.id = a.knowledge_id
    where a.account_id = ${accountId}::uuid and a.document_id = ${documentId}::uuid
      and a.withdrawn <> (a.last_version < ${version})
    order by k.id limit ${limit}`);
}

/** Makes put-off chunks of earlier versions due: they say nothing any more, and no provider is asked about them. */
async function bringForward(
  tx: Queryable,
  accountId: string,
  { document_id, version }: VersionRow,
) {
  await tx.query(sql.unsafe`
    with put_off as materialized (
      select a.account_id, a.message_id
      from document_versions v
      join messages m on m.account_id = v.account_id and m.document_version_id = v.id
      join extraction_anchors a on a.account_id = m.account_id and a.message_id = m.id
      where v.account_id = ${accountId}::uuid and v.document_id = ${document_id}::uuid and v.version < ${version}
        and a.status in ('pending', 'failed') and a.available_at > clock_timestamp()
      order by a.message_id for update of a skip locked
    )
    update extraction_anchors a set available_at = clock_timestamp()
    from put_off where a.account_id = put_off.account_id and a.message_id = put_off.message_id`);
}

const chunkRow = z.object({ id: z.string(), scope_id: z.string() });

/**
 * Settles the version and marks the chunks that leave the search indexes with it; answers how many. The rows of the
 * versions are locked first, so that chunks which are added meanwhile are either seen here or find it settled.
 */
async function takeOver(tx: Queryable, accountId: string, version: VersionRow): Promise<number> {
  const { document_id: documentId, shard, version_id: versionId } = version;
  const earlier = await tx.anyFirst(sql.type(z.object({ id: z.string() }))`
    select id from document_versions
    where account_id = ${accountId}::uuid and document_id = ${documentId}::uuid and version < ${version.version}
    order by version for update`);
  const leaving = await tx.any(sql.type(chunkRow)`
    select m.id, m.scope_id from messages m
    where m.account_id = ${accountId}::uuid and m.document_version_id = any(${sql.array(earlier, 'uuid')})
      and ${isInIndexes('m')}
    order by m.id`);
  await tx.query(sql.unsafe`
    update document_versions set settled_at = clock_timestamp()
    where account_id = ${accountId}::uuid and id = ${versionId}::uuid and settled_at is null
      and parsed_at is not null
    returning ${tellSettled(sql.fragment`account_id`)}`);
  const units = leaving.map((chunk) => ({
    unit: 'message' as const,
    unitId: chunk.id,
    scopeId: chunk.scope_id,
    shard,
  }));
  await new DirtyMarksStore(tx, accountId).add(units);
  return units.length;
}

async function decidePage(
  tx: Queryable,
  accountId: string,
  request: { readonly version: VersionRow; readonly limit: number },
  decide: (state: SettleState) => CommitWork,
): Promise<number> {
  const { version, limit } = request;
  const found = await readRevised(tx, accountId, version, limit);
  if (found.length === 0) return 0;
  const subjectIds = [...new Set(found.map((row) => row.subject_id))];
  await tx.query(sql.unsafe`${subjectLocks(accountId, subjectIds)}`);
  // Read again under the locks: another commit may have found a new source meanwhile.
  const still = await readRevised(tx, accountId, version, limit);
  const rows = still.filter((row) => subjectIds.includes(row.subject_id));
  if (rows.length === 0) return found.length;
  const state = await loadStatements(tx, accountId, rows);
  const revision = {
    withdrawn: rows.filter((row) => !row.is_restored).map(({ id }) => id),
    restored: rows
      .filter((row) => row.is_restored)
      .map(({ id, was_revised: wasRevised }) => ({ id, wasRevised })),
  };
  const work = decide({ ...state, revision, shard: version.shard });
  await carryOut(tx, accountId, work);
  await tx.query(sql.unsafe`
    update knowledge_attesters set withdrawn = not withdrawn
    where account_id = ${accountId}::uuid and document_id = ${version.document_id}::uuid
      and knowledge_id = any(${sql.array(
        rows.map(({ id }) => id),
        'uuid',
      )})`);
  return found.length;
}

/** The ends of document versions. */
export class DocumentSettleStore extends PoolStore {
  /** Runs `decide` under the locks and writes what it answers. It may run again after a deadlock. */
  page(
    page: { readonly accountId: string; readonly runId: string; readonly limit: number },
    decide: (state: SettleState) => CommitWork,
  ): Promise<SettleReport> {
    const { accountId, limit, runId } = page;
    return withAccount(this.db, accountId, async (tx) => {
      const runs = new RunsStore(tx, accountId);
      if (!(await runs.begin(runId, false))) return DONE;
      const version = await readVersion(tx, accountId, runId);
      // A version goes when its uploader is erased.
      if (version === null || !version.is_latest) {
        await runs.complete(runId);
        return DONE;
      }
      const { pending, shard } = version;
      if (pending > 0) {
        if (version.put_off === 0) return { pending, more: false, work: [], shard };
        await bringForward(tx, accountId, version);
        return { pending, more: false, work: ['ingest'], shard };
      }
      const rows = await decidePage(tx, accountId, { version, limit }, decide);
      if (rows === limit) return { pending: 0, more: true, work: ['projection'], shard };
      const leaving = await takeOver(tx, accountId, version);
      await runs.complete(runId);
      const isMarked = rows + leaving > 0;
      return { pending: 0, more: false, work: isMarked ? ['projection'] : [], shard };
    });
  }
}
