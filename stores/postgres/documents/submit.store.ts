/**
 * Takes a document version in: document, version, session, run, audit event and idempotency record in one
 * transaction. Submissions of one document queue on a lock, so that twins find each other's version.
 */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { scopeChain, type ScopePath } from '../../../domain/scopes/path.ts';
import { recordAudit } from '../audit.store.ts';
import { claimKey, type SentKey } from '../idempotency.store.ts';
import { SHARDS } from '../messages.store.ts';
import type { Queryable } from '../pool.ts';
import { enterRun } from '../runs.store.ts';

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

const currentRow = z.object({
  document_id: z.string(),
  version_id: z.string(),
  version: z.number(),
  same: z.boolean(),
});

async function lockDocument(tx: Queryable, submission: NewDocumentVersion): Promise<void> {
  const { accountId, scopePath, externalId, sha256 } = submission;
  const known = JSON.stringify([accountId, scopePath, externalId, externalId === null && sha256]);
  await tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended(${known}, 0))`);
}

/** The document and its latest version, if the document exists. */
function readCurrent(
  tx: Queryable,
  { accountId, scopePath, externalId, sha256 }: NewDocumentVersion,
): Promise<z.infer<typeof currentRow> | null> {
  const bytes = sql.fragment`decode(${sha256}, 'hex')`;
  const known =
    externalId === null
      ? sql.fragment`d.unnamed_sha256 = ${bytes}`
      : sql.fragment`d.external_id = ${externalId}`;
  return tx.maybeOne(sql.type(currentRow)`
    select d.id as document_id, v.id as version_id, v.version, v.sha256 = ${bytes} as same
    from scopes s
    join documents d on d.account_id = s.account_id and d.scope_id = s.id and ${known}
    join document_versions v on v.account_id = d.account_id and v.document_id = d.id
    where s.account_id = ${accountId} and s.path = ${scopePath}
    order by v.version desc limit 1`);
}

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
  await enterRun(tx, accountId, { kind: 'document', traceId, targetId: row.versionId });
  await recordAudit(tx, [
    {
      accountId,
      category: 'observation',
      action: 'document.accepted',
      actor: { kind: 'credential', credentialId, peerId: uploaderPeerId },
      resourceType: 'document_version',
      resourceId: row.versionId,
      metadata: { version: row.version, bytes: submission.byteSize },
      contentHash: Buffer.from(submission.sha256, 'hex'),
    },
  ]);
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
  const current = await readCurrent(tx, submission);
  const unchanged = current?.same === true;
  const versionId = unchanged ? current.version_id : uuidv7();
  if (idempotency !== null) {
    const status = unchanged ? UNCHANGED : ACCEPTED;
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
  if (unchanged) {
    return { outcome: 'unchanged', replayed: false, documentId: current.document_id, versionId };
  }
  const documentId = current?.document_id ?? (await createDocument(tx, submission));
  await createVersion(tx, submission, {
    documentId,
    versionId,
    version: (current?.version ?? 0) + 1,
  });
  return { outcome: 'accepted', replayed: false, documentId, versionId };
}
