/**
 * The step of an erasure that deletes the versions of documents that the person uploaded, whose chunks are gone by now.
 *
 *   0  nothing comes of uploads of the person any more; their bytes are remembered
 *   1  a page of versions goes; their bytes are remembered where no other version has them
 *   2  where the latest version went, the one before it speaks again
 *   3  a withdrawal stays without the person's name, so that what was taken away does not come back
 *   4  a document that nothing is left of but withdrawals loses them, and the name that callers gave it
 */
import { sql } from 'slonik';
import { z } from 'zod';
import type { Queryable } from '../pool.ts';
import { RunsStore } from '../runs/runs.store.ts';
import { markUnits } from '../indexes/mark-units.ts';
import type { ErasurePage, PageReport } from './page.ts';

const placeRow = z.object({ id: z.string(), document_id: z.string(), version: z.number() });
const lastRow = placeRow.extend({ trace_id: z.string(), is_withdrawal: z.boolean() });

/** Versions that go, with what leads to them and to their bytes. */
async function deleteVersions(
  tx: Queryable,
  { accountId, erasureId }: ErasurePage,
  ids: readonly string[],
): Promise<void> {
  const versions = sql.array(ids, 'uuid');
  await tx.query(sql.unsafe`
    insert into erasure_blobs (account_id, erasure_id, sha256)
    select distinct ${accountId}::uuid, ${erasureId}::uuid, v.sha256 from document_versions v
    where v.account_id = ${accountId} and v.id = any(${versions}) and v.sha256 is not null and not exists (
      select from document_versions other
      where other.account_id = v.account_id and other.sha256 = v.sha256 and other.id <> all(${versions}))
    on conflict do nothing`);
  await tx.query(sql.unsafe`
    delete from idempotency_records where account_id = ${accountId} and resource_id = any(${versions})`);
  await tx.query(sql.unsafe`
    delete from document_versions where account_id = ${accountId} and id = any(${versions})`);
}

/**
 * Lets versions speak again that have become the latest ones: their chunks are indexed again, those that nothing was
 * drawn from are extracted, and a run settles what they say.
 */
async function revive(
  tx: Queryable,
  accountId: string,
  gone: readonly z.infer<typeof placeRow>[],
): Promise<boolean> {
  const documents = sql.array([...new Set(gone.map((row) => row.document_id))], 'uuid');
  const last = await tx.any(sql.type(lastRow)`
    select distinct on (v.document_id) v.id, v.document_id, v.version, v.trace_id, v.is_withdrawal
    from document_versions v
    where v.account_id = ${accountId} and v.document_id = any(${documents})
    order by v.document_id, v.version desc`);
  const revived = last.filter(
    (row) =>
      !row.is_withdrawal &&
      gone.some((other) => other.document_id === row.document_id && other.version > row.version),
  );
  const ids = sql.array(
    revived.map((row) => row.id),
    'uuid',
  );
  // A version that was replaced before anybody read it is read now.
  await tx.query(sql.unsafe`
    update document_versions v set parsed_at = null, chunk_count = null, settled_at = null
    where v.account_id = ${accountId} and v.id = any(${ids}) and v.chunk_count = 0`);
  const chunks = await tx.anyFirst(sql.type(z.object({ id: z.string() }))`
    select m.id from messages m
    where m.account_id = ${accountId} and m.document_version_id = any(${ids}) order by m.id`);
  await tx.query(sql.unsafe`
    update extraction_anchors a
    set status = 'pending', attempt_count = 0, unsettled_attempts = 0, internal_errors = 0, failed_at = null,
      completed_at = null, last_error_class = null, available_at = clock_timestamp(), claim_epoch = null
    where a.account_id = ${accountId} and a.message_id = any(${sql.array(chunks, 'uuid')})
      and a.status <> 'pending' and not exists (
        select from run_outputs o where o.account_id = a.account_id and o.message_id = a.message_id)`);
  await markUnits(tx, accountId, 'message', chunks);
  const runs = new RunsStore(tx, accountId);
  for (const { id: targetId, trace_id: traceId } of revived) {
    await runs.enter({ kind: 'document', traceId, targetId });
  }
  return chunks.length > 0;
}

