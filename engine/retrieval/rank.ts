/**
 * Turns the hits of the strategies into ranked lists: only rows that the predicate let through and that satisfy the
 * operators and the filters, with their scores. Pure.
 */
import type { RankInput } from './rank-input.ts';
import type { RankedList } from '../../domain/retrieval/disagreement.ts';
import {
  comparesValues,
  passesSourceFilters,
  type SourceFilters,
} from '../../domain/retrieval/source-filters.ts';
import { RESCORE_WEIGHTS } from '../../domain/ranking/rescore.ts';
import { salience } from '../../domain/retrieval/salience.ts';
import type { Strategy } from '../../domain/retrieval/strategies.ts';
import { temporalScore } from '../../domain/retrieval/temporal.ts';
import type {
  BesideColumn,
  CandidateRow,
} from '../../stores/postgres/retrieval/candidates.store.ts';
import { scoredChunks, type EligibleChunk } from './chunks.ts';
import { personNamed } from '../text/ranked-question.ts';
import { scoreText } from './lexical.ts';
import { asksByPhraseAlone } from './phrases.ts';
import type { QueryPlan } from '../text/query-plan.ts';
import type { StrategyRun } from './strategies.ts';

const SALIENCE_COLUMNS = ['corroboration_count', 'updated_at'] as const;
const FILTERED_COLUMNS = [
  'corroboration_count',
  'extracting_provider',
  'extracting_model',
  'pipeline_version',
] as const;

/** The columns that are ranked or filtered by beside those that every search ranks by. */
export function besideColumns(
  plan: Pick<QueryPlan, 'terms' | 'parsed'>,
  filters: SourceFilters,
): readonly BesideColumn[] {
  const bySalience = asksByPhraseAlone(plan) ? SALIENCE_COLUMNS : [];
  return [...new Set([...bySalience, ...(comparesValues(filters) ? FILTERED_COLUMNS : [])])];
}

/** The temporal strategy ranks a text only when its score by words is at least this share of the best one. */
const TEMPORAL_MATCH_SHARE = 0.5;

/** Rows that operators and filters let through, by id. */
export function eligibleRows(
  rows: Iterable<CandidateRow>,
  input: RankInput,
): ReadonlyMap<string, CandidateRow> {
  const eligible = new Map<string, CandidateRow>();
  for (const row of rows) {
    const passes = passesSourceFilters(input.sourceFilters, {
      extractingProvider: row.extracting_provider,
      extractingModel: row.extracting_model,
      pipelineVersion: row.pipeline_version,
      corroborationCount: row.corroboration_count,
      hasSourceMessage: row.has_source_message,
    });
    if (!passes) continue;
    if (input.plan.hasQueryOperators && !input.plan.accepts(row.statement ?? '')) continue;
    eligible.set(row.id, row);
  }
  return eligible;
}

type Entry = RankedList['entries'][number];

function byScoreThenId(a: Entry, b: Entry): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function salienceOf(row: CandidateRow, at: string): number {
  const { confidence, corroboration_count: corroborationCount, updated_at: updatedAt } = row;
  if (corroborationCount === undefined || updatedAt === undefined) {
    throw new TypeError('what salience depends on was not read');
  }
  return salience({ confidence, corroborationCount, updatedAt }, Date.parse(at));
}

/** Scores of the index, or of the texts by words; where the words weigh nothing, the salience is the score. */
function foundScores(
  run: StrategyRun,
  rows: ReadonlyMap<string, CandidateRow>,
  input: RankInput,
): ReadonlyMap<string, number> {
  const scores = new Map(run.found?.scored);
  const byPhraseAlone = asksByPhraseAlone(input.plan);
  for (const id of run.found?.unscored ?? []) {
    const row = rows.get(id);
    if (scores.has(id) || row === undefined || row.statement === null) continue;
    const score = byPhraseAlone
      ? Math.min(1, salienceOf(row, input.at))
      : scoreText(input.accountId, input.words, row.statement);
    if (score > 0) scores.set(id, score);
  }
  return scores;
}

