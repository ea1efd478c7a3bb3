/** Reading the points of messages: searches for passages, and which messages have a vector of the configured space. */
import { z } from 'zod';
import type { PassageTraits } from '../../domain/ranking/traits.ts';
import { cutBeforeEquals } from '../../domain/ranking/cut.ts';
import type { SparseVector } from '../../domain/ranking/sparse.ts';
import { AWAITED, type MessageSearch } from '../../domain/retrieval/message-search.ts';
import { idInIndex } from '../id-in-index.ts';
import {
  asking,
  nameInUse,
  type AbortableQdrantClient,
  type CollectionInUse,
  type GroupsQuery,
} from './client.ts';
import { asFilter, unitFilter } from './filter.ts';
import {
  AWAITS_VECTOR,
  messageFilter,
  ofPart,
  PASSAGE_PARTS,
  READER_LISTS,
  type PassagePart,
  type ReaderList,
} from './message-filter.ts';
import { DENSE_VECTOR, SPARSE_VECTOR } from './point.ts';

/** The best passage of a message. */
export interface MessageHit {
  readonly messageId: string;
  readonly score: number;
  /** Milliseconds: when the message was said. */
  readonly order: number;
  /** Code points of the message before the passage; null where the point does not know. */
  readonly beginsAt: number | null;
  readonly traits: PassageTraits;
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
  /** Of the collection's space, if the collection has vectors. */
  readonly hasVector: boolean;
}

/** A page of messages that wait for vectors. */
export interface AwaitingMessages {
  readonly messageIds: readonly string[];
  /** Where the next page begins; null after the last. */
  readonly next: string | null;
}

type AskedList = readonly [ReaderList, PassagePart];

const LISTS = READER_LISTS.flatMap((list) => PASSAGE_PARTS.map((part): AskedList => [list, part]));

/** The shapes of answers. Whatever else answers at the address must not pass for hits. */
const points = z.array(z.object({ payload: z.unknown() }));
const scored = z.object({ score: z.number(), payload: z.unknown() });
const foundGroups = z.object({ groups: z.array(z.object({ hits: z.array(scored) })) });
const foundPoints = z.object({ points, next_page_offset: z.unknown().optional() });

const hitPayload = z.object({
  source_id: z.guid(),
  order: z.number(),
  begins_at: z.int32().min(0).optional(),
  short_question: z.boolean().optional(),
  time_cue: z.boolean().optional(),
  says_something: z.boolean().optional(),
  with_assistant: z.boolean().optional(),
});
const HIT_FIELDS = Object.keys(hitPayload.shape);
const sourcePayload = z.object({ source_id: z.guid() });
const indexedPayload = sourcePayload.extend({
  readers: z.array(z.string()),
  vector: z.string().optional(),
});

/** A point without a readable payload belongs to no message, so it is no hit. */
function toHit({ payload, score }: z.infer<typeof scored>): MessageHit[] {
  const read = hitPayload.safeParse(payload);
  if (!read.success) return [];
  const { source_id: messageId, order, begins_at: beginsAt = null, ...said } = read.data;
  const traits = {
    isShortQuestion: said.short_question === true,
    hasTimeCue: said.time_cue === true,
    saysSomething: said.says_something === true,
    isWithAssistant: said.with_assistant === true,
  };
  return [{ messageId, score, order, beginsAt, traits }];
}

function toHits(answer: unknown): MessageHit[] {
  return foundGroups.parse(answer).groups.flatMap(({ hits }) => hits.flatMap(toHit));
}

/** The messages of each of so many searches; throws when the answer is none to them. */
function sourcesOfEach(answer: unknown, searches: number): string[][] {
  const lists = z.array(foundPoints).parse(answer);
  if (lists.length !== searches) throw new RangeError('Qdrant left searches without an answer');
  return lists.map(sourcesOf);
}

function sourcesOf(answer: z.infer<typeof foundPoints>): string[] {
  const ids = answer.points.flatMap(
    ({ payload }) => sourcePayload.safeParse(payload).data?.source_id ?? [],
  );
  return [...new Set(ids)];
}

function toIndexed({ payload }: z.infer<typeof points>[number]): [string, IndexedMessage][] {
  const read = indexedPayload.safeParse(payload);
  if (!read.success) return [];
  const { readers, source_id: id, vector } = read.data;
  return [[id, { readers, awaitsVector: vector === AWAITED, hasVector: vector === undefined }]];
}

/**
 * What can be asked of the messages of a collection, which `ensureCollection` made. Every function throws an
 * `IndexFailure`; a signal ends its requests.
 */
