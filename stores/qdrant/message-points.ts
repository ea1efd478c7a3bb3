/** Reading the points of messages: searches for passages, and which messages have a vector of the configured space. */
import { z } from 'zod';
import type { PassageTraits } from '../../domain/ranking/traits.ts';
import { cutBeforeEquals } from '../../domain/ranking/cut.ts';
import type { SparseVector } from '../../domain/ranking/sparse.ts';
import { AWAITED, type MessageSearch } from '../../domain/retrieval/message-search.ts';
import { answersTo, fieldOf, listOf, payloadOf, scoreOf, sourceOf } from './answers.ts';
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
import { pointId } from './point-id.ts';
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

/** Code points of a message are counted in 32 bits. */
const LAST_PLACE = 2 ** 31 - 1;
const TRAITS = ['short_question', 'time_cue', 'says_something', 'with_assistant'];
const HIT_FIELDS = ['source_id', 'order', 'begins_at', ...TRAITS];
const indexedPayload = z.object({
  source_id: z.guid(),
  readers: z.array(z.string()),
  vector: z.string().optional(),
});

/** A place in a text, or undefined where it is none. Points of earlier releases do not name it. */
function placeOf(value: unknown): number | null | undefined {
  if (value === undefined) return null;
  const isPlace =
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LAST_PLACE;
  return isPlace ? value : undefined;
}

/** A point without a readable payload belongs to no message, so it is no hit. */
function toHit(point: unknown): MessageHit[] {
  const score = scoreOf(point);
  const messageId = sourceOf(point);
  const payload = payloadOf(point);
  const order = fieldOf(payload, 'order');
  const beginsAt = placeOf(fieldOf(payload, 'begins_at'));
  const said = TRAITS.map((trait) => fieldOf(payload, trait) ?? false);
  const isReadable = said.every((one) => typeof one === 'boolean');
  if (messageId === null || typeof order !== 'number' || beginsAt === undefined || !isReadable) {
    return [];
  }
  const [
    isShortQuestion = false,
    hasTimeCue = false,
    saysSomething = false,
    isWithAssistant = false,
  ] = said;
  const traits = { isShortQuestion, hasTimeCue, saysSomething, isWithAssistant };
  return [{ messageId, score, order, beginsAt, traits }];
}

function toHits(answer: unknown): MessageHit[] {
  const groups = listOf(fieldOf(answer, 'groups'), 'groups');
  return groups.flatMap((group) => listOf(fieldOf(group, 'hits'), 'hits').flatMap(toHit));
}

/** The messages of an answer. */
function sourcesOf(answer: unknown): string[] {
  const points = listOf(fieldOf(answer, 'points'), 'points');
  return [...new Set(points.map(sourceOf).filter((id) => id !== null))];
}

function toIndexed(point: unknown): [string, IndexedMessage][] {
  const read = indexedPayload.safeParse(payloadOf(point));
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
    const found = await asking(async () => {
      const answer = await this.#client.queryBatchWithin(this.#collection, searches, signal);
      return answersTo(searches.length, answer).map(sourcesOf);
    });
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
      ids: messageIds.map((id) => pointId(accountId, 'message', id)),
      with_payload: ['source_id', 'readers', 'vector'],
    };
    return asking(async () => {
      const answer = await this.#client.retrieveWithin(this.#collection, asked, signal);
      return new Map(listOf(answer, 'points').flatMap(toIndexed));
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
      const page = await this.#client.scrollWithin(this.#collection, asked);
      const next = fieldOf(page, 'next_page_offset');
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
