/** Dense vectors that a collection holds of passages already, so that a text that did not change is not embedded again. */
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import { z } from 'zod';
import { NO_VECTOR } from '../../domain/retrieval/message-search.ts';
import { idInIndex } from '../id-in-index.ts';
import { asking } from './client.ts';
import { DENSE_VECTOR } from './point.ts';

/** A passage of a message, by its position from 0. */
export interface PassagePlace {
  readonly messageId: string;
  readonly passage: number;
}

export interface KeptPassage {
  /** SHA-256 of the text that the vector was made of. */
  readonly textHash: string;
  /** Null where the text has none. */
  readonly vector: readonly number[] | null;
}

/** Vectors are read as text on the event loop: some 10 ms for so many of 1,536 numbers. */
const MOST_POINTS_OF_REQUEST = 64;

const payloadShape = z.object({ text_hash: z.string(), vector: z.string().optional() });
const vectorShape = z.object({ [DENSE_VECTOR]: z.array(z.number()) });

function toKept({ payload, vector }: Schemas['Record']): KeptPassage | null {
  const read = payloadShape.safeParse(payload);
  if (!read.success) return null;
  const { text_hash: textHash, vector: absence } = read.data;
  const dense = vectorShape.safeParse(vector);
  if (dense.success) return { textHash, vector: dense.data[DENSE_VECTOR] };
  return absence === NO_VECTOR ? { textHash, vector: null } : null;
}

/**
 * What the collection knows of each passage, in the order of the places; null of a passage that has no point, or that
 * waits for its vector. One request for 64 passages. Throws an `IndexFailure`.
 */
export async function keptPassages(
  client: QdrantClient,
  collection: string,
  accountId: string,
  places: readonly PassagePlace[],
): Promise<readonly (KeptPassage | null)[]> {
  const ids = places.map(({ messageId, passage }) =>
    idInIndex(accountId, 'message', messageId, passage),
  );
  const kept = new Map<string, KeptPassage | null>();
  for (let start = 0; start < ids.length; start += MOST_POINTS_OF_REQUEST) {
    const some = ids.slice(start, start + MOST_POINTS_OF_REQUEST);
    const points = await asking(() =>
      client.retrieve(collection, {
        ids: some,
        with_payload: ['text_hash', 'vector'],
        with_vector: [DENSE_VECTOR],
      }),
    );
    for (const point of points) kept.set(String(point.id), toKept(point));
  }
  return ids.map((id) => kept.get(id) ?? null);
}
