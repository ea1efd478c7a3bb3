/** The order of a document's versions: whoever adds one holds its lock and looks at the latest. */
import { sql } from 'slonik';
import { z } from 'zod';
import type { LatestVersion } from '../../../domain/documents/submission.ts';
import { ERROR_CLASSES } from '../../../domain/models/error-class.ts';
import type { Queryable } from '../pool.ts';
import { isAtPath } from '../scope-paths.ts';

/** How a document is known in its account: a name in a scope, or its first bytes there. */
export interface KnownAs {
  readonly accountId: string;
  readonly scopePath: string;
  readonly externalId: string | null;
  /** Lower-case hex. It counts only without a name. */
  readonly sha256: string | null;
}

/** Until the end of the transaction, also for a document that does not exist yet. */
export async function lockDocument(tx: Queryable, document: KnownAs): Promise<void> {
  const { accountId, scopePath, externalId, sha256 } = document;
  const known = JSON.stringify([accountId, scopePath, externalId, externalId === null && sha256]);
  await tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended(${known}, 0))`);
}

/** Whether a run of the version `v` has not ended. */
export const isUnderWay = sql.fragment`exists (select from pipeline_runs r
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

export interface LatestOfDocument extends LatestVersion {
  readonly documentId: string;
  readonly versionId: string;
  /** Counts from 1. */
  readonly version: number;
}

/** The latest version of the document beside bytes that are handed in; null for a document that does not exist. */
export async function readLatest(
  tx: Queryable,
  submission: KnownAs & { readonly sha256: string; readonly mediaType: string },
): Promise<LatestOfDocument | null> {
  const { accountId, externalId, mediaType, scopePath, sha256 } = submission;
  const bytes = sql.fragment`decode(${sha256}, 'hex')`;
  const known =
    externalId === null
      ? sql.fragment`d.unnamed_sha256 = ${bytes}`
      : sql.fragment`d.external_id = ${externalId}`;
  const row = await tx.maybeOne(sql.type(latestRow)`
    select d.id as document_id, v.id as version_id, v.version,
      v.sha256 is not distinct from ${bytes} as has_same_bytes,
      v.media_type is not distinct from ${mediaType} as has_same_media_type,
      v.parsed_at is not null as is_parsed, v.last_error_class as parse_error_class,
      ${isUnderWay} as is_under_way
    from scopes s
    join documents d on d.account_id = s.account_id and d.scope_id = s.id and ${known}
    join document_versions v on v.account_id = d.account_id and v.document_id = d.id
    where s.account_id = ${accountId} and ${isAtPath(scopePath, 's')}
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
