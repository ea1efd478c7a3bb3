/**
 * Remembers what was embedded a moment ago. A statement is embedded before it is committed, to find what says the same,
 * and again when it is indexed: the second time costs no call.
 */
import { LRUCache } from 'lru-cache';
import { NO_USAGE } from '../../domain/models/usage.ts';
import type { VectorSpace } from '../../domain/models/vector-space.ts';
import type { EmbeddingResult } from './embedding.ts';
import type { CallContext } from './extraction.ts';

type Embed = (texts: readonly string[], call: CallContext) => Promise<EmbeddingResult>;

/** Numbers kept: 16 MiB, which is 5,000 vectors of the smallest common width and 500 of the largest. */
const NUMBERS = 2_000_000;

export interface RememberingEmbedder {
  readonly embed: Embed;
  /** The vector of a text that was embedded here lately. */
  readonly recall: (accountId: string, text: string) => readonly number[] | undefined;
}

const keyOf = (accountId: string, text: string): string => `${accountId} ${text}`;

/** `embed` with a memory of its own. What fails is not remembered; usage is that of the texts that were asked. */
export function rememberingEmbedder(embed: Embed, space: VectorSpace): RememberingEmbedder {
  const memory = new LRUCache<string, readonly number[]>({
    maxSize: NUMBERS,
    sizeCalculation: (vector) => Math.max(1, vector.length),
  });
  const remembering: Embed = async (texts, call) => {
    const { accountId } = call;
    const found = new Map<string, readonly number[]>();
    for (const text of texts) {
      const vector = memory.get(keyOf(accountId, text));
      if (vector !== undefined) found.set(text, vector);
    }
    const wanted = [...new Set(texts)].filter((text) => !found.has(text));
    if (wanted.length === 0) return { vectors: inOrder(texts, found), space, usage: NO_USAGE };
    const made = await embed(wanted, call);
    wanted.forEach((text, index) => {
      const vector = made.vectors[index] ?? [];
      found.set(text, vector);
      memory.set(keyOf(accountId, text), vector);
    });
    return { ...made, vectors: inOrder(texts, found) };
  };
  return { embed: remembering, recall: (accountId, text) => memory.get(keyOf(accountId, text)) };
}

function inOrder(
  texts: readonly string[],
  found: ReadonlyMap<string, readonly number[]>,
): readonly (readonly number[])[] {
  return texts.map((text) => found.get(text) ?? []);
}
