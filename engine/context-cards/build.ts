/**
 * Builds what is made of one place: a card, a profile or a summary of a session, or the cards of names of a scope. A
 * context card whose sources are the same is not written. No model is asked here: facts do not wait for a summary.
 */
import {
  BOUNDS,
  LEAST_SOURCES,
  LEAST_SUMMARISED,
  MOST_ENTITY_CARDS,
} from '../../domain/context/kinds.ts';
import { labelOf } from '../../domain/context/label.ts';
import { visibleByDefault } from '../../domain/governance/visibility.ts';
import type { BuiltContextCard } from '../../stores/postgres/context-cards/context-cards.store.ts';
import type { ContextCardSourceRow } from '../../stores/postgres/context-cards/sources.store.ts';
import type { ContextCardPlace } from '../../stores/postgres/context-cards/work.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';

export interface BuildInput {
  readonly place: ContextCardPlace;
  /** ISO 8601: a statement that has expired at this time is no source. */
  readonly at: string;
  /** Whether the role `dream_reasoner` writes summaries. */
  readonly summarises: boolean;
}

export interface BuildReport {
  /** Context cards whose sources are others now, those that are new included. */
  readonly written: number;
  readonly removed: number;
}

type Parts = Pick<
  BuiltContextCard,
  'entity' | 'entityKind' | 'label' | 'sourceTotal' | 'saidSince'
>;
const WITHOUT_NAME = { entity: '', entityKind: null, label: null, saidSince: null };

async function sourcesOf(
  { contextCardSources }: Stores,
  { at, place: { kind, scopeId, targetId } }: BuildInput,
): Promise<readonly ContextCardSourceRow[]> {
  const { sources } = BOUNDS[kind];
  if (kind === 'session_summary') {
    return contextCardSources.ofSession(scopeId, targetId, at, sources);
  }
  if (kind === 'peer_profile') {
    const reader = { posture: 'peer', peerId: targetId } as const;
    const visible = visibleByDefault({ scopeIds: [scopeId], reader, at });
    return contextCardSources.aboutPeer(scopeId, targetId, visible, sources);
  }
  return contextCardSources.ofScope(scopeId, at, sources);
}

async function write(
  stores: Stores,
  { place, summarises }: BuildInput,
  rows: readonly ContextCardSourceRow[],
  parts: Parts,
): Promise<number> {
  const isSummarised = summarises && rows.length >= LEAST_SUMMARISED;
  const changed = await stores.contextCards.write({
    ...place,
    ...parts,
    sources: rows.map(({ id, version }) => ({ id, version })),
    summaryMode: isSummarised ? 'unavailable' : 'none',
  });
  return changed ? 1 : 0;
}

async function buildCard(stores: Stores, input: BuildInput): Promise<BuildReport> {
  const { kind, scopeId, targetId } = input.place;
  const rows = await sourcesOf(stores, input);
  const ids = rows.map(({ id }) => id);
  const saidSince =
    kind === 'session_summary' && ids.length > 0
      ? await stores.contextCardSources.saidSince(scopeId, targetId, ids)
      : null;
  if (rows.length < LEAST_SOURCES || (kind === 'session_summary' && saidSince === null)) {
    return {
      written: 0,
      removed: await stores.contextCards.remove({ ...input.place, entity: '' }),
    };
  }
  const parts = { ...WITHOUT_NAME, sourceTotal: rows.length, saidSince };
  return { written: await write(stores, input, rows, parts), removed: 0 };
}

/** The cards of the names that most statements mention. Of names with the same sources the first one has a card. */
async function buildNames(stores: Stores, input: BuildInput): Promise<BuildReport> {
  const { place, at } = input;
  const { scopeId } = place;
  const kept = new Set<string>();
  const seen = new Set<string>();
  let written = 0;
  for (const { alias, is_person: isPerson, statements } of await stores.contextCardSources.names(
    scopeId,
  )) {
    if (kept.size === MOST_ENTITY_CARDS) break;
    const { sources } = BOUNDS.entity_card;
    const rows = await stores.contextCardSources.mentioning(scopeId, alias, at, sources);
    const digest = rows.map(({ id }) => id).join();
    if (rows.length < LEAST_SOURCES || seen.has(digest)) continue;
    seen.add(digest);
    kept.add(alias);
    const label = labelOf(
      alias,
      rows.map(({ statement }) => statement),
    );
    const parts: Parts = {
      entity: alias,
      entityKind: isPerson ? 'person' : null,
      label,
      saidSince: null,
      sourceTotal: statements,
    };
    written += await write(stores, input, rows, parts);
  }
  let removed = 0;
  for (const entity of await stores.contextCards.namesWithCards(scopeId)) {
    if (!kept.has(entity)) removed += await stores.contextCards.remove({ ...place, entity });
  }
  return { written, removed };
}

/** Builds the place in the transaction of the stores. */
export function buildPlace(stores: Stores, input: BuildInput): Promise<BuildReport> {
  return input.place.kind === 'entity_card' ? buildNames(stores, input) : buildCard(stores, input);
}