/** At most 1: a short text that meets the whole query counts no more than any that does. */
const capped = (scores: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
  new Map(Array.from(scores, ([id, score]) => [id, Math.min(1, score)] as const));

function temporalScores(
  words: ReadonlyMap<string, number>,
  rows: ReadonlyMap<string, CandidateRow>,
  at: string,
): ReadonlyMap<string, number> {
  const readable = [...words].filter(([id]) => rows.has(id));
  const threshold = TEMPORAL_MATCH_SHARE * Math.max(0, ...readable.map(([, score]) => score));
  const scores = new Map<string, number>();
  for (const [id, score] of readable) {
    const row = rows.get(id);
    if (row === undefined || score < threshold) continue;
    const { relevant_from: relevantFrom, relevant_until: relevantUntil } = row;
    if (relevantFrom === undefined || relevantUntil === undefined) {
      throw new TypeError('the validity of statements was not read');
    }
    const near = temporalScore({ relevantFrom, relevantUntil }, Date.parse(at));
    if (near !== null) scores.set(id, near);
  }
  return scores;
}

/** Scores by entities and relations: how strong the tie is, times how sure the statement is. */
function confidentScores(
  run: StrategyRun,
  rows: ReadonlyMap<string, CandidateRow>,
): ReadonlyMap<string, number> {
  return new Map(
    [...(run.found?.scored ?? [])].map(
      ([id, tie]) => [id, tie * (rows.get(id)?.confidence ?? 0)] as const,
    ),
  );
}

function scoresOf(
  run: StrategyRun,
  rows: ReadonlyMap<string, CandidateRow>,
  input: RankInput,
): ReadonlyMap<string, number> {
  switch (run.strategy) {
    case 'temporal':
      return temporalScores(capped(foundScores(run, rows, input)), rows, input.at);
    case 'salience_recency':
      return new Map((run.found?.rows ?? []).map((row) => [row.id, salienceOf(row, input.at)]));
    case 'lexical':
      return foundScores(run, rows, input);
    case 'semantic':
      return capped(foundScores(run, rows, input));
    case 'entity_match':
    case 'relation_expand':
      return confidentScores(run, rows);
  }
}

/**
 * The scores of statements by words, more for those about the one person whom the query names. It looks for that person
 * among their subjects, the best statements first.
 */
function ofPersonNamed(
  entries: readonly Entry[],
  rows: ReadonlyMap<string, CandidateRow>,
  { words }: RankInput,
): readonly Entry[] {
  const subjects = new Map<string, string>();
  for (const { id } of entries.toSorted(byScoreThenId)) {
    const { subject_name: name = null, subject_peer_id: peerId = null } = rows.get(id) ?? {};
    if (peerId !== null && name !== null) subjects.set(peerId, name);
  }
  const people = Array.from(subjects, ([id, name]) => ({ id, name }));
  const person = personNamed(words.reading, people);
  return entries.map(({ id, score }) => {
    const isAbout = person !== null && rows.get(id)?.subject_peer_id === person;
    return { id, score: isAbout ? score * RESCORE_WEIGHTS.person : score };
  });
}

/**
 * The list of one strategy that completed, statements and chunks, best first, with scores of at most 1. The minimum is
 * compared with the share of the query that a text meets, before the person whom the query names counts. Where the best
 * score is above 1, all are divided by it, so that no two become equal.
 */
export function rankedList(
  run: StrategyRun,
  rows: ReadonlyMap<string, CandidateRow>,
  input: RankInput,
  chunks: ReadonlyMap<string, EligibleChunk> = new Map(),
): RankedList & { readonly strategy: Strategy } {
  const minimum = input.minScore ?? 0;
  const reaches = ({ score }: Entry): boolean => Math.min(1, score) >= minimum;
  const best = (entries: readonly Entry[]): Entry[] =>
    entries.toSorted(byScoreThenId).slice(0, input.pool);
  const shown = [...scoresOf(run, rows, input)]
    .filter(([id]) => rows.has(id))
    .map(([id, score]) => ({ id, score }))
    .filter(reaches);
  const statements = run.strategy === 'lexical' ? ofPersonNamed(shown, rows, input) : shown;
  // Each kind is cut by itself, so that no number of chunks displaces a statement.
  const ofChunks = best(scoredChunks(run, chunks).filter(reaches));
  const all = [...best(statements), ...ofChunks].toSorted(byScoreThenId);
  const most = Math.max(1, all[0]?.score ?? 0);
  return {
    strategy: run.strategy,
    entries: all.map(({ id, score }) => ({ id, score: score / most })),
  };
}
