/**
 * Messages that lend words to the statements drawn from them. Who reads a statement need not read its sources, so their
 * readers come along. The methods make no other access decision, because what they read goes to the indexes only.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { AccountStore } from '../account-store.ts';
import { LEAST_ID } from '../id-page.ts';
import { MOST_LENT_BYTES } from './neighbours.store.ts';
import { MESSAGE_READERS } from './units.store.ts';

/** Of a statement with more sources, those that were recorded first lend words. */
const MOST_LENDING = 3;

const statementSource = z.object({
  knowledge_id: z.string(),
  message_id: z.string(),
  speaker_peer_id: z.string(),
  role: z.string(),
  content: z.string(),
  occurred_at: z.string(),
  occurred_offset_minutes: z.number(),
  /** At most one more than an index stores. */
  reader_peer_ids: z.array(z.string()),
});
export type StatementSource = z.infer<typeof statementSource>;

/** The first sources of the statement `k`, as `m`. */
const FIRST_SOURCES: FragmentSqlToken = sql.fragment`(
  select m.* from provenance p join messages m on m.account_id = p.account_id and m.id = p.message_id
  where p.account_id = k.account_id and p.knowledge_id = k.id and m.is_served
  order by p.message_id limit ${MOST_LENDING})`;

const idRow = z.object({ id: z.string() });

export class StatementSourcesStore extends AccountStore {
  /**
   * The messages that lend words to the statements: of the statement's own scope, because only who is let into that scope
   * reads it there, no chunks, and none that is long. One query.
   */
  async of(knowledgeIds: readonly string[]): Promise<readonly StatementSource[]> {
    if (knowledgeIds.length === 0) return [];
    return this.tx.any(sql.type(statementSource)`
      select k.id as knowledge_id, m.id as message_id, m.speaker_peer_id, m.role, m.content, m.occurred_at,
        m.occurred_offset_minutes, ${MESSAGE_READERS} as reader_peer_ids
      from knowledge k
      cross join lateral ${FIRST_SOURCES} m
      where k.account_id = ${this.accountId}::uuid and k.id = any(${sql.array(knowledgeIds, 'uuid')})
        and m.scope_id = k.scope_id and m.document_version_id is null
        and octet_length(m.content) <= ${MOST_LENT_BYTES}
      order by k.id, m.id`);
  }

  /** Statements that were drawn from the messages. One query. */
  async drawnFrom(messageIds: readonly string[]): Promise<readonly string[]> {
    if (messageIds.length === 0) return [];
    return this.tx.anyFirst(sql.type(idRow)`
      select distinct p.knowledge_id as id from provenance p
      where p.account_id = ${this.accountId}::uuid and p.message_id = any(${sql.array(messageIds, 'uuid')})`);
  }

  /** As `drawnFrom`, those with ids after `afterId` (null: from the first on), in the order of their ids. One query. */
  async drawnPage(
    messageIds: readonly string[],
    { afterId, limit }: { readonly afterId: string | null; readonly limit: number },
  ): Promise<readonly string[]> {
    if (messageIds.length === 0) return [];
    return this.tx.anyFirst(sql.type(idRow)`
      select distinct p.knowledge_id as id from provenance p
      where p.account_id = ${this.accountId}::uuid and p.message_id = any(${sql.array(messageIds, 'uuid')})
        and p.knowledge_id > ${afterId ?? LEAST_ID}::uuid
      order by id limit ${limit}`);
  }
}
