/**
 * What a reader is shown of context cards. A context card names its sources by id and version; `sources` are those that the
 * reader may read now, with their present texts. So a fact is shown as it stands now or not at all, and a summary only
 * while every source is there for this reader and is what it was.
 */
import type { ValidityEnds } from '../statements/validity-phrase.ts';
import type { Sensitivity } from '../statements/candidate.ts';
import { factText } from './facts.ts';
import { BOUNDS, LEAST_SOURCES, type ContextCardKind, type SummaryMode } from './kinds.ts';

export interface SummaryProvenance {
  readonly provider: string;
  readonly model: string | null;
  readonly modelVersion: string | null;
  readonly promptVersion: string | null;
}

/** A stored context card. */
export interface StoredContextCard {
  readonly kind: ContextCardKind;
  readonly scopeId: string;
  readonly scopePath: string;
  readonly targetId: string;
  readonly label: string | null;
  readonly entityKind: 'person' | null;
  readonly sources: readonly { readonly id: string; readonly version: number }[];
  readonly sourceTotal: number;
  readonly summary: string | null;
  readonly summaryMode: SummaryMode;
  readonly summaryProvenance: SummaryProvenance | null;
}

/** A source as its reader may read it now. */
export interface ReadableSource {
  readonly id: string;
  readonly version: number;
  readonly statement: string;
  readonly sensitivity: Sensitivity;
  readonly validity: ValidityEnds;
}

export interface Fact {
  readonly id: string;
  readonly statement: string;
}

/** What is shown of a context card. */
export interface ShownPart {
  readonly kind: ContextCardKind;
  readonly scopePath: string;
  readonly label: string | null;
  readonly entityKind: 'person' | null;
  /** The strictest of the readable sources. */
  readonly sensitivity: Sensitivity;
  readonly summary: string | null;
  readonly summaryMode: SummaryMode;
  readonly summaryProvenance: SummaryProvenance | null;
  readonly facts: readonly Fact[];
}

export interface Shown {
  /** Null: too little of it is left for this reader. */
  readonly part: ShownPart | null;
  /** Whether it is as it was built: every source is there, and none has changed. */
  readonly isWhole: boolean;
}

const STRICTER: readonly Sensitivity[] = ['public', 'internal', 'personal', 'restricted'];

function strictest(sources: readonly ReadableSource[]): Sensitivity {
  const place = Math.max(...sources.map(({ sensitivity }) => STRICTER.indexOf(sensitivity)));
  return STRICTER[place] ?? 'restricted';
}

/** What the reader whose readable sources are given is shown of the context card. */
export function showPart(
  stored: StoredContextCard,
  readable: ReadonlyMap<string, ReadableSource>,
): Shown {
  const sources = stored.sources.flatMap(({ id }) => readable.get(id) ?? []);
  const isWhole = stored.sources.every(({ id, version }) => readable.get(id)?.version === version);
  if (sources.length < LEAST_SOURCES) return { part: null, isWhole };
  const pinned = new Set(stored.sources.slice(0, BOUNDS[stored.kind].facts).map(({ id }) => id));
  const facts = sources
    .filter(({ id }) => pinned.has(id))
    .map(({ id, statement, validity }) => ({ id, statement: factText(statement, validity) }));
  if (facts.length === 0) return { part: null, isWhole };
  const { entityKind, kind, label, scopePath } = stored;
  const lost: SummaryMode = stored.summaryMode === 'none' ? 'none' : 'unavailable';
  return {
    isWhole,
    part: {
      kind,
      scopePath,
      label: isWhole ? label : null,
      entityKind: isWhole ? entityKind : null,
      sensitivity: strictest(sources),
      summary: isWhole ? stored.summary : null,
      summaryMode: isWhole ? stored.summaryMode : lost,
      summaryProvenance: isWhole ? stored.summaryProvenance : null,
      facts,
    },
  };
}
