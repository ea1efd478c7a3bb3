/**
 * Dense vectors for units. A vector follows from the text alone, so an unchanged text keeps the vector of its
 * point. When the embedder fails, points are written without a dense vector, so that search by words
 * does not wait, and the units stay marked until they have one.
 */
import { ModelFailure } from '../../domain/models/error-class.ts';
import { AWAITED, NO_VECTOR, type VectorAbsence } from '../../domain/retrieval/message-search.ts';
import { callAside } from '../models/extraction.ts';
import type { Embed } from '../models/embedding.ts';
import type { PointIndex } from '../../stores/qdrant/point-index.ts';
import type { IndexDependencies } from './dependencies.ts';
import type { AnalysedMessage, AnalysedStatement } from './units.ts';

type Vector = readonly number[];

export interface DenseDependencies extends Pick<
  IndexDependencies,
  'embed' | 'embedStatements' | 'report'
> {
  readonly points: Pick<PointIndex, 'keptPassages' | 'keptVectors'>;
}

/** A text without letters may embed to the zero vector, which is similar to no other vector. */
export function hasDirection(vector: Vector): boolean {
  return vector.some((value) => value !== 0);
}

/** Vectors in the order of the texts, or null when the embedder failed. Cancellation is thrown. */
async function embedAll(
  embed: Embed,
  { report }: DenseDependencies,
  accountId: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Vector[] | null> {
  if (texts.length === 0) return [];
  try {
    return (await embed(texts, callAside({ accountId, traceId: null, signal }))).vectors;
  } catch (error) {
    if (!(error instanceof ModelFailure) && !signal.aborted) throw error;
    report('projection.embedding_failed', {
      units: texts.length,
      error_class: error instanceof ModelFailure ? error.errorClass : 'request_timeout',
    });
    return null;
  }
}

export interface DenseStatements {
  readonly vectors: ReadonlyMap<string, Vector>;
  /** Statements that still need a vector. */
  readonly missing: ReadonlySet<string>;
}

/** Vectors by statement. Without an embedder there are none and none is missing. */
export async function denseStatements(
  dependencies: DenseDependencies,
  accountId: string,
  statements: readonly AnalysedStatement[],
  signal: AbortSignal,
): Promise<DenseStatements> {
  const { embedStatements } = dependencies;
  if (embedStatements === null) return { vectors: new Map(), missing: new Set() };
  // A first version cannot have a point worth keeping; do not ask for it.
  const changed = statements.filter(({ unit }) => unit.row_version > 1).map(({ unit }) => unit.id);
  const kept = await dependencies.points.keptVectors(accountId, changed);
  const vectors = new Map<string, Vector>();
  for (const { unit, textHash } of statements) {
    const found = kept.get(unit.id);
    if (found?.textHash === textHash) vectors.set(unit.id, found.vector);
  }
  const wanted = statements.map(({ unit }) => unit).filter(({ id }) => !vectors.has(id));
  if (wanted.length === 0) return { vectors, missing: new Set() };
  const texts = wanted.map((unit) => unit.statement);
  const made = await embedAll(embedStatements, dependencies, accountId, texts, signal);
  if (made === null) return { vectors, missing: new Set(wanted.map((unit) => unit.id)) };
  wanted.forEach((unit, index) => {
    const vector = made[index];
    if (vector !== undefined && hasDirection(vector)) vectors.set(unit.id, vector);
  });
  return { vectors, missing: new Set() };
}

/** A passage's vector, or why it has none. */
export type DensePassage = Vector | VectorAbsence;

export interface DenseMessages {
  /** Of each message, its passages in order. Empty without an embedder. */
  readonly passages: readonly (readonly DensePassage[])[];
  /** Messages with a passage that awaits its vector. */
  readonly missing: ReadonlySet<string>;
}

/**
 * Vectors of every passage of the messages. A passage whose text did not change keeps the vector of its point. So a
 * message that is written again, for a new reader for instance, costs no call, and loses no vector while the embedder
 * fails.
 */
export async function denseMessages(
  dependencies: DenseDependencies,
  accountId: string,
  messages: readonly AnalysedMessage[],
  signal: AbortSignal,
): Promise<DenseMessages> {
  const { embed, points } = dependencies;
  if (embed === null || messages.length === 0) return { passages: [], missing: new Set() };
  const all = messages.flatMap(({ unit, analysis }) =>
    analysis.passages.map(({ text, textHash }, passage) => ({
      messageId: unit.id,
      passage,
      text,
      textHash,
    })),
  );
  const kept = await points.keptPassages(accountId, all);
  const dense = all.map(({ textHash }, n): DensePassage => {
    const found = kept[n];
    if (found === null || found?.textHash !== textHash) return AWAITED;
    return found.vector ?? NO_VECTOR;
  });
  // A text that had no vector may get one by now; it is asked about last, and has none as before if nothing is answered.
  const lacks = (absence: VectorAbsence) => [...dense.keys()].filter((n) => dense[n] === absence);
  const wanted = [...lacks(AWAITED), ...lacks(NO_VECTOR)];
  const made = await embedAll(
    embed,
    dependencies,
    accountId,
    wanted.map((n) => all[n]?.text ?? ''),
    signal,
  );
  wanted.forEach((n, place) => {
    const vector = made?.[place];
    if (vector !== undefined) dense[n] = hasDirection(vector) ? vector : NO_VECTOR;
  });
  let next = 0;
  const passages = messages.map(({ analysis }) => {
    const first = next;
    next += analysis.passages.length;
    return dense.slice(first, next);
  });
  const missing = all.filter((_, n) => dense[n] === AWAITED).map(({ messageId }) => messageId);
  return { passages, missing: new Set(missing) };
}
