/** What a source search needs, and what it is asked; the composition root builds the former. */
import type { ChainReader } from '../../domain/governance/visibility.ts';
import type { MessageReader } from '../../domain/retrieval/message-search.ts';
import type { SourceMode } from '../../domain/retrieval/source-status.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';
import type { MessageRecords } from '../../stores/meilisearch/message-records.ts';
import type { MessagePoints } from '../../stores/qdrant/message-points.ts';
import type { Embed } from '../models/embedding.ts';
import type { TextWork } from '../offload/text-work.ts';
import type { SourceSearchObserver } from './observer.ts';

/** Milliseconds. */
export interface SourceSearchLimits {
  /** For the whole search. */
  readonly deadlineMs: number;
  /** For one part: a call to the embedder, a question to an index, a query of the database. */
  readonly partMs: number;
}

export interface SourceSearchDependencies {
  readonly inAccount: InAccount;
  readonly points: MessagePoints;
  readonly records: MessageRecords;
  /** Throws an `IndexFailure` unless Qdrant answers. The signal ends it. */
  readonly probe: (signal: AbortSignal) => Promise<void>;
  /** Null without an embedder. */
  readonly embed: Embed | null;
  /** Whether the collection that is searched has vectors of this embedder; it has unless given. */
  readonly hasCurrentVectors?: (() => boolean) | undefined;
  readonly text: Pick<TextWork, 'accept'>;
  readonly limits: SourceSearchLimits;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly observer?: SourceSearchObserver | undefined;
}

export interface SourceSearchRequest {
  readonly accountId: string;
  /** The scopes of the authorised chain. Empty finds nothing. */
  readonly scopeIds: readonly string[];
  readonly reader: ChainReader;
  readonly query: string;
  readonly mode: SourceMode;
  readonly limit: number;
  /** The most grapheme clusters of an excerpt. */
  readonly excerptChars: number;
  /** Whether messages that only ask are found; they are unless it says no. */
  readonly includesQuestions?: boolean;
  /** Whether each result has the turns before and after it; it has none unless it says so. */
  readonly includesNeighbours?: boolean;
  /** Finds only messages recorded up to this time (ISO 8601); all of them unless given. */
  readonly recordedBy?: string | null;
  readonly traceId: string;
  readonly signal: AbortSignal;
}

/** Who reads, as indexes are asked. */
export interface SourceAccess {
  readonly accountId: string;
  readonly readers: readonly MessageReader[];
}
