/**
 * Chunks of documents as candidates. The strategies by words and by meaning find them, score them by the formula that
 * scores statements, and weigh the words of a query by the frequencies of statements alone: those that all may read.
 */
import type { ScoredItem } from '../../domain/ranking/fusion.ts';
import { salience } from '../../domain/retrieval/salience.ts';
import type { ChunkRow } from '../../stores/postgres/documents/chunk-query.ts';
import { passagesOf } from '../analysis/passages.ts';
import { createPauses } from '../slices.ts';
import { scoreText } from './lexical.ts';
import { asksByPhraseAlone } from './phrases.ts';
import type { RankInput } from './rank-input.ts';
import type { StrategyRun } from './strategies.ts';

/** A chunk that may be ranked, with its score by the words of the query where the index gave none. */
export interface EligibleChunk {
  readonly row: ChunkRow;
  readonly textScore: number | null;
}

/** How new the chunk is, where the words of the query weigh nothing: it is certain, and nobody corroborates it. */
function recency({ recorded_at: updatedAt }: ChunkRow, at: string): number {
  const score = salience({ confidence: 1, corroborationCount: 0, updatedAt }, Date.parse(at));
  return Math.min(1, score);
}

function scoreOf(row: ChunkRow, { accountId, at, plan, words }: RankInput): number | null {
  if (asksByPhraseAlone(plan)) return recency(row, at);
  if (row.text === null) return null;
  return Math.max(...passagesOf(row.text).map((text) => scoreText(accountId, words, text)));
}

/** Chunks that the operators let through, by id. Texts are checked and scored in slices of the event loop. */
export async function eligibleChunks(
  rows: readonly ChunkRow[],
  unscored: ReadonlySet<string>,
  input: RankInput,
): Promise<ReadonlyMap<string, EligibleChunk>> {
  const pause = createPauses();
  const eligible = new Map<string, EligibleChunk>();
  for (const row of rows) {
    await pause();
    if (input.plan.hasQueryOperators && !input.plan.accepts(row.text ?? '')) continue;
    const textScore = unscored.has(row.id) ? scoreOf(row, input) : null;
    eligible.set(row.id, { row, textScore });
  }
  return eligible;
}

/** The chunks of one strategy with their scores; only the strategies by words and by meaning find chunks. */
export function scoredChunks(
  { strategy, found }: StrategyRun,
  eligible: ReadonlyMap<string, EligibleChunk>,
): readonly ScoredItem[] {
  if (found === null || (strategy !== 'lexical' && strategy !== 'semantic')) return [];
  const { scored, unscored } = found.chunks;
  const ids = new Set([...scored.keys(), ...unscored]);
  return [...ids].flatMap((id) => {
    const score = scored.get(id) ?? eligible.get(id)?.textScore ?? 0;
    return eligible.has(id) && (scored.has(id) || score > 0) ? [{ id, score }] : [];
  });
}
