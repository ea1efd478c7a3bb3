/** The rows of fused items, as a search shows them: statements, and chunks of documents. */
import type { FusedItem } from '../../domain/ranking/fusion.ts';
import type { RetrievalProfile, Strategy } from '../../domain/retrieval/strategies.ts';
import type { ChunkRead, ChunkRow } from '../../stores/postgres/documents/chunk-query.ts';
import type { CandidateRead } from '../../stores/postgres/retrieval/candidates.store.ts';
import type { KnowledgeRow } from '../../stores/postgres/knowledge/rows.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';

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

/** How the rows of both kinds are read. */
export interface ShownRead {
  readonly profile: Pick<RetrievalProfile, 'strategies'>;
  readonly statements: CandidateRead;
  /** Null where chunks are no candidates. */
  readonly chunks: Omit<ChunkRead, 'withText'> | null;
}

/** The rows of fused items that their rules let through, in the order of the items. `chunkIds` tells chunks apart. */
export async function readCandidates(
  stores: Stores,
  fused: readonly FusedItem[],
  chunkIds: ReadonlySet<string>,
  { chunks: chunkRead, profile, statements: read }: ShownRead,
): Promise<readonly RankedCandidate[]> {
  const ids = fused.map(({ id }) => id);
  const ofStatements = ids.filter((id) => !chunkIds.has(id));
  const statements =
    ofStatements.length === 0
      ? []
      : await stores.knowledge.read({
          selection: { by: 'ids', ids: ofStatements },
          visible: read.visible,
          reader: read,
          asOf: read.asOf,
        });
  const ofChunks = ids.filter((id) => chunkIds.has(id));
  const chunks =
    chunkRead === null || ofChunks.length === 0
      ? []
      : await stores.chunks.read(ofChunks, { ...chunkRead, withText: true });
  return candidatesOf(fused, statements, chunks, profile);
}

function candidatesOf(
  fused: readonly FusedItem[],
  statements: readonly KnowledgeRow[],
  chunks: readonly ChunkRow[],
  profile: ShownRead['profile'],
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
