/** Documents, and the versions that are added to them. A version is never changed but by its reading. */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { LatestVersion } from '../../../domain/documents/upload.ts';
import { ERROR_CLASSES, TRANSIENT_CLASSES } from '../../../domain/error-class.ts';
import { AccountStore } from '../account-store.ts';
import { digestOf, internedAudience, type SentAudience } from '../audiences/sent-audience.ts';
import { isNotErasing } from '../visibility/erasing.ts';
import { SHARDS } from '../actors/shards.ts';
import { isAtPath } from '../scopes/paths.ts';

/** How a document is known in its account: by its owner's name for it in a scope, or by its first bytes there. */
export interface KnownAs {
  /** Who uploads it; null where that person has been erased. */
  readonly ownerPeerId: string | null;
  readonly scopePath: string;
  /** Null for a document that is known by its bytes. */
  readonly externalId: string | null;
  /** Lower-case hex. It counts only without a name. */
  readonly sha256: string | null;
}

/** A version that has bytes, as it is uploaded. */
export interface NewVersion {
  readonly credentialId: string;
  readonly uploaderPeerId: string;
  readonly title: string | null;
  /** Whom its text is for; null for whoever may read it. */
  readonly audience: SentAudience | null;
  readonly mediaType: string;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly byteSize: number;
  /** ISO 8601. */
  readonly occurredAt: string;
  readonly occurredOffsetMinutes: number;
  /** 32 lowercase hex. */
  readonly traceId: string;
}

/** Where a version belongs. */
export interface VersionPlace {
  readonly documentId: string;
  readonly versionId: string;
  /** Counts from 1. */
  readonly version: number;
}

const documentRow = z.object({
  owner_peer_id: z.string().nullable(),
  scope_path: z.string(),
  external_id: z.string().nullable(),
  unnamed_sha256: z.string().nullable(),
});

/** Whether a run of the version `v` has not ended. */
const isUnderWay = sql.fragment`exists (select from pipeline_runs r
  where r.account_id = v.account_id and r.target_id = v.id and r.status in ('pending', 'running'))`;

const latestRow = z.object({
  document_id: z.string(),
  version_id: z.string(),
  version: z.number(),
  has_same_bytes: z.boolean(),
  has_same_media_type: z.boolean(),
  is_parsed: z.boolean(),
  parse_error_class: z.enum(ERROR_CLASSES).nullable(),
  is_under_way: z.boolean(),
});

const lastRow = z.object({
  version_id: z.string(),
  version: z.number(),
  is_withdrawal: z.boolean(),
  /** Whether its work is neither done nor going on, because it was cancelled or failed. */
  is_left: z.boolean(),
});

