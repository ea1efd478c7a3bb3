/**
 * Remembers the vectors of recent texts, so that embedding a text again costs no call. A statement is embedded before
 * it is committed, to find paraphrases, and again when it is indexed; a query is often asked again.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { NO_USAGE } from '../../domain/models/usage.ts';
import type { VectorSpace } from '../../domain/models/vector-space.ts';
import type { Embed } from './embedding.ts';
import type { CallContext } from './extraction.ts';

/** The most that is kept, in vectors or in the numbers that they hold. */
export type MemorySize = { readonly vectors: number } | { readonly numbers: number };

export interface RememberingEmbedder {
  readonly embed: Embed;
  /** The vector of a text that was embedded here lately. */
  readonly recall: (accountId: string, text: string) => readonly number[] | undefined;
}

/**
 * A hash, so that the text itself is not kept. What one asker asked is not remembered for another: a quick answer would
 * tell that somebody had asked the same.
 */
function keyOf(
  {
    accountId,
    asker = '',
    purpose = 'document',
  }: Pick<CallContext, 'accountId' | 'asker' | 'purpose'>,
  text: string,
) {
  const told = `${accountId}\n${asker}\n${purpose}\n${text}`;
  return createHash('sha256').update(told).digest('base64');
}

/** `embed` with a memory of its own. Failures are not remembered; usage counts only the texts that were embedded. */
export function rememberingEmbedder(
  embed: Embed,
  space: VectorSpace,
  size: MemorySize,
): RememberingEmbedder {
  const memory = new LRUCache<string, readonly number[]>(
    'vectors' in size
      ? { max: size.vectors }
      : { maxSize: size.numbers, sizeCalculation: ({ length }) => Math.max(1, length) },
  );
  const remembering: Embed = async (texts, call) => {
    const found = new Map<string, readonly number[]>();
    for (const text of texts) {
      const vector = memory.get(keyOf(call, text));
      if (vector !== undefined) found.set(text, vector);
    }
    const wanted = [...new Set(texts)].filter((text) => !found.has(text));
    if (wanted.length === 0) return { vectors: inOrder(texts, found), space, usage: NO_USAGE };
    const made = await embed(wanted, call);
    wanted.forEach((text, index) => {
      const vector = made.vectors[index];
      if (vector === undefined) throw new RangeError('an embedder answered no vector for a text');
      found.set(text, vector);
      memory.set(keyOf(call, text), vector);
    });
    return { ...made, vectors: inOrder(texts, found) };
  };
  return {
    embed: remembering,
    recall: (accountId, text) => memory.get(keyOf({ accountId }, text)),
  };
}

function inOrder(
  texts: readonly string[],
  found: ReadonlyMap<string, readonly number[]>,
): readonly (readonly number[])[] {
  return texts.map((text) => found.get(text) ?? []);
}
