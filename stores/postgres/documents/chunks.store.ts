/**
 * Chunks of documents as candidates of a search. A chunk follows the rule of raw messages: who was there may read it,
 * and that is the peer that uploaded it. A chunk of a replaced version is no candidate, nor is one of a person who is being
 * erased.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import { AccountStore } from '../account-store.ts';
import { chunkRow, renderChunks, type ChunkRead, type ChunkRow } from './chunk-query.ts';

/** Chunks of the account, as far as a reader may read them. */
export class ChunksStore extends AccountStore {
  /** The session of a document; null without such a document. It says nothing of who may read it. */
  async sessionOf(documentId: string): Promise<string | null> {
    return this.tx.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
      select id from sessions
      where account_id = ${this.accountId}::uuid and document_id = ${documentId}::uuid`);
  }

  /** Those of the messages that are chunks the reader may read, in no order. One query, also when there are no ids. */
  async read(ids: readonly string[], read: ChunkRead): Promise<readonly ChunkRow[]> {
    return this.tx.any(sql.type(chunkRow)`${renderChunks(this.accountId, ids, read)}`);
  }
}