/** Documents of which no text is left are known by nothing any more. */
async function forgetEmpty(tx: Queryable, accountId: string, ids: readonly string[]) {
  const documents = sql.array(ids, 'uuid');
  await tx.query(sql.unsafe`
    delete from document_versions w
    where w.account_id = ${accountId} and w.document_id = any(${documents}) and w.is_withdrawal and not exists (
      select from document_versions v
      where v.account_id = w.account_id and v.document_id = w.document_id and not v.is_withdrawal)`);
  await tx.query(sql.unsafe`
    update documents d set external_id = gen_random_uuid()::text, unnamed_sha256 = null
    where d.account_id = ${accountId} and d.id = any(${documents}) and not exists (
      select from document_versions v where v.account_id = d.account_id and v.document_id = d.id)`);
}

/** Withdrawals of the person lose the person. */
async function scrubWithdrawals(tx: Queryable, { accountId, limit, peerId }: ErasurePage) {
  return tx.anyFirst(sql.type(z.object({ document_id: z.string() }))`
    with hers as materialized (
      select v.id from document_versions v
      where v.account_id = ${accountId} and v.uploader_peer_id = ${peerId}::uuid and v.is_withdrawal
      order by v.id limit ${limit} for update
    )
    update document_versions v set uploader_peer_id = null, credential_id = null
    from hers where v.account_id = ${accountId} and v.id = hers.id
    returning v.document_id`);
}

/** Uploads that have not come to their end. Their rows stay for what a process may yet write, without the person. */
async function stopUploads(tx: Queryable, page: ErasurePage): Promise<number> {
  const { accountId, erasureId, limit, peerId } = page;
  const { rowCount } = await tx.query(sql.unsafe`
    with hers as materialized (
      select u.id from document_uploads u
      where u.account_id = ${accountId} and u.uploader_peer_id = ${peerId}::uuid order by u.id limit ${limit} for update
    ), stopped as (
      update document_uploads u set uploader_peer_id = null from hers
      where u.account_id = ${accountId} and u.id = hers.id returning u.sha256
    ), remembered as (
      insert into erasure_blobs (account_id, erasure_id, sha256)
      select distinct ${accountId}::uuid, ${erasureId}::uuid, sha256 from stopped on conflict do nothing
    )
    select from stopped`);
  return rowCount;
}

/** Documents of the person that others have added versions to, before each had its own, belong to nobody from now on. */
async function disown(tx: Queryable, { accountId, limit, peerId }: ErasurePage): Promise<number> {
  const { rowCount } = await tx.query(sql.unsafe`
    with hers as materialized (
      select d.id from documents d
      where d.account_id = ${accountId} and d.owner_peer_id = ${peerId}::uuid and not exists (
        select from document_versions v
        where v.account_id = d.account_id and v.document_id = d.id and v.uploader_peer_id = ${peerId}::uuid)
      order by d.id limit ${limit} for update
    )
    update documents d set owner_peer_id = null from hers where d.account_id = ${accountId} and d.id = hers.id`);
  return rowCount;
}

/** Documents of the person. */
export async function eraseDocuments(tx: Queryable, page: ErasurePage): Promise<PageReport> {
  const { accountId, limit, peerId } = page;
  const stopped = await stopUploads(tx, page);
  const gone = await tx.any(sql.type(placeRow)`
    select v.id, v.document_id, v.version from document_versions v
    where v.account_id = ${accountId} and v.uploader_peer_id = ${peerId}::uuid and not v.is_withdrawal and not exists (
      select from messages m where m.account_id = v.account_id and m.document_version_id = v.id)
    order by v.document_id, v.version limit ${limit} for update`);
  const scrubbed = await scrubWithdrawals(tx, page);
  await deleteVersions(
    tx,
    page,
    gone.map((row) => row.id),
  );
  const marked = await revive(tx, accountId, gone);
  await forgetEmpty(tx, accountId, [...gone.map((row) => row.document_id), ...scrubbed]);
  const disowned = await disown(tx, page);
  return {
    more: [gone.length, scrubbed.length, stopped, disowned].includes(limit),
    erased: { versions_deleted: gone.length },
    marked,
  };
}
