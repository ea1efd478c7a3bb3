/**
 * Dense vectors for units. A vector follows from the text alone, so an unchanged text keeps the vector of its
 * point. When the embedder fails, points are written without a dense vector, so that search by words does not wait, and
 * the units stay marked until they have one. A text that the embedder refuses for what it says has none, and waits for
 * none.
 */
import { AWAITED, NO_VECTOR, type VectorAbsence } from '../../domain/retrieval/message-search.ts';
import type { PointIndex } from '../../stores/qdrant/point-index.ts';
import type { IndexDependencies } from './dependencies.ts';
import { embedTexts, type Embedded, type Vector } from './embed-texts.ts';
import type { AnalysedMessage, AnalysedStatement } from './units.ts';

export { hasDirection } from './embed-texts.ts';

export interface DenseDependencies extends Pick<
  IndexDependencies,
  'embed' | 'embedStatements' | 'report' | 'textsOfCall'
> {
  readonly points: Pick<PointIndex, 'keptPassages' | 'keptVectors'>;
  /** Whether vectors are kept also where a unit is written for the first time; false unless given. */
  readonly keepsAll?: boolean;
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
  const { embedStatements, keepsAll = false } = dependencies;
  if (embedStatements === null) return { vectors: new Map(), missing: new Set() };
  // A first version cannot have a point worth keeping; do not ask for it.
  const changed = statements.filter(({ unit }) => keepsAll || unit.row_version > 1);
  const changedIds = changed.map(({ unit }) => unit.id);
  const kept = await dependencies.points.keptVectors(accountId, changedIds);
  const vectors = new Map<string, Vector>();
  for (const { unit, textHash } of statements) {
    const found = kept.get(unit.id);
    if (found?.textHash === textHash) vectors.set(unit.id, found.vector);
  }
  const wanted = statements.map(({ unit }) => unit).filter(({ id }) => !vectors.has(id));
  if (wanted.length === 0) return { vectors, missing: new Set() };
  const texts = wanted.map((unit) => unit.statement);
  const embedder = { ...dependencies, embed: embedStatements };
  const made = await embedTexts(embedder, accountId, texts, signal);
  const missing = new Set<string>();
  for (const [index, { id }] of wanted.entries()) {
    const one = made[index] ?? AWAITED;
    if (one === AWAITED) missing.add(id);
    else if (one !== NO_VECTOR) vectors.set(id, one);
  }
  return { vectors, missing };
}

export interface DenseMessages {
  /** Of each message, its passages in order. Empty without an embedder. */
  readonly passages: readonly (readonly Embedded[])[];
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
  const dense = all.map(({ textHash }, n): Embedded => {
    const found = kept[n];
    if (found === null || found?.textHash !== textHash) return AWAITED;
    return found.vector ?? NO_VECTOR;
  });
  // A text that had no vector may get one by now; it is asked about last, and has none as before if nothing is answered.
  const lacks = (absence: VectorAbsence) => [...dense.keys()].filter((n) => dense[n] === absence);
  const wanted = [...lacks(AWAITED), ...lacks(NO_VECTOR)];
  const texts = wanted.map((n) => all[n]?.text ?? '');
  const made = await embedTexts({ ...dependencies, embed }, accountId, texts, signal);
  wanted.forEach((n, place) => {
    const one = made[place];
    if (one !== undefined && one !== AWAITED) dense[n] = one;
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
