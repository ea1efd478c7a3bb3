/** Reads the projections that a reader may be answered from, each through the visibility predicate. */
import { PROJECTION_KINDS } from '../../domain/context/kinds.ts';
import { showPart, type ShownPart } from '../../domain/context/parts.ts';
import {
  visibleByDefault,
  type ChainReader,
  type Reader,
} from '../../domain/governance/visibility.ts';
import type { ProjectionPlace } from '../../stores/postgres/projections/work.store.ts';
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
  readonly broken: readonly ProjectionPlace[];
}

/** After so many seconds a mark that nobody has worked off makes an answer `fast_fallback`. */
export const LATE_SECONDS = 30;

const keyOf = ({ kind, scopeId, targetId }: ProjectionPlace): string =>
  `${kind} ${scopeId} ${targetId}`;

const eachOnce = (places: readonly ProjectionPlace[]): readonly ProjectionPlace[] => [
  ...new Map(places.map((place) => [keyOf(place), place])).values(),
];

const NOTHING: ReadParts = { parts: [], isLate: false, broken: [] };

function readerIn(reader: ChainReader, scopeId: string): Reader {
  if (reader.posture !== 'named') return reader;
  return reader.scopeIds.includes(scopeId) ? reader.named : reader.otherwise;
}

/** What the reader is shown. Of scopes where it reads as no peer nothing is. Three queries, whatever there is. */
export async function readParts(
  { projections, projectionSources, projectionWork }: Stores,
  { at, reader, scopeIds, sessionId }: PartsRead,
): Promise<ReadParts> {
  const readers = scopeIds.flatMap((scopeId) => {
    const who = readerIn(reader, scopeId);
    return who.posture === 'peer' ? [{ scopeId, peerId: who.peerId }] : [];
  });
  if (readers.length === 0) return NOTHING;
  const stored = await projections.ofReaders({ readers, sessionId });
  const ids = [...new Set(stored.flatMap(({ sources }) => sources.map(({ id }) => id)))];
  const visible = visibleByDefault({
    scopeIds: readers.map(({ scopeId }) => scopeId),
    reader,
    at,
  });
  const readable = await projectionSources.readable(ids, visible);
  const shown = stored.map((one) => ({ place: one, ...showPart(one, readable) }));
  const places = readers.flatMap(({ peerId, scopeId }): ProjectionPlace[] => [
    { kind: 'scope_card', scopeId, targetId: scopeId },
    { kind: 'entity_card', scopeId, targetId: scopeId },
    { kind: 'peer_profile', scopeId, targetId: peerId },
  ]);
  const changed = shown.flatMap(({ isWhole, place }): ProjectionPlace[] =>
    isWhole ? [] : [{ kind: place.kind, scopeId: place.scopeId, targetId: place.targetId }],
  );
  // Whoever changed a source has marked the place in the same transaction: then a read writes nothing.
  const waiting = await projectionWork.waiting(eachOnce([...places, ...changed]), LATE_SECONDS);
  const marked = new Set(waiting.map(keyOf));
  const ofReader = new Set(places.map(keyOf));
  return {
    parts: PROJECTION_KINDS.flatMap((kind) =>
      shown.flatMap(({ part }) => (part?.kind === kind ? [part] : [])),
    ),
    isLate: waiting.some((place) => place.isLate && ofReader.has(keyOf(place))),
    broken: eachOnce(changed).filter((place) => !marked.has(keyOf(place))),
  };
}
