/** A document of a search scene, put there with its chunks as a superuser would. */
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { AccountScene, SearchScene } from './scene.ts';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export interface PlacedDocument {
  readonly id: string;
  readonly sessionId: string;
  readonly scopeId: string;
  /** Of each chunk, in their order. */
  readonly chunkIds: readonly string[];
}

interface DocumentInput {
  readonly uploader: string;
  readonly chunks: readonly string[];
  readonly path?: string;
}

/** Adds a version to a document and marks its chunks for both indexes. Answers the ids of the chunks. */
export async function placeVersion(
  { sql }: SearchScene,
  account: AccountScene,
  document: Omit<PlacedDocument, 'chunkIds'>,
  { uploader, chunks }: DocumentInput,
): Promise<string[]> {
  const versionId = uuidv7();
  const peerId = await account.peer(uploader);
  await sql(
    `insert into document_versions (account_id, id, document_id, version, sha256, byte_size, media_type, occurred_at,
       occurred_offset_minutes, uploader_peer_id, credential_id, trace_id, chunk_count, parsed_at, settled_at)
     select $1, $2, $3, 1 + count(*), $4, 1, 'text/plain', now(), 0, $5,
       (select id from credentials where account_id = $1 limit 1), $6, $7, now(), now()
     from document_versions where account_id = $1 and document_id = $3`,
    [account.id, versionId, document.id, sha256(versionId), peerId, 'a'.repeat(32), chunks.length],
  );
  const ids: string[] = [];
  for (const [place, text] of chunks.entries()) {
    const id = uuidv7();
    ids.push(id);
    await sql(
      `insert into messages (account_id, id, session_id, scope_id, speaker_peer_id, credential_id, role, content,
         content_hash, occurred_at, occurred_offset_minutes, trace_id, document_version_id, chunk_index)
       values ($1, $2, $3, $4, $5, (select id from credentials where account_id = $1 limit 1), 'document', $6, $7,
         now(), 0, $8, $9, $10)`,
      [
        account.id,
        id,
        document.sessionId,
        document.scopeId,
        peerId,
        text,
        sha256(text),
        'a'.repeat(32),
        versionId,
        place,
      ],
    );
    await sql(
      `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
       select $1, e, 'message', $2, $3, 0 from unnest(enum_range(null::index_engine)) e`,
      [account.id, id, document.scopeId],
    );
  }
  return ids;
}

/** A document of one version. */
export async function placeDocument(
  scene: SearchScene,
  account: AccountScene,
  input: DocumentInput,
): Promise<PlacedDocument> {
  const { sql } = scene;
  const [id, sessionId] = [uuidv7(), uuidv7()];
  const scopeId = await account.scope(input.path ?? '/poc');
  await sql(
    'insert into documents (account_id, id, scope_id, external_id) values ($1, $2, $3, $4)',
    [account.id, id, scopeId, id],
  );
  await sql('insert into sessions (account_id, id, document_id, shard) values ($1, $2, $3, 0)', [
    account.id,
    sessionId,
    id,
  ]);
  await sql('insert into session_scopes (account_id, session_id, scope_id) values ($1, $2, $3)', [
    account.id,
    sessionId,
    scopeId,
  ]);
  const document = { id, sessionId, scopeId };
  return { ...document, chunkIds: await placeVersion(scene, account, document, input) };
}
