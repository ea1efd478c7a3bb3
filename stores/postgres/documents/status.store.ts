/** What became of a document version: its own steps and the sum over its chunks. */
import { sql } from 'slonik';
import { z } from 'zod';
import type { Reader } from '../../../domain/governance/visibility.ts';
import { ERROR_CLASSES } from '../../../domain/error-class.ts';
import { chainOf } from '../scopes/paths.ts';
import { AccountStore } from '../account-store.ts';

const count = z.number().int();

const versionStatusRow = z.object({
  document_id: z.string(),
  version: z.number(),
  scope_path: z.string(),
  /** The scopes of the document's chain that exist. */
  chain: z.array(z.object({ id: z.string(), depth: z.number() })),
  /** Whether the reader uploaded it. */
  was_there: z.boolean(),
  is_for_reader: z.boolean(),
  parse_error_class: z.enum(ERROR_CLASSES).nullable(),
  parsed_at: z.string().nullable(),
  settled_at: z.string().nullable(),
  /** Whether there is a later version, which has taken over what was left to do. */
  is_replaced: z.boolean(),
  /** When the document was withdrawn, in that version or after it. */
  withdrawn_at: z.string().nullable(),
  parse_attempts: count,
  chunk_count: count.nullable(),
  pending: count,
  failed: count,
  completed: count,
  repairable: count,
  terminal: count,
  chunk_error_class: z.enum(ERROR_CLASSES).nullable(),
  chunk_attempts: count,
  next_attempt_at: z.string().nullable(),
  completed_at: z.string().nullable(),
});
export type VersionStatusRow = z.infer<typeof versionStatusRow>;

function isUploader(reader: Reader) {
  switch (reader.posture) {
    case 'internal':
      return sql.fragment`true`;
    case 'public_only':
      return sql.fragment`false`;
    case 'peer':
      return sql.fragment`v.uploader_peer_id = ${reader.peerId}::uuid`;
  }
}

/** Whether the audience of the version does not leave out the reader. */
function isForReader(reader: Reader) {
  switch (reader.posture) {
    case 'internal':
      return sql.fragment`true`;
    case 'public_only':
      return sql.fragment`v.audience_id is null`;
    case 'peer':
      return sql.fragment`(v.audience_id is null
        or is_addressed(v.account_id, v.audience_id, ${reader.peerId}::uuid))`;
  }
}

/** What became of document versions of the account. */
export class DocumentStatusStore extends AccountStore {
  /** The status of a version and whether the reader uploaded it; null without such a version. One query. */
  async ofVersion(versionId: string, reader: Reader): Promise<VersionStatusRow | null> {
    return this.tx.maybeOne(sql.type(versionStatusRow)`
      select v.document_id, v.version, scope.path as scope_path, ${isUploader(reader)} as was_there,
        ${isForReader(reader)} as is_for_reader,
        v.last_error_class as parse_error_class, v.parsed_at, v.settled_at, v.attempt_count as parse_attempts,
        v.chunk_count, c.*, later.*,
        ${chainOf('scope')} as chain
      from document_versions v
      join documents d on d.account_id = v.account_id and d.id = v.document_id
      join scopes scope on scope.account_id = d.account_id and scope.id = d.scope_id
      cross join lateral (
        select count(*) filter (where a.status = 'pending')::integer as pending,
          count(*) filter (where a.status = 'failed')::integer as failed,
          count(*) filter (where a.status = 'completed')::integer as completed,
          count(*) filter (where a.status = 'repairable')::integer as repairable,
          count(*) filter (where a.status = 'terminal')::integer as terminal,
          min(a.last_error_class) as chunk_error_class,
          coalesce(max(a.attempt_count), 0) as chunk_attempts,
          min(a.available_at) filter (where a.status = 'failed') as next_attempt_at,
          max(a.completed_at) as completed_at
        from messages m
        join extraction_anchors a on a.account_id = m.account_id and a.message_id = m.id
        where m.account_id = v.account_id and m.document_version_id = v.id
      ) c
      cross join lateral (
        select coalesce(bool_or(l.version > v.version), false) as is_replaced,
          min(l.recorded_at) filter (where l.is_withdrawal) as withdrawn_at
        from document_versions l
        where l.account_id = v.account_id and l.document_id = v.document_id and l.version >= v.version
      ) later
      where v.id = ${versionId}::uuid`);
  }
}
