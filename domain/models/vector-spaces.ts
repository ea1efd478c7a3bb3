/**
 * Which collections a process reads and writes, where several vector spaces stand side by side. Pure.
 *
 * Every process writes every unit to all of them, so that each is complete in words and filters, whoever writes. Vectors
 * are made for the space of the process's own embedder only; in the others the unit keeps the vector of an unchanged text,
 * or awaits one.
 */

export const VECTOR_SPACE_STATES = ['building', 'ready'] as const;

/** A collection that is kept as Postgres says. */
export interface KeptSpace {
  readonly collection: string;
  /** Null when it has no vectors of meaning. */
  readonly dimensions: number | null;
  readonly state: (typeof VECTOR_SPACE_STATES)[number];
}

/** The space of the configured embedder, or of none. */
export type OwnSpace = Omit<KeptSpace, 'state'>;

/**
 * The collection that a process searches: its own once that is ready, or where nothing is known of any; until then the one
 * that became ready last. `kept` has the one that became ready last first.
 */
export function readSpace(own: OwnSpace, kept: readonly KeptSpace[]): OwnSpace {
  const ready = kept.filter(({ state }) => state === 'ready');
  return ready.find(({ collection }) => collection === own.collection) ?? ready[0] ?? own;
}

/** The collections that a process writes, its own first if it is one of them. */
export function writtenSpaces(own: OwnSpace, kept: readonly KeptSpace[]): readonly OwnSpace[] {
  if (kept.length === 0) return [own];
  const isOwn = ({ collection }: OwnSpace): boolean => collection === own.collection;
  return [...kept.filter(isOwn), ...kept.filter((space) => !isOwn(space))];
}
