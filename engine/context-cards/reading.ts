/** Reads the context cards that a reader may be answered from, each through the visibility predicate. */
import { CONTEXT_CARD_KINDS } from '../../domain/context/kinds.ts';
import { showPart, type ShownPart } from '../../domain/context/parts.ts';
import {
  visibleByDefault,
  type ChainReader,
  type Reader,
} from '../../domain/governance/visibility.ts';
import type { ContextCardPlace } from '../../stores/postgres/context-cards/work.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';

export interface PartsRead {
  /** The authorised chain, outermost scope first. */
  readonly scopeIds: readonly string[];
  readonly reader: ChainReader;
  /** As given with observations. */
  readonly sessionId: string | null;
  /** ISO 8601. */
  readonly at: string;
}

export interface ReadParts {
  /** In the order in which context spends its characters; of scopes the outermost first. */
  readonly parts: readonly ShownPart[];
  /** Whether something that the reader is shown has waited long to be built again. */
  readonly isLate: boolean;
  /** What is not as it was built and not marked yet. */
  readonly broken: readonly ContextCardPlace[];
}

/** After so many seconds a mark that nobody has worked off makes an answer `fast_fallback`. */
export const LATE_SECONDS = 30;

const keyOf = ({ kind, scopeId, targetId }: ContextCardPlace): string =>
  `${kind} ${scopeId} ${targetId}`;

const eachOnce = (places: readonly ContextCardPlace[]): readonly ContextCardPlace[] => [
  ...new Map(places.map((place) => [keyOf(place), place])).values(),
];

const NOTHING: ReadParts = { parts: [], isLate: false, broken: [] };

function readerIn(reader: ChainReader, scopeId: string): Reader {
  if (reader.posture !== 'named') return reader;
  return reader.scopeIds.includes(scopeId) ? reader.named : reader.otherwise;
}

/** What the reader is shown. Of scopes where it reads as no peer nothing is. Two queries, whatever there is. */
export async function readParts(
  { contextCards, contextCardSources }: Stores,
  { at, reader, scopeIds, sessionId }: PartsRead,
): Promise<ReadParts> {
  const readers = scopeIds.flatMap((scopeId) => {
    const who = readerIn(reader, scopeId);
    return who.posture === 'peer' ? [{ scopeId, peerId: who.peerId }] : [];
  });
  if (readers.length === 0) return NOTHING;
  const places = await contextCards.ofReaders({ readers, sessionId, lateSeconds: LATE_SECONDS });
  const stored = places.flatMap((place) => place.stored ?? []);
  const ids = [...new Set(stored.flatMap(({ sources }) => sources.map(({ id }) => id)))];
  const visible = visibleByDefault({
    scopeIds: readers.map(({ scopeId }) => scopeId),
    reader,
    at,
  });
  // Read after the places: of a source that changes in between, the version differs and the part is not as it was built.
  const readable = await contextCardSources.readable(ids, visible);
  const shown = places.flatMap((place) =>
    place.stored === null ? [] : [{ place, ...showPart(place.stored, readable) }],
  );
  // A change of a source marks the place in the same transaction. In that case a read writes nothing.
  const broken = shown.flatMap(({ isWhole, place: { kind, scopeId, targetId, waits } }) =>
    isWhole || waits !== 'no' ? [] : [{ kind, scopeId, targetId }],
  );
  return {
    parts: CONTEXT_CARD_KINDS.flatMap((kind) =>
      shown.flatMap(({ part }) => (part?.kind === kind ? [part] : [])),
    ),
    isLate: places.some(({ kind, waits }) => waits === 'late' && kind !== 'session_summary'),
    broken: eachOnce(broken),
  };
}
