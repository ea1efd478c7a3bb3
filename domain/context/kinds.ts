/** The parts of a context and their bounds. A context card holds the ids of its sources (docs/design/context.md). */

export const CONTEXT_CARD_KINDS = [
  'session_summary',
  'peer_profile',
  'scope_card',
  'entity_card',
] as const;
/** In the order in which context spends its characters. */
export type ContextCardKind = (typeof CONTEXT_CARD_KINDS)[number];

export const SUMMARY_MODES = ['model', 'source_extract', 'none', 'unavailable'] as const;
export type SummaryMode = (typeof SUMMARY_MODES)[number];

export interface KindBounds {
  /** Statements that a card is made of, the most salient ones. */
  readonly sources: number;
  /** The first of them that are shown as facts. */
  readonly facts: number;
  /** Grapheme clusters of a summary. */
  readonly summary: number;
}

export const BOUNDS: Readonly<Record<ContextCardKind, KindBounds>> = {
  session_summary: { sources: 24, facts: 3, summary: 800 },
  peer_profile: { sources: 24, facts: 4, summary: 1000 },
  scope_card: { sources: 24, facts: 4, summary: 1200 },
  entity_card: { sources: 12, facts: 3, summary: 600 },
};

/** Sources that a card needs. */
export const LEAST_SOURCES = 2;
/** Sources that a summary needs. */
export const LEAST_SUMMARISED = 3;
/** Names of a scope that have a card: those that most statements mention. */
export const MOST_ENTITY_CARDS = 8;
/** Names that are looked at for these: some have the same sources as one before. */
export const MOST_NAMES_LOOKED_AT = 24;
/** Characters (code units) of sources that a summary is written from. */
export const MOST_SUMMARISED_CHARS = 6_000;