export class MessagePoints {
  readonly #client: AbortableQdrantClient;
  readonly #name: CollectionInUse;
  /** Where vectors of meaning are looked for, by their space: never those of another one. */
  readonly #ofMeaning: CollectionInUse;

  constructor(
    client: AbortableQdrantClient,
    collection: CollectionInUse,
    ofMeaning: CollectionInUse = collection,
  ) {
    this.#client = client;
    this.#name = collection;
    this.#ofMeaning = ofMeaning;
  }

  get #collection(): string {
    return nameInUse(this.#name);
  }

  /**
   * By words, at most `limit` of each list; a long message may be in two of them. One request for each list, all made at
   * once.
   */
  searchWords(
    { indices, values }: SparseVector,
    search: MessageSearch,
    limit: number,
    signal?: AbortSignal,
  ): Promise<MessageHit[]> {
    const query = { indices: [...indices], values: [...values] };
    return this.#search(this.#collection, { query, using: SPARSE_VECTOR }, search, limit, signal);
  }

  /** By meaning, as `searchWords`. Passages without a vector are not among them. */
  searchMeaning(
    vector: readonly number[],
    search: MessageSearch,
    limit: number,
    signal?: AbortSignal,
  ): Promise<MessageHit[]> {
    const query = { query: [...vector], using: DENSE_VECTOR };
    return this.#search(nameInUse(this.#ofMeaning), query, search, limit, signal);
  }

  /**
   * Of the messages whose point names the reader a few with a vector of the collection's space, and a few with a passage
   * that awaits one: all of them where the collection has no vectors (`isDense` false). One request.
   */
  async lookForVectors(
    search: MessageSearch,
    limit: number,
    isDense: boolean,
    signal?: AbortSignal,
  ): Promise<VectorLook> {
    const look = { limit, with_payload: ['source_id'] };
    const may = messageFilter(search, 'listed');
    const searches = isDense
      ? [
          { ...look, filter: asFilter({ must: [may, { has_vector: DENSE_VECTOR }] }) },
          { ...look, filter: asFilter({ must: [may, AWAITS_VECTOR] }) },
        ]
      : [{ ...look, filter: asFilter(may) }];
    const found = await asking(async () =>
      sourcesOfEach(
        await this.#client.queryBatchWithin(this.#collection, searches, signal),
        searches.length,
      ),
    );
    return { withVector: isDense ? (found[0] ?? []) : [], awaiting: found.at(-1) ?? [] };
  }

  /** Those of the messages that the collection holds, by id, as the first passage shows them. */
  async indexed(
    accountId: string,
    messageIds: readonly string[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, IndexedMessage>> {
    if (messageIds.length === 0) return new Map();
    const asked = {
      ids: messageIds.map((id) => idInIndex(accountId, 'message', id)),
      with_payload: ['source_id', 'readers', 'vector'],
    };
    return asking(async () => {
      const answer = await this.#client.retrieveWithin(this.#collection, asked, signal);
      return new Map(points.parse(answer).flatMap(toIndexed));
    });
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
    const asked = {
      filter,
      limit,
      with_payload: ['source_id'],
      ...(from === null ? {} : { offset: from }),
    };
    return asking(async () => {
      const page = foundPoints.parse(await this.#client.scrollWithin(this.#collection, asked));
      const next = page.next_page_offset;
      return { messageIds: sourcesOf(page), next: typeof next === 'string' ? next : null };
    });
  }

  /**
   * A message is a group, and Qdrant looks for groups in a few pages of `limit` passages, at least five. So a message may
   * take `limit` places where it has as many passages, but only `MOST_OF_BEGINNING` among the beginnings. The other
   * requests end when one fails.
   */
  async #search(
    collection: string,
    body: Pick<GroupsQuery, 'query' | 'using'>,
    search: MessageSearch,
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<MessageHit[]> {
    const over = new AbortController();
    const either = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
    const ask = ([list, part]: AskedList): Promise<MessageHit[]> => {
      const query = {
        ...body,
        filter: asFilter(ofPart(messageFilter(search, list), part)),
        group_by: 'source_id',
        group_size: 1,
        limit: limit + 1,
        with_payload: HIT_FIELDS,
      };
      return asking(async () =>
        toHits(await this.#client.queryGroupsWithin(collection, query, either)),
      );
    };
    try {
      const lists = await Promise.all(LISTS.map(ask));
      return lists.flatMap((list) => cutBeforeEquals(list, limit));
    } finally {
      over.abort();
    }
  }
}
