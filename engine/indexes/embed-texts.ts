/**
 * Embeds many texts so that one text, which the embedder refuses for what it says, keeps no other from its vector. The
 * texts are sent in requests of one call each. A refused request is halved until the text at fault stands alone: it has
 * no vector. Any other failure ends the work, and what has been made stays.
 */
import { ModelFailure, type ErrorClass } from '../../domain/error-class.ts';
import { USUAL_EMBEDDING } from '../../domain/models/role-config.ts';
import { AWAITED, NO_VECTOR, type VectorAbsence } from '../../domain/retrieval/message-search.ts';
import { bisect } from '../bisect.ts';
import { callAside } from '../models/extraction.ts';
import type { Embed } from '../models/embedding.ts';
import type { IndexDependencies } from './dependencies.ts';

export type Vector = readonly number[];

/** The vector of a text, or why it has none. */
export type Embedded = Vector | VectorAbsence;

export interface TextEmbedder extends Pick<IndexDependencies, 'report'> {
  readonly embed: Embed;
  /** As many as the embedder sends to a provider at once; the usual number unless given. */
  readonly textsOfCall?: number | undefined;
}

/** Refused calls of one batch. Six find one text among 32; what is left over comes with the next attempt. */
const MOST_REFUSED_CALLS = 24;

/** Failures that a text may cause by itself. All others would meet every text. */
const OF_CONTENT: ReadonlySet<ErrorClass> = new Set([
  'provider_content_filtered',
  'source_too_large',
]);

/** A text without letters may embed to the zero vector, which is similar to no other vector. */
export function hasDirection(vector: Vector): boolean {
  return vector.some((value) => value !== 0);
}

function isOfContent(error: unknown): boolean {
  return error instanceof ModelFailure && OF_CONTENT.has(error.errorClass);
}

/**
 * What the embedder made of each text, in their order: `awaited` of those that it did not answer for. A cancelled signal
 * counts as a failure of the embedder; errors of other kinds are thrown.
 */
export async function embedTexts(
  { embed, report, textsOfCall = USUAL_EMBEDDING.batchTexts }: TextEmbedder,
  accountId: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Embedded[]> {
  const made: Embedded[] = texts.map(() => AWAITED);
  const all = [...texts.keys()];
  let refusedCalls = 0;
  let refusedTexts = 0;
  const work = async (places: readonly number[]): Promise<void> => {
    const asked = places.map((place) => texts[place] ?? '');
    const { vectors } = await embed(asked, callAside({ accountId, traceId: null, signal }));
    for (const [n, place] of places.entries()) {
      const vector = vectors[n];
      made[place] = vector !== undefined && hasDirection(vector) ? vector : NO_VECTOR;
    }
  };
  const alone = async (place: number): Promise<void> => {
    refusedTexts += 1;
    made[place] = NO_VECTOR;
  };
  try {
    for (let start = 0; start < all.length; start += textsOfCall) {
      await bisect(all.slice(start, start + textsOfCall), {
        work,
        alone,
        endsAll: (error) => !isOfContent(error) || refusedCalls >= MOST_REFUSED_CALLS,
        failed: () => void (refusedCalls += 1),
      });
    }
  } catch (error) {
    if (!(error instanceof ModelFailure) && !signal.aborted) throw error;
    report('projection.embedding_failed', {
      units: made.filter((one) => one === AWAITED).length,
      error_class: error instanceof ModelFailure ? error.errorClass : 'request_timeout',
    });
  }
  if (refusedTexts > 0) report('projection.texts_refused', { units: refusedTexts });
  return made;
}
