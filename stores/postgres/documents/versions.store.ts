/**
 * The steps of a document version under its run: what is to be parsed, its chunks, and why there are none. A
 * chunk is a message in the document's session; its speaker is the peer that uploaded the version.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import { CHUNK_ROLE } from '../../../domain/documents/chunk.ts';
import type { ErrorClass } from '../../../domain/error-class.ts';
import { judgeIn } from '../judging.ts';
import { readMessages, serveMessages } from '../forgetting/serve.ts';
import { PoolStore } from '../pool-store.ts';
import { withAccount } from '../pool.ts';
import { RunsStore } from '../runs/runs.store.ts';

const versionRow = z.object({
  version_id: z.string(),
  shard: z.number(),
  /** Attempts to read it, this one included. */
  attempts: z.number(),
  /** The bytes that are still to be read, hash in lower-case hex; null when there is nothing to read any more. */
  unread: z.object({ sha256: z.string(), media_type: z.string() }).nullable(),
});
export type RunningVersion = z.infer<typeof versionRow>;

export interface NewChunk {
  readonly id: string;
  readonly text: string;
  /** Lower-case hex. */
  readonly sha256: string;
  /** One a line, outermost first; null without any. */
  readonly headings: string | null;
}

/** Document versions under their runs. */
export class DocumentVersionsStore extends PoolStore {
  /** The version that the run is about; null when the run is over. Counts an attempt. */
  begin(accountId: string, runId: string): Promise<RunningVersion | null> {
    return withAccount(this.db, accountId, async (tx) => {
      if (!(await new RunsStore(tx, accountId).begin(runId, true))) return null;
      return tx.maybeOne(sql.type(versionRow)`
        update document_versions v
        set attempt_count = v.attempt_count + case when v.parsed_at is null then 1 else 0 end
        from pipeline_runs r, sessions s
        where r.account_id = ${accountId}::uuid and r.id = ${runId}::uuid
          and v.account_id = r.account_id and v.id = r.target_id
          and s.account_id = v.account_id and s.document_id = v.document_id
        returning v.id as version_id, s.shard, v.attempt_count as attempts, case when v.parsed_at is null then jsonb_build_object(
          'sha256', encode(v.sha256, 'hex'), 'media_type', v.media_type) end as unread`);
    });
  }

  /**
   * Keeps the chunks with their anchors and marks, once. Answers how many: none when there is nothing to read any
   * more, because it was read before, or its document was withdrawn.
   */
  addChunks(accountId: string, versionId: string, chunks: readonly NewChunk[]): Promise<number> {
    return withAccount(this.db, accountId, async (tx) => {
      const judge = await judgeIn(tx, accountId);
      const { rowCount } = await tx.query(sql.unsafe`
        update document_versions v
        set parsed_at = clock_timestamp(), chunk_count = ${chunks.length}, last_error_class = null
        where v.account_id = ${accountId}::uuid and v.id = ${versionId}::uuid and v.parsed_at is null`);
      if (rowCount === 0 || chunks.length === 0) return 0;
      await tx.query(sql.unsafe`
        with version as materialized (
          select v.*, d.scope_id, s.id as session_id, s.shard
          from document_versions v
          join documents d on d.account_id = v.account_id and d.id = v.document_id
          join sessions s on s.account_id = v.account_id and s.document_id = v.document_id
          where v.account_id = ${accountId}::uuid and v.id = ${versionId}::uuid
        ), chunk as (
          select r.*, c.place - 1 as place
          from jsonb_array_elements(${JSON.stringify(chunks)}::jsonb) with ordinality as c (row, place),
            jsonb_to_record(c.row) as r (id uuid, text text, sha256 text, headings text)
        ), stored as (
          insert into messages (account_id, id, session_id, scope_id, speaker_peer_id, credential_id, role, content,
            content_hash, occurred_at, occurred_offset_minutes, trace_id, document_version_id, chunk_index, headings, audience_id)
          select version.account_id, chunk.id, version.session_id, version.scope_id, version.uploader_peer_id,
            version.credential_id, ${CHUNK_ROLE}, chunk.text, decode(chunk.sha256, 'hex'), version.occurred_at,
            version.occurred_offset_minutes, version.trace_id, version.id, chunk.place, chunk.headings,
            version.audience_id
          from version, chunk
        ), anchored as (
          insert into extraction_anchors (account_id, message_id, session_id, scope_id, shard, speaker_peer_id)
          select version.account_id, chunk.id, version.session_id, version.scope_id, version.shard,
            version.uploader_peer_id
          from version, chunk
        )
        insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
        select version.account_id, engine, 'message', chunk.id, version.scope_id, version.shard
        from version, chunk, unnest(enum_range(null::index_engine)) as engine`);
      if (judge.edition > 0) {
        const ids = chunks.map(({ id }) => id);
        await serveMessages(tx, accountId, judge, await readMessages(tx, accountId, ids));
      }
      return chunks.length;
    });
  }

  /** Says why the version could not be parsed. */
  failed(accountId: string, versionId: string, errorClass: ErrorClass): Promise<void> {
    return withAccount(this.db, accountId, async (tx) => {
      await tx.query(sql.unsafe`
        update document_versions set last_error_class = ${errorClass}::error_class
        where account_id = ${accountId}::uuid and id = ${versionId}::uuid and parsed_at is null`);
    });
  }
}
