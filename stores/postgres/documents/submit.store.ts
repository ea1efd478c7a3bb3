/**
 * Takes a document version in: document, version, session, run, audit event and idempotency record in one
 * transaction. Submissions of one document queue on a lock, so that twins find each other's version.
 */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { submissionStep } from '../../../domain/documents/submission.ts';
import { scopeChain, type ScopePath } from '../../../domain/scopes/path.ts';
import { recordAudit } from '../audit.store.ts';
import { claimKey, type SentKey } from '../idempotency.store.ts';
import { SHARDS } from '../messages.store.ts';
import type { Queryable } from '../pool.ts';
import { enterRun } from '../runs.store.ts';
import { lockDocument, readLatest, type LatestOfDocument } from './latest.store.ts';

export interface NewDocumentVersion {
  readonly accountId: string;
  readonly credentialId: string;
  readonly uploaderPeerId: string;
  readonly scopePath: ScopePath;
  /** Null for a document that is known by its bytes. */
  readonly externalId: string | null;
  readonly title: string | null;
  readonly mediaType: string;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly byteSize: number;
  readonly occurredAt: string;
  readonly occurredOffsetMinutes: number;
  /** 32 lowercase hex. */
  readonly traceId: string;
  readonly idempotency: SentKey | null;
}

export type SubmittedVersion =
  | {
      readonly outcome: 'accepted' | 'unchanged';
      /** Whether it is the first answer to the same idempotency key. */
      readonly replayed: boolean;
      readonly documentId: string;
      readonly versionId: string;
    }
  | { readonly outcome: 'conflict' };

const ACCEPTED = 202;
const UNCHANGED = 200;

/** The document with its session and the session's mailboxes. */
async function createDocument(tx: Queryable, submission: NewDocumentVersion): Promise<string> {
  const { accountId, scopePath, externalId, sha256 } = submission;
  const paths = scopeChain(scopePath);
  const scopeIds = paths.map(() => uuidv7());
  const scopeId = await tx.oneFirst(sql.type(z.object({ id: z.string() }))`
    select ensure_scope_chain(${accountId}, ${sql.array(paths, 'text')}, ${sql.array(scopeIds, 'uuid')}) as id`);
  const documentId = uuidv7();
  const sessionId = uuidv7();
  await tx.query(sql.unsafe`
    with document as (
      insert into documents (account_id, id, scope_id, external_id, unnamed_sha256)
      values (${accountId}, ${documentId}, ${scopeId}, ${externalId},
        case when ${externalId}::text is null then decode(${sha256}, 'hex') end)
    ), session as (
      insert into sessions (account_id, id, document_id, shard)
      values (${accountId}, ${sessionId}, ${documentId}, abs(hashtext(${sessionId}) % ${SHARDS}::integer))
      returning shard
    ), linked as (
      insert into session_scopes (account_id, session_id, scope_id)
      values (${accountId}, ${sessionId}, ${scopeId})
    )
    insert into mailboxes (account_id, kind, shard)
    select ${accountId}, kind, session.shard from session, unnest(enum_range(null::mailbox_kind)) as kind
    on conflict do nothing`);
  return documentId;
}

async function createVersion(
  tx: Queryable,
  submission: NewDocumentVersion,
  row: { readonly documentId: string; readonly versionId: string; readonly version: number },
): Promise<void> {
  const { accountId, credentialId, uploaderPeerId, traceId } = submission;
  await tx.query(sql.unsafe`
    insert into document_versions (account_id, id, document_id, version, sha256, byte_size, media_type, title,
      occurred_at, occurred_offset_minutes, uploader_peer_id, credential_id, trace_id)
    values (${accountId}, ${row.versionId}, ${row.documentId}, ${row.version}, decode(${submission.sha256}, 'hex'),
      ${submission.byteSize}, ${submission.mediaType}, ${submission.title},
      ${submission.occurredAt}::timestamptz, ${submission.occurredOffsetMinutes}, ${uploaderPeerId},
      ${credentialId}, ${traceId})`);
}

/** Reads a version once more that nobody could read. */
async function reopenVersion(tx: Queryable, accountId: string, versionId: string): Promise<void> {
  await tx.query(sql.unsafe`
    update document_versions set last_error_class = null
    where account_id = ${accountId} and id = ${versionId}`);
}

/** Has the version read by a run of its own: that of an earlier reading may still be ending. */
async function enterReading(
  tx: Queryable,
  submission: NewDocumentVersion,
  action: 'document.accepted' | 'document.read_again',
  row: { readonly versionId: string; readonly version: number },
): Promise<void> {
  const { accountId, credentialId, uploaderPeerId, traceId } = submission;
  await enterRun(tx, accountId, { kind: 'document', traceId, targetId: row.versionId });
  await recordAudit(tx, [
    {
      accountId,
      category: 'observation',
      action,
      actor: { kind: 'credential', credentialId, peerId: uploaderPeerId },
      resourceType: 'document_version',
      resourceId: row.versionId,
      metadata: { version: row.version, bytes: submission.byteSize },
      contentHash: Buffer.from(submission.sha256, 'hex'),
    },
  ]);
}

/** A new version, or the latest one to be read once more; answers the id of the document. */
async function enterVersion(
  tx: Queryable,
  submission: NewDocumentVersion,
  latest: LatestOfDocument | null,
  entry: { readonly isNew: boolean; readonly versionId: string },
): Promise<string> {
  const { isNew, versionId } = entry;
  const documentId = latest?.documentId ?? (await createDocument(tx, submission));
  const version = (latest?.version ?? 0) + (isNew ? 1 : 0);
  if (isNew) await createVersion(tx, submission, { documentId, versionId, version });
  else await reopenVersion(tx, submission.accountId, versionId);
  const action = isNew ? 'document.accepted' : 'document.read_again';
  await enterReading(tx, submission, action, { versionId, version });
  return documentId;
}

function documentOf(tx: Queryable, versionId: string): Promise<string> {
  return tx.oneFirst(sql.type(z.object({ document_id: z.string() }))`
    select document_id from document_versions where id = ${versionId}::uuid`);
}

/** Takes the version in, or finds that it is there. The blob must be durable before. */
export async function submitVersion(
  tx: Queryable,
  submission: NewDocumentVersion,
): Promise<SubmittedVersion> {
  const { accountId, credentialId, idempotency } = submission;
  await lockDocument(tx, submission);
  const latest = await readLatest(tx, submission);
  const step = submissionStep(latest);
  const unchanged = step === 'unchanged' ? latest : null;
  const versionId = latest === null || step === 'add' ? uuidv7() : latest.versionId;
  if (idempotency !== null) {
    const status = unchanged !== null ? UNCHANGED : ACCEPTED;
    const claim = { accountId, credentialId, ...idempotency, status, resourceId: versionId };
    const claimed = await claimKey(tx, claim);
    if (claimed.outcome === 'conflict') return claimed;
    if (claimed.outcome === 'replayed') {
      return {
        outcome: claimed.status === UNCHANGED ? 'unchanged' : 'accepted',
        replayed: true,
        documentId: await documentOf(tx, claimed.resourceId),
        versionId: claimed.resourceId,
      };
    }
  }
  if (unchanged !== null) {
    return { outcome: 'unchanged', replayed: false, documentId: unchanged.documentId, versionId };
  }
  const entry = { isNew: step === 'add', versionId };
  const documentId = await enterVersion(tx, submission, latest, entry);
  return { outcome: 'accepted', replayed: false, documentId, versionId };
}
