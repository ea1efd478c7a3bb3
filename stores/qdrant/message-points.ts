/** Reading the points of messages: searches for passages, and which messages have a vector of the configured space. */
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import { z } from 'zod';
import type { SparseVector } from '../../domain/ranking/sparse.ts';
import { AWAITED, type MessageSearch } from '../../domain/retrieval/message-search.ts';
import { idInIndex } from '../id-in-index.ts';
import { asking } from './client.ts';
import { asFilter, unitFilter } from './filter.ts';
import { AWAITS_VECTOR, messageFilter, READER_LISTS } from './message-filter.ts';
import { DENSE_VECTOR, SPARSE_VECTOR } from './point.ts';

/** The best passage of a message. */
export interface MessageHit {
  readonly messageId: string;
  readonly score: number;
  /** Milliseconds: when the message was said. */
  readonly order: number;
  /** Code points of the message before the passage; null where the point does not know. */
  readonly beginsAt: number | null;
}

/** Messages that may be read, as far as the index knows: a few of each. */
export interface VectorLook {
  readonly withVector: readonly string[];
  readonly awaiting: readonly string[];
}

/** A message as its points show it. */
export interface IndexedMessage {
  readonly readers: readonly string[];
  readonly awaitsVector: boolean;
}

/** A page of messages that wait for vectors. */
export interface AwaitingMessages {
  readonly messageIds: readonly string[];
  /** Where the next page begins; null after the last. */
  readonly next: string | null;
}

const hitPayload = z.object({
  source_id: z.string(),
  order: z.number(),
  begins_at: z.number().optional(),
});
const sourcePayload = z.object({ source_id: z.string() });
const indexedPayload = sourcePayload.extend({
  readers: z.array(z.string()),
  vector: z.string().optional(),
});

function toHit({ payload, score }: Schemas['ScoredPoint']): MessageHit[] {
  const read = hitPayload.safeParse(payload);
  if (!read.success) return [];
  const { source_id: messageId, order, begins_at: beginsAt = null } = read.data;
  return [{ messageId, score, order, beginsAt }];
}

function sourcesOf(points: readonly Pick<Schemas['Record'], 'payload'>[]): string[] {
  const ids = points.flatMap(
    ({ payload }) => sourcePayload.safeParse(payload).data?.source_id ?? [],
  );
  return [...new Set(ids)];
}

/** What can be asked of the messages of a collection, which `ensureCollection` made. */
export class MessagePoints {
  readonly #client: QdrantClient;
  readonly #collection: string;

  constructor(client: QdrantClient, collection: string) {
    this.#client = client;
    this.#collection = collection;
  }

  /** By words, best first, at most `limit` of each list of readers. Two requests, made at once. */
  searchWords(
    { indices, values }: SparseVector,
    search: MessageSearch,
    limit: number,
  ): Promise<MessageHit[]> {
    const query = { indices: [...indices], values: [...values] };
    return this.#search({ query, using: SPARSE_VECTOR }, search, limit);
  }

  /** By meaning, nearest first, as `searchWords`. Passages without a vector are not among them. */
  searchMeaning(
    vector: readonly number[],
    search: MessageSearch,
    limit: number,
  ): Promise<MessageHit[]> {
    return this.#search({ query: [...vector], using: DENSE_VECTOR }, search, limit);
  }

  /**
   * A few messages with a vector of the collection's space, and a few with a passage that awaits one: all of them where
   * the collection has no vectors (`isDense` false). One request.
   */
  async lookForVectors(
    search: MessageSearch,
    limit: number,
    isDense: boolean,
  ): Promise<VectorLook> {
    const look = { limit, with_payload: ['source_id'] };
    const searches = READER_LISTS.flatMap((list) => {
      const may = messageFilter(search, list);
      if (!isDense) return [{ ...look, filter: asFilter(may) }];
      return [
        { ...look, filter: asFilter({ must: [may, { has_vector: DENSE_VECTOR }] }) },
        { ...look, filter: asFilter({ must: [may, AWAITS_VECTOR] }) },
      ];
    });
    const answers = await asking(() => this.#client.queryBatch(this.#collection, { searches }));
    const found = answers.map(({ points }) => sourcesOf(points));
    if (!isDense) return { withVector: [], awaiting: found.flat() };
    const every = (parity: number) => found.filter((_, n) => n % 2 === parity).flat();
    return { withVector: every(0), awaiting: every(1) };
  }

  /** Those of the messages that the collection holds, by id, as the first passage shows them. */
  async indexed(
    accountId: string,
    messageIds: readonly string[],
  ): Promise<ReadonlyMap<string, IndexedMessage>> {
    if (messageIds.length === 0) return new Map();
    const points = await asking(() =>
      this.#client.retrieve(this.#collection, {
        ids: messageIds.map((id) => idInIndex(accountId, 'message', id)),
        with_payload: ['source_id', 'readers', 'vector'],
      }),
    );
    return new Map(
      points.flatMap(({ payload }) => {
        const read = indexedPayload.safeParse(payload);
        if (!read.success) return [];
        const { readers, source_id: id, vector } = read.data;
        return [[id, { readers, awaitsVector: vector === AWAITED }] as const];
      }),
    );
  }

  /**
   * Messages of the account with a passage that says that it awaits its vector: of at most `limit` passages in the order
   * of their points' ids, from the id `from` on (null: from the beginning). The condition is indexed, so that a healthy
   * account costs next to nothing.
   */
  async awaitingVector(
    accountId: string,
    from: string | null,
    limit: number,
  ): Promise<AwaitingMessages> {
    const filter = asFilter({ must: [unitFilter(accountId, 'message'), AWAITS_VECTOR] });
    const page = await asking(() =>
      this.#client.scroll(this.#collection, {
        filter,
        limit,
        with_payload: ['source_id'],
        ...(from === null ? {} : { offset: from }),
      }),
    );
    const next = page.next_page_offset;
    return { messageIds: sourcesOf(page.points), next: typeof next === 'string' ? next : null };
  }

  async #search(
    body: Pick<Parameters<QdrantClient['queryGroups']>[1], 'query' | 'using'>,
    search: MessageSearch,
    limit: number,
  ): Promise<MessageHit[]> {
    const answers = await Promise.all(
      READER_LISTS.map((list) =>
        asking(() =>
          this.#client.queryGroups(this.#collection, {
            ...body,
            filter: asFilter(messageFilter(search, list)),
            group_by: 'source_id',
            group_size: 1,
            limit,
            with_payload: ['source_id', 'order', 'begins_at'],
          }),
        ),
      ),
    );
    return answers.flatMap(({ groups }) => groups.flatMap(({ hits }) => hits.flatMap(toHit)));
  }
}
