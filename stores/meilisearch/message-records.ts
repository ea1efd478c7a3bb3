/** Asking the full-text index of messages, behind a hull of the rule of who may read a message. */
import type { Meilisearch } from 'meilisearch';
import { MANY } from '../../domain/retrieval/listed.ts';
import {
  readerNames,
  type MessageReader,
  type MessageSearch,
} from '../../domain/retrieval/message-search.ts';
import { asking, requestSignal } from './client.ts';
import { quoted } from './filter.ts';
import { MAX_HITS } from './indexes.ts';
import { matchedIds, type MatchedIds, type TextQuery } from './record-index.ts';
import { termWord } from './record.ts';

type Access = Pick<MessageSearch, 'accountId' | 'readers'>;

const isAnyOf = (field: string, values: readonly string[]): string =>
  `${field} IN [${values.map(quoted).join(', ')}]`;

function readBy(reader: MessageReader): string {
  const { peerId, scopeIds } = reader;
  const within = isAnyOf('now_scope', scopeIds);
  if (peerId === null) return `(${within})`;
  return `(${within} AND ${isAnyOf('readers', [...readerNames(peerId, reader), MANY])})`;
}

/** The messages that may be read; none when nobody reads. */
export function messageRecordFilter({ accountId, readers }: Access): string {
  const may = readers.length === 0 ? 'account NOT EXISTS' : readers.map(readBy).join(' OR ');
  return `account = ${quoted(accountId)} AND (${may})`;
}

/** What can be asked of the records of messages. */
export class MessageRecords {
  readonly #client: Meilisearch;
  readonly #index: string;

  constructor(client: Meilisearch, index: string) {
    this.#client = client;
    this.#index = index;
  }

  /** For each query the messages that match it, in one round trip, which the signal ends. */
  match(queries: readonly TextQuery[], access: Access, signal: AbortSignal): Promise<MatchedIds[]> {
    return this.#search(queries, access, MAX_HITS, signal);
  }

  /** For each list of term ids the messages that hold all of them, at most `limit`. Lists have ten ids at most. */
  withTerms(
    lists: readonly (readonly number[])[],
    access: Access,
    limit: number,
    signal: AbortSignal,
  ): Promise<MatchedIds[]> {
    const queries = lists.map((ids) => ({ q: ids.map(termWord).join(' '), field: 'terms' }));
    return this.#search(queries, access, Math.min(limit, MAX_HITS), signal);
  }

  async #search(
    queries: readonly { readonly q: string; readonly field: string }[],
    access: Access,
    limit: number,
    signal: AbortSignal,
  ): Promise<MatchedIds[]> {
    if (queries.length === 0) return [];
    const filter = messageRecordFilter(access);
    return asking(async () => {
      const answer = await this.#client.multiSearch(
        {
          queries: queries.map(({ q, field }) => ({
            indexUid: this.#index,
            q,
            filter,
            limit,
            matchingStrategy: 'all' as const,
            attributesToSearchOn: [field],
            attributesToRetrieve: ['source_id'],
          })),
        },
        { signal: requestSignal(this.#client, signal) },
      );
      return matchedIds(answer, queries.length);
    });
  }
}
