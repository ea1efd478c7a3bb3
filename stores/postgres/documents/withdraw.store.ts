/**
 * Withdraws a document: a version without bytes, with its run, in the order of the document's versions. What only
 * earlier versions said ends in the run, as after any new version.
 */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { Refusal } from '../../../domain/errors.ts';
import { TRANSIENT_CLASSES } from '../../../domain/models/error-class.ts';
import { parseScopePath, type ScopePath } from '../../../domain/scopes/path.ts';
import { recordAudit } from '../audit.store.ts';
import type { Queryable } from '../pool.ts';
import { enterRun } from '../runs.store.ts';
import { isUnderWay, lockDocument } from './latest.store.ts';

export interface DocumentWithdrawal {
  readonly accountId: string;
  readonly documentId: string;
  readonly credentialId: string;
  /** Who answers for it. */
  readonly peerId: string;
  /** 32 lowercase hex. */
  readonly traceId: string;
}

export interface WithdrawnDocument {
  /** The version that withdraws it. */
  readonly versionId: string;
  /** Whether a run was entered: not for a document that was withdrawn already, unless its run ended too early. */
  readonly hasRun: boolean;
}

const documentRow = z.object({
  path: z.string(),
  external_id: z.string().nullable(),
  unnamed_sha256: z.string().nullable(),
});

function readDocument(tx: Queryable, { accountId, documentId }: DocumentWithdrawal) {
  return tx.maybeOne(sql.type(documentRow)`
    select s.path, d.external_id, encode(d.unnamed_sha256, 'hex') as unnamed_sha256
    from documents d join scopes s on s.account_id = d.account_id and s.id = d.scope_id
    where d.account_id = ${accountId}::uuid and d.id = ${documentId}::uuid`);
}

const latestRow = z.object({
  id: z.string(),
  version: z.number(),
  is_withdrawal: z.boolean(),
  /** Whether its work is neither done nor going on: somebody cancelled it, or it failed. */
  is_left: z.boolean(),
});

/** What nobody has read yet nobody will; in the order in which a run that settles takes the rows. */
async function closeUnread(tx: Queryable, withdrawal: DocumentWithdrawal): Promise<void> {
  const { accountId, documentId } = withdrawal;
  await tx.query(sql.unsafe`
    with unread as materialized (
      select v.account_id, v.id from document_versions v
      where v.account_id = ${accountId}::uuid and v.document_id = ${documentId}::uuid and v.parsed_at is null
      order by v.version for update
    )
    update document_versions v
    set parsed_at = clock_timestamp(), chunk_count = 0,
      last_error_class = case
        when v.last_error_class <> all(${sql.array([...TRANSIENT_CLASSES], 'text')}::error_class[])
        then v.last_error_class end
    from unread where v.account_id = unread.account_id and v.id = unread.id`);
}

async function addWithdrawal(
  tx: Queryable,
  withdrawal: DocumentWithdrawal,
  version: number,
): Promise<string> {
  const { accountId, credentialId, documentId, peerId, traceId } = withdrawal;
  const versionId = uuidv7();
  await tx.query(sql.unsafe`
    insert into document_versions (account_id, id, document_id, version, is_withdrawal, occurred_at,
      occurred_offset_minutes, uploader_peer_id, credential_id, trace_id, parsed_at, chunk_count)
    values (${accountId}, ${versionId}, ${documentId}, ${version}, true, clock_timestamp(), 0, ${peerId},
      ${credentialId}, ${traceId}, clock_timestamp(), 0)`);
  await enterRun(tx, accountId, { kind: 'document', traceId, targetId: versionId });
  await recordAudit(tx, [
    {
      accountId,
      category: 'lifecycle',
      action: 'document.withdrawn',
      actor: { kind: 'credential', credentialId, peerId },
      resourceType: 'document',
      resourceId: documentId,
      metadata: { version, version_id: versionId },
    },
  ]);
  return versionId;
}

/**
 * Withdraws the document in the caller's transaction, or finds the version that did. Throws `not_found` for a
 * document that does not exist or in whose scope `mayWrite` says no.
 */
export async function withdrawDocument(
  tx: Queryable,
  withdrawal: DocumentWithdrawal,
  mayWrite: (path: ScopePath) => boolean,
): Promise<WithdrawnDocument> {
  const { accountId, documentId } = withdrawal;
  const document = await readDocument(tx, withdrawal);
  const path = document === null ? null : parseScopePath(document.path);
  if (document === null || path === null || !mayWrite(path)) throw new Refusal('not_found');
  const { external_id: externalId, unnamed_sha256: sha256 } = document;
  await lockDocument(tx, { accountId, scopePath: path, externalId, sha256 });
  const latest = await tx.one(sql.type(latestRow)`
    select v.id, v.version, v.is_withdrawal, v.settled_at is null and not ${isUnderWay} as is_left
    from document_versions v
    where v.account_id = ${accountId}::uuid and v.document_id = ${documentId}::uuid
    order by v.version desc limit 1`);
  if (latest.is_withdrawal) {
    const { traceId } = withdrawal;
    if (latest.is_left)
      await enterRun(tx, accountId, { kind: 'document', traceId, targetId: latest.id });
    return { versionId: latest.id, hasRun: latest.is_left };
  }
  await closeUnread(tx, withdrawal);
  return { versionId: await addWithdrawal(tx, withdrawal, latest.version + 1), hasRun: true };
}
