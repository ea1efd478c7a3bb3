/** Turns what the strategies found into the rows of the page. All rows are read in one transaction. */
import { fuse, type FusedItem } from '../../domain/ranking/fusion.ts';
import { newerFirst } from '../../domain/ranking/newer-first.ts';
import type { RankedList } from '../../domain/retrieval/disagreement.ts';
import {
  FUSION_RANK_CONSTANT,
  fusionWeights,
  type Strategy,
} from '../../domain/retrieval/strategies.ts';
import type { ChunkRead, ChunkRow } from '../../stores/postgres/documents/chunks.store.ts';
import type { KnowledgeRow } from '../../stores/postgres/knowledge/rows.store.ts';
import type { CandidateRead } from '../../stores/postgres/knowledge/candidates.store.ts';
import { eligibleChunks } from './chunks.ts';
import type { EndStage } from './observer.ts';
import type { SearchDependencies } from './dependencies.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { eligibleRows, rankedList, type RankInput } from './rank.ts';
import type { SearchRequest } from './search.ts';
import type { StrategyRun } from './strategies.ts';

/** How a candidate was found. */
interface Ranked {
  readonly fusionScore: number;
  readonly strategies: readonly Strategy[];
}

export interface RankedStatement extends Ranked {
  readonly type: 'knowledge';
  readonly row: KnowledgeRow;
}

export interface RankedChunk extends Ranked {
  readonly type: 'document_chunk';
  readonly row: ChunkRow;
}

export type RankedCandidate = RankedStatement | RankedChunk;

/** The text that a candidate is judged by. */
export function textOf(candidate: RankedCandidate): string {
  const { type, row } = candidate;
  return (type === 'knowledge' ? row.statement : row.text) ?? '';
}

export interface Page {
  readonly lists: readonly RankedList[];
  readonly candidates: readonly RankedCandidate[];
  /** Something that the reader may see shares a word with the query, whatever its score. */
  readonly wordsMatched: boolean;
}

type PageRequest = Pick<SearchRequest, 'profile' | 'limit' | 'scopeIds'>;

/** What the strategies found, by kind of candidate. */
function idsFound(completed: readonly StrategyRun[], of: 'statements' | 'chunks') {
  const found = completed.flatMap((run) =>
    run.found === null ? [] : [of === 'statements' ? run.found : run.found.chunks],
  );
  return {
    ids: [...new Set(found.flatMap(({ scored, unscored }) => [...scored.keys(), ...unscored]))],
    unscored: new Set(found.flatMap(({ unscored }) => unscored)),
  };
}

/** Reads the candidates, ranks and fuses them, and reads the rows of the page. */
export async function readPage(
  stores: Stores,
  dependencies: Pick<SearchDependencies, 'embedderIsDeterministic'> & { readonly ended: EndStage },
  request: PageRequest,
  runs: readonly StrategyRun[],
  read: CandidateRead,
  ranking: RankInput,
): Promise<Page> {
  const completed = runs.filter((run) => run.found !== null);
  const brought = completed.flatMap((run) => run.found?.rows ?? []);
  const statements = idsFound(completed, 'statements');
  const found = await stores.candidates.read(statements.ids, {
    ...read,
    withText: read.withText || statements.unscored.size > 0,
  });
  const ofChunks = idsFound(completed, 'chunks');
  const chunkRead: Omit<ChunkRead, 'withText'> = {
    scopeIds: request.scopeIds,
    reader: read.reader,
    asOf: read.asOf,
    documentId: ranking.sourceFilters.sourceDocumentId,
  };
  const foundChunks = await stores.chunks.read(ofChunks.ids, {
    ...chunkRead,
    withText: read.withText || ofChunks.unscored.size > 0,
  });
  dependencies.ended('hydrate');
  const rows = eligibleRows([...brought, ...found], ranking);
  const chunks = await eligibleChunks(foundChunks, ofChunks.unscored, ranking);
  const lists = completed.map((run) => rankedList(run, rows, ranking, chunks));
  const all = fuse(
    lists.map(({ strategy, entries }) => ({ strategy, items: entries })),
    Object.fromEntries(fusionWeights(request.profile, dependencies.embedderIsDeterministic)),
    FUSION_RANK_CONSTANT,
  );
  const fused = newerFirst(all, (id) => rows.get(id)?.ended_by_id ?? null).slice(0, request.limit);
  dependencies.ended('fuse');
  const wordsMatched = wordsMatchedIn(completed, (id) => rows.has(id) || chunks.has(id));
  if (fused.length === 0) return { lists, candidates: [], wordsMatched };
  const [chunkIds, statementIds] = partition(fused, ({ id }) => chunks.has(id));
  const shown =
    statementIds.length === 0
      ? []
      : await stores.knowledge.read({
          selection: { by: 'ids', ids: statementIds },
          visible: read.visible,
          reader: read.reader,
          asOf: read.asOf,
        });
  const shownChunks = await stores.chunks.read(chunkIds, { ...chunkRead, withText: true });
  dependencies.ended('read_page');
  return { lists, candidates: candidatesOf(fused, shown, shownChunks, request), wordsMatched };
}

/** Whether the strategy by words found something that may be shown. */
function wordsMatchedIn(
  completed: readonly StrategyRun[],
  isEligible: (id: string) => boolean,
): boolean {
  const lexical = completed.filter((run) => run.strategy === 'lexical');
  return [...idsFound(lexical, 'statements').ids, ...idsFound(lexical, 'chunks').ids].some(
    isEligible,
  );
}

/** Ids of the items that satisfy the condition, and of the others. */
function partition(
  items: readonly FusedItem[],
  condition: (item: FusedItem) => boolean,
): readonly [readonly string[], readonly string[]] {
  const idsOf = (which: boolean) =>
    items.filter((item) => condition(item) === which).map(({ id }) => id);
  return [idsOf(true), idsOf(false)];
}

function candidatesOf(
  fused: readonly FusedItem[],
  statements: readonly KnowledgeRow[],
  chunks: readonly ChunkRow[],
  { profile }: PageRequest,
): RankedCandidate[] {
  const rows = new Map(statements.map((row) => [row.id, row]));
  const chunkRows = new Map(chunks.map((row) => [row.id, row]));
  return fused.flatMap((item): RankedCandidate[] => {
    const names = new Set(item.contributions.map(({ strategy }) => strategy));
    const strategies = [...profile.strategies.keys()].filter((name) => names.has(name));
    const ranked = { fusionScore: item.score, strategies };
    const row = rows.get(item.id);
    if (row !== undefined) return [{ type: 'knowledge', row, ...ranked }];
    const chunk = chunkRows.get(item.id);
    return chunk === undefined ? [] : [{ type: 'document_chunk', row: chunk, ...ranked }];
  });
}
