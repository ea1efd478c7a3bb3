/** Turns what the strategies found into the rows of the page. All rows are read in one transaction. */
import { fuse, type FusedItem } from '../../domain/ranking/fusion.ts';
import { newerFirst } from '../../domain/ranking/newer-first.ts';
import type { RankedList } from '../../domain/retrieval/disagreement.ts';
import {
  FUSION_RANK_CONSTANT,
  fusionWeights,
  type RetrievalProfile,
  type Strategy,
} from '../../domain/retrieval/strategies.ts';
import type { KnowledgeRow } from '../../stores/postgres/knowledge/rows.store.ts';
import type { CandidateRead } from '../../stores/postgres/knowledge/candidates.store.ts';
import type { EndStage } from './observer.ts';
import type { SearchDependencies } from './dependencies.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { eligibleRows, rankedList, type RankInput } from './rank.ts';
import type { StrategyRun } from './strategies.ts';

export interface RankedStatement {
  readonly row: KnowledgeRow;
  readonly fusionScore: number;
  readonly strategies: readonly Strategy[];
}

export interface Page {
  readonly lists: readonly RankedList[];
  readonly candidates: readonly RankedStatement[];
  /** Some statement that the reader may see shares a word with the query, whatever its score. */
  readonly wordsMatched: boolean;
}

/** Reads the candidates, ranks and fuses them, and reads the rows of the page. */
export async function readPage(
  stores: Stores,
  dependencies: Pick<SearchDependencies, 'embedderIsDeterministic'> & { readonly ended: EndStage },
  request: { readonly profile: RetrievalProfile; readonly limit: number },
  runs: readonly StrategyRun[],
  read: CandidateRead,
  ranking: RankInput,
): Promise<Page> {
  const completed = runs.filter((run) => run.found !== null);
  const brought = completed.flatMap((run) => run.found?.rows ?? []);
  const ids = new Set(
    completed.flatMap(({ found }) =>
      found === null ? [] : [...found.scored.keys(), ...found.unscored],
    ),
  );
  const unscored = completed.some((run) => (run.found?.unscored.length ?? 0) > 0);
  // Asked also when no index found anything: an index may have found hidden statements alone, and whether the database
  // is asked must not depend on it.
  const found =
    ranking.plan.text === ''
      ? []
      : await stores.candidates.read([...ids], {
          ...read,
          withText: read.withText || unscored,
        });
  dependencies.ended('hydrate');
  const rows = eligibleRows([...brought, ...found], ranking);
  const lists = completed.map((run) => rankedList(run, rows, ranking));
  const lexical = completed.find((run) => run.strategy === 'lexical')?.found;
  const wordsMatched = [...(lexical?.scored.keys() ?? []), ...(lexical?.unscored ?? [])].some(
    (id) => rows.has(id),
  );
  const all = fuse(
    lists.map(({ strategy, entries }) => ({ strategy, items: entries })),
    Object.fromEntries(fusionWeights(request.profile, dependencies.embedderIsDeterministic)),
    FUSION_RANK_CONSTANT,
  );
  const fused = newerFirst(all, (id) => rows.get(id)?.ended_by_id ?? null).slice(0, request.limit);
  dependencies.ended('fuse');
  if (fused.length === 0) return { lists, candidates: [], wordsMatched };
  const shown = await stores.knowledge.read({
    selection: { by: 'ids', ids: fused.map((item) => item.id) },
    visible: read.visible,
    reader: read.reader,
    asOf: read.asOf,
  });
  dependencies.ended('read_page');
  return { lists, candidates: candidatesOf(fused, shown, request.profile), wordsMatched };
}

function candidatesOf(
  fused: readonly FusedItem[],
  shown: readonly KnowledgeRow[],
  profile: RetrievalProfile,
): RankedStatement[] {
  const rows = new Map(shown.map((row) => [row.id, row]));
  return fused.flatMap((item) => {
    const row = rows.get(item.id);
    if (row === undefined) return [];
    const names = new Set(item.contributions.map(({ strategy }) => strategy));
    const strategies = [...profile.strategies.keys()].filter((name) => names.has(name));
    return [{ row, fusionScore: item.score, strategies }];
  });
}
