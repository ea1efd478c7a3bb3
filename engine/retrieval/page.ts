/** Turns the hits of the strategies into the fused order and its rows. One transaction reads all rows. */
import { fuse, type FusedItem } from '../../domain/ranking/fusion.ts';
import { newerFirst } from '../../domain/ranking/newer-first.ts';
import type { RankedList } from '../../domain/retrieval/disagreement.ts';
import { fusionWeights, type RetrievalProfile } from '../../domain/retrieval/strategies.ts';
import type {
  CandidateRow,
  ReadCandidates,
} from '../../stores/postgres/retrieval/candidates.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { readCandidates, type RankedCandidate, type ShownRead } from './candidates.ts';
import { eligibleChunks } from './chunks.ts';
import type { SearchDependencies } from './dependencies.ts';
import type { EndStage } from './observer.ts';
import { eligibleRows, rankedList } from './rank.ts';
import type { RankInput } from './rank-input.ts';
import type { StrategyRun } from './strategies.ts';

export interface Page {
  readonly lists: readonly RankedList[];
  /** The fused order, with the candidates in it that were let through. */
  readonly fused: readonly FusedItem[];
  /** Those of the fused items that are chunks of documents. */
  readonly chunkIds: ReadonlySet<string>;
  /** The id of the statement that ended another, or null. */
  readonly endedBy: (id: string) => string | null;
  readonly candidates: readonly RankedCandidate[];
  /** Whether a row that the reader may see shares a word with the query, whatever its score. */
  readonly wordsMatched: boolean;
}

export interface PageRequest extends ShownRead {
  readonly profile: RetrievalProfile;
  /** How many candidates are read. */
  readonly limit: number;
  /** Ids that are no candidates, because the answer shows them beside the page. */
  readonly shownBeside?: ReadonlySet<string> | undefined;
}

/** The hits of the strategies, by kind of candidate. */
function idsFound(completed: readonly StrategyRun[], of: 'statements' | 'chunks') {
  const found = completed.flatMap((run) =>
    run.found === null ? [] : [of === 'statements' ? run.found : run.found.chunks],
  );
  return {
    ids: [...new Set(found.flatMap(({ scored, unscored }) => [...scored.keys(), ...unscored]))],
    unscored: new Set(found.flatMap(({ unscored }) => unscored)),
  };
}

const NOTHING_READ: ReadCandidates = { statements: [], chunks: [] };

type PageDependencies = Pick<SearchDependencies, 'embedderSkill'> & {
  readonly ended: EndStage;
};

interface RankedFinds {
  readonly lists: readonly RankedList[];
  /** Best first. */
  readonly fused: readonly FusedItem[];
  readonly rows: ReadonlyMap<string, CandidateRow>;
  readonly chunkIds: ReadonlySet<string>;
  readonly endedBy: Page['endedBy'];
}

/** Reads the hits through the predicate, ranks them by strategy and fuses the lists. */
export async function rankFinds(
  stores: Stores,
  dependencies: PageDependencies,
  { chunks: chunkRead, profile, statements: read }: ShownRead & Pick<PageRequest, 'profile'>,
  runs: readonly StrategyRun[],
  ranking: RankInput,
): Promise<RankedFinds> {
  const completed = runs.filter((run) => run.found !== null);
  const brought = completed.flatMap((run) => run.found?.rows ?? []);
  // Asked also when no index found anything: an index may have found hidden candidates alone, and neither whether nor
  // how the database is asked may depend on it.
  const asks = ranking.plan.text !== '';
  const withText = read.withText || completed.some((run) => run.found?.reason !== null);
  const statements = idsFound(completed, 'statements');
  const ofChunks = idsFound(completed, 'chunks');
  const found = asks
    ? await stores.candidates.read(
        statements.ids,
        { ...read, withText },
        chunkRead === null ? null : { ids: ofChunks.ids, read: { ...chunkRead, withText } },
      )
    : NOTHING_READ;
  dependencies.ended('hydrate');
  const rows = eligibleRows([...brought, ...found.statements], ranking);
  const chunks = await eligibleChunks(found.chunks, ofChunks.unscored, ranking);
  const lists = completed.map((run) => rankedList(run, rows, ranking, chunks));
  const all = fuse(
    lists.map(({ strategy, entries }) => ({ strategy, items: entries })),
    Object.fromEntries(fusionWeights(profile, dependencies.embedderSkill(ranking.accountId))),
    profile.rrfK,
  );
  const endedBy: Page['endedBy'] = (id) => rows.get(id)?.ended_by_id ?? null;
  const fused = newerFirst(all, endedBy);
  dependencies.ended('fuse');
  return { lists, fused, rows, chunkIds: new Set(chunks.keys()), endedBy };
}

/** Reads the candidates, ranks and fuses them, and reads the rows of the first `limit`. */
export async function readPage(
  stores: Stores,
  dependencies: PageDependencies,
  request: PageRequest,
  runs: readonly StrategyRun[],
  ranking: RankInput,
): Promise<Page> {
  const ranked = await rankFinds(stores, dependencies, request, runs, ranking);
  const { chunkIds, endedBy, lists, rows } = ranked;
  const { limit, shownBeside } = request;
  const fused = ranked.fused.filter(({ id }) => shownBeside?.has(id) !== true).slice(0, limit);
  const wordsMatched = wordsMatchedIn(runs, (id) => rows.has(id) || chunkIds.has(id));
  const candidates =
    fused.length === 0 ? [] : await readCandidates(stores, fused, chunkIds, request);
  dependencies.ended('read_page');
  return { lists, fused, chunkIds, endedBy, candidates, wordsMatched };
}

/** Whether the word strategy found a row that the answer may show. */
function wordsMatchedIn(
  completed: readonly StrategyRun[],
  isEligible: (id: string) => boolean,
): boolean {
  const lexical = completed.filter((run) => run.strategy === 'lexical');
  return [...idsFound(lexical, 'statements').ids, ...idsFound(lexical, 'chunks').ids].some(
    isEligible,
  );
}