/** Documents of the account. */
export class DocumentsStore extends AccountStore {
  /** Takes a lock until the end of the transaction, so that versions of a document, new or known, come one by one. */
  async lock({ ownerPeerId, scopePath, externalId, sha256 }: KnownAs): Promise<void> {
    const bytes = externalId === null && sha256;
    const known = JSON.stringify([this.accountId, ownerPeerId, scopePath, externalId, bytes]);
    await this.tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended(${known}, 0))`);
  }

  /** How the document is known; null when there is none of that id. */
  async find(documentId: string): Promise<z.infer<typeof documentRow> | null> {
    return this.tx.maybeOne(sql.type(documentRow)`
      select d.owner_peer_id, s.path as scope_path, d.external_id, encode(d.unnamed_sha256, 'hex') as unnamed_sha256
      from documents d join scopes s on s.account_id = d.account_id and s.id = d.scope_id
      where d.account_id = ${this.accountId}::uuid and d.id = ${documentId}::uuid`);
  }

  /** The document of a version. */
  async ofVersion(versionId: string): Promise<string> {
    return this.tx.oneFirst(sql.type(z.object({ document_id: z.string() }))`
      select document_id from document_versions
      where account_id = ${this.accountId}::uuid and id = ${versionId}::uuid`);
  }

  /** The latest version, compared with bytes that its owner uploads; null for a document that does not exist. */
  async latestBeside(
    upload: KnownAs & {
      readonly sha256: string;
      readonly mediaType: string;
      readonly audience: SentAudience | null;
    },
  ): Promise<(LatestVersion & VersionPlace) | null> {
    const { audience, externalId, mediaType, ownerPeerId, scopePath, sha256 } = upload;
    const digest = audience === null ? null : digestOf(audience);
    const bytes = sql.fragment`decode(${sha256}, 'hex')`;
    const known =
      externalId === null
        ? sql.fragment`d.unnamed_sha256 = ${bytes}`
        : sql.fragment`d.external_id = ${externalId}`;
    const row = await this.tx.maybeOne(sql.type(latestRow)`
      select d.id as document_id, v.id as version_id, v.version,
        v.sha256 is not distinct from ${bytes}
          and ${isNotErasing(sql.fragment`v.account_id`, sql.fragment`v.uploader_peer_id`)}
          -- The same bytes for other readers are another version.
          and case when v.audience_id is null then ${digest}::bytea is null else exists (
            select from audiences a
            where a.account_id = v.account_id and a.id = v.audience_id and a.digest = ${digest}::bytea) end
          as has_same_bytes,
        v.media_type is not distinct from ${mediaType} as has_same_media_type,
        v.parsed_at is not null as is_parsed, v.last_error_class as parse_error_class,
        ${isUnderWay} as is_under_way
      from scopes s
      join documents d on d.account_id = s.account_id and d.scope_id = s.id
        and d.owner_peer_id = ${ownerPeerId}::uuid and ${known}
      join document_versions v on v.account_id = d.account_id and v.document_id = d.id
      where s.account_id = ${this.accountId} and ${isAtPath(scopePath, 's')}
      order by v.version desc limit 1`);
    if (row === null) return null;
    return {
      documentId: row.document_id,
      versionId: row.version_id,
      version: row.version,
      hasSameBytes: row.has_same_bytes,
      hasSameMediaType: row.has_same_media_type,
      isParsed: row.is_parsed,
      parseErrorClass: row.parse_error_class,
      isUnderWay: row.is_under_way,
    };
  }

  /** The latest version of the document, which has one. */
  async last(documentId: string): Promise<z.infer<typeof lastRow>> {
    return this.tx.one(sql.type(lastRow)`
      select v.id as version_id, v.version, v.is_withdrawal,
        v.settled_at is null and not ${isUnderWay} as is_left
      from document_versions v
      where v.account_id = ${this.accountId}::uuid and v.document_id = ${documentId}::uuid
      order by v.version desc limit 1`);
  }

  /** Creates the document in the scope, with its session and the session's mailboxes. Answers its id. */
  async create(scopeId: string, { externalId, ownerPeerId, sha256 }: KnownAs): Promise<string> {
    const documentId = uuidv7();
    const sessionId = uuidv7();
    await this.tx.query(sql.unsafe`
      with document as (
        insert into documents (account_id, id, scope_id, owner_peer_id, external_id, unnamed_sha256)
        values (${this.accountId}, ${documentId}, ${scopeId}, ${ownerPeerId}, ${externalId},
          case when ${externalId}::text is null then decode(${sha256}, 'hex') end)
      ), session as (
        insert into sessions (account_id, id, document_id, shard)
        values (${this.accountId}, ${sessionId}, ${documentId}, abs(hashtext(${sessionId}) % ${SHARDS}::integer))
        returning shard
      ), linked as (
        insert into session_scopes (account_id, session_id, scope_id)
        values (${this.accountId}, ${sessionId}, ${scopeId})
      )
      insert into mailboxes (account_id, kind, shard)
      select ${this.accountId}, kind, session.shard from session, unnest(enum_range(null::mailbox_kind)) as kind
      on conflict do nothing`);
    return documentId;
  }

  async addVersion(place: VersionPlace, added: NewVersion): Promise<void> {
    await this.tx.query(sql.unsafe`
      insert into document_versions (account_id, id, document_id, version, sha256, byte_size, media_type, title,
        occurred_at, occurred_offset_minutes, uploader_peer_id, credential_id, trace_id, audience_id)
      values (${this.accountId}, ${place.versionId}, ${place.documentId}, ${place.version},
        decode(${added.sha256}, 'hex'), ${added.byteSize}, ${added.mediaType}, ${added.title},
        ${added.occurredAt}::timestamptz, ${added.occurredOffsetMinutes}, ${added.uploaderPeerId},
        ${added.credentialId}, ${added.traceId}, ${internedAudience(
          this.accountId,
          sql.fragment`(select d.scope_id from documents d
            where d.account_id = ${this.accountId}::uuid and d.id = ${place.documentId}::uuid)`,
          added.audience,
        )})`);
  }

  /** Lets a version that could not be read be read once more. */
  async reopen(versionId: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      update document_versions set last_error_class = null
      where account_id = ${this.accountId} and id = ${versionId}`);
  }

  /** Ends the reading of versions that were not read yet. Locks the rows in the same order as a run that settles. */
  async closeUnread(documentId: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      with unread as materialized (
        select v.account_id, v.id from document_versions v
        where v.account_id = ${this.accountId}::uuid and v.document_id = ${documentId}::uuid and v.parsed_at is null
        order by v.version for update
      )
      update document_versions v
      set parsed_at = clock_timestamp(), chunk_count = 0,
        last_error_class = case
          when v.last_error_class <> all(${sql.array([...TRANSIENT_CLASSES], 'text')}::error_class[])
          then v.last_error_class end
      from unread where v.account_id = unread.account_id and v.id = unread.id`);
  }

  /** Adds the version that withdraws the document: it has no bytes and counts as read. */
  async addWithdrawal(
    place: VersionPlace,
    by: Pick<NewVersion, 'traceId'> & {
      readonly credentialId: string | null;
      readonly uploaderPeerId: string | null;
    },
  ): Promise<void> {
    this.promise({
      kind: 'document_withdrawn',
      document_id: place.documentId,
      version_id: place.versionId,
      peer_id: by.uploaderPeerId,
      credential_id: by.credentialId,
    });
    await this.tx.query(sql.unsafe`
      insert into document_versions (account_id, id, document_id, version, is_withdrawal, occurred_at,
        occurred_offset_minutes, uploader_peer_id, credential_id, trace_id, parsed_at, chunk_count)
      values (${this.accountId}, ${place.versionId}, ${place.documentId}, ${place.version}, true, clock_timestamp(),
        0, ${by.uploaderPeerId}, ${by.credentialId}, ${by.traceId}, clock_timestamp(), 0)`);
  }
}
