/**
 * Dense vectors for units. A vector follows from the text alone, so a statement with an unchanged text keeps the
 * vector of its point. When the embedder fails, points are written without a dense vector, so that search by words
 * does not wait, and the units stay marked until they have one.
 */
import { ModelFailure } from '../../domain/models/error-class.ts';
import { AWAITED, NO_VECTOR, type VectorAbsence } from '../../domain/retrieval/message-search.ts';
import { callAside } from '../models/extraction.ts';
import type { Embed } from '../models/embedding.ts';
import type { IndexDependencies } from './dependencies.ts';
import type { AnalysedMessage, AnalysedStatement } from './units.ts';

type Vector = readonly number[];
type Dependencies = Pick<IndexDependencies, 'embed' | 'embedStatements' | 'points' | 'report'>;

/** A text without letters may embed to the zero vector, which is similar to no other vector. */
export function hasDirection(vector: Vector): boolean {
  return vector.some((value) => value !== 0);
}

/** Vectors in the order of the texts, or null when the embedder failed. Cancellation is thrown. */
async function embedAll(
  embed: Embed,
  { report }: Dependencies,
  accountId: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Vector[] | null> {
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
  dependencies: Dependencies,
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

export interface DenseMessages {
  /** For each message, a vector (or null) for each passage. */
  readonly vectors: readonly (readonly (Vector | null)[])[];
  readonly missing: boolean;
  /** Why a passage has no vector. */
  readonly absence: VectorAbsence | null;
}

/** Vectors of every passage of the messages. */
export async function denseMessages(
  dependencies: Dependencies,
  accountId: string,
  messages: readonly AnalysedMessage[],
  signal: AbortSignal,
): Promise<DenseMessages> {
  const none = messages.map(({ analysis }) => analysis.passages.map(() => null));
  const { embed } = dependencies;
  if (embed === null || messages.length === 0) {
    return { vectors: none, missing: false, absence: null };
  }
  const texts = messages.flatMap(({ analysis }) => analysis.passages.map(({ text }) => text));
  const made = await embedAll(embed, dependencies, accountId, texts, signal);
  if (made === null) return { vectors: none, missing: true, absence: AWAITED };
  let next = 0;
  const nextVector = (): Vector | null => {
    const vector = made[next];
    next += 1;
    return vector !== undefined && hasDirection(vector) ? vector : null;
  };
  const vectors = messages.map(({ analysis }) => analysis.passages.map(nextVector));
  return { vectors, missing: false, absence: NO_VECTOR };
}
