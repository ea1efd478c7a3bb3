/** Dense vectors that a collection holds of passages already, so that a text that did not change is not embedded again. */
import { NO_VECTOR } from '../../domain/retrieval/message-search.ts';
import { fieldOf, listOf, payloadOf, vectorOf } from './answers.ts';
import { asking, type AbortableQdrantClient } from './client.ts';
import { pointId } from './point-id.ts';
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

function toKept(point: unknown): KeptPassage | null {
  const payload = payloadOf(point);
  const textHash = fieldOf(payload, 'text_hash');
  if (typeof textHash !== 'string') return null;
  const vector = vectorOf(point, DENSE_VECTOR);
  return vector !== null || fieldOf(payload, 'vector') === NO_VECTOR ? { textHash, vector } : null;
}

/**
 * What the collection knows of each passage, in the order of the places; null of a passage that has no point, or that
 * waits for its vector. One request for 64 passages. Throws an `IndexFailure`.
 */
export async function keptPassages(
  client: AbortableQdrantClient,
  collection: string,
  accountId: string,
  places: readonly PassagePlace[],
): Promise<readonly (KeptPassage | null)[]> {
  const ids = places.map(({ messageId, passage }) =>
    pointId(accountId, 'message', messageId, passage),
  );
  const kept = new Map<string, KeptPassage | null>();
  for (let start = 0; start < ids.length; start += MOST_POINTS_OF_REQUEST) {
    const some = ids.slice(start, start + MOST_POINTS_OF_REQUEST);
    await asking(async () => {
      const points = await client.retrieveWithin(collection, {
        ids: some,
        with_payload: ['text_hash', 'vector'],
        with_vector: [DENSE_VECTOR],
      });
      for (const point of listOf(points, 'points')) {
        kept.set(String(fieldOf(point, 'id')), toKept(point));
      }
    });
  }
  return ids.map((id) => kept.get(id) ?? null);
}
