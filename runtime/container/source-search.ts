/** Builds the search over messages of a process, and the source of rows with which the reconcile compares points. */
import type { Meilisearch } from 'meilisearch';
import type { SpaceBook } from '../../engine/indexes/spaces/space-book.ts';
import type { IndexDependencies } from '../../engine/indexes/dependencies.ts';
import { ON_THE_LOOP } from '../../engine/offload/text-work.ts';
import { createMessageMarker, type MarkMessages } from '../../engine/reconcile/message-vectors.ts';
import type { SearchDependencies } from '../../engine/retrieval/dependencies.ts';
import type { SourceSearchLimits } from '../../engine/source-search/dependencies.ts';
import { createSourceSearch, type SourceSearch } from '../../engine/source-search/search.ts';
import { MessageRecords } from '../../stores/meilisearch/message-records.ts';
import type { AbortableQdrantClient } from '../../stores/qdrant/client.ts';
import { MessagePoints } from '../../stores/qdrant/message-points.ts';
import type { RetrievalDependencies } from './retrieval-dependencies.ts';

/** It is asked for when a search was not enough, so it may take longer. */
const LONGEST_SOURCE_SEARCH_MS = 5_000;
const LONGEST_SOURCE_PART_MS = 2_000;

interface Clients {
  readonly readQdrant: AbortableQdrantClient;
  readonly writeQdrant: AbortableQdrantClient;
  readonly readMeilisearch: Meilisearch;
}

interface BuiltBefore {
  readonly search: Pick<SearchDependencies, 'embed' | 'points'>;
  readonly indexing: Pick<IndexDependencies, 'report'>;
  readonly book: SpaceBook;
  /** The full-text index of messages. */
  readonly index: string;
}

function limitsOf(patienceMs: number | undefined): SourceSearchLimits {
  return {
    deadlineMs: patienceMs ?? LONGEST_SOURCE_SEARCH_MS,
    partMs: patienceMs ?? LONGEST_SOURCE_PART_MS,
  };
}

/** Reads give up early; the reconcile may wait. */
export function buildSourceSearch(
  { inAccount, patienceMs, sourceObserver, text = ON_THE_LOOP }: RetrievalDependencies,
  { readMeilisearch, readQdrant, writeQdrant }: Clients,
  { book, index, indexing, search }: BuiltBefore,
): { readonly search: SourceSearch; readonly markMessages: MarkMessages } {
  const { embed, points } = search;
  return {
    search: createSourceSearch({
      inAccount,
      points: new MessagePoints(readQdrant, book.reading, book.own.collection),
      hasCurrentVectors: book.readsOwn,
      records: new MessageRecords(readMeilisearch, index),
      probe: (signal) => points.probe(signal),
      embed,
      text,
      limits: limitsOf(patienceMs),
      now: () => performance.now(),
      observer: sourceObserver,
    }),
    markMessages: createMessageMarker({
      inAccount,
      points: new MessagePoints(writeQdrant, book.reading),
      // The vectors of another embedder's collection are not for this process to make.
      hasEmbedder: () => embed !== null && book.readsOwn(),
      random: Math.random,
      report: indexing.report,
    }),
  };
}
