/**
 * Where the statements of a report are looked for. The number of places follows from the request alone: from the scopes
 * of the chain and from what the selectors name, never from how much is known, or hidden.
 */
import { KINDS, type Kind } from '../statements/kinds.ts';
import { peersOf, principalsOf, type Condition } from '../governance/visibility.ts';
import type { KnowledgeState } from '../statements/states.ts';
import type { Attribute } from '../statements/attributes.ts';
import type { Selector } from './card.ts';
import type { EffectiveRequirement } from './inherit.ts';
import { MOST_COUNTED_MATCHES } from './report.ts';
import type { ScopedReader } from '../governance/scoped-reader.ts';

/**
 * Statements that the requirements of a report compare, spread evenly over what they name; of each of three audiences as
 * many, and of active ones as many as of the others.
 */
const MOST_MET = 30_000;
/** Active statements that one walk meets, at least and at most. */
const LEAST_MET_BY_WALK = 20;
const MOST_MET_BY_WALK = 1_000;
/** Statements that are over, or wait to be confirmed, that one walk meets at most: one says that there are some. */
const MOST_OVER_MET = 100;
/** Own submissions of one state that are met in one scope. */
const MOST_SUBMITTED = 300;
/** Statements whose text one report reads, because a topic is asked for. */
export const MOST_TEXTS = 2_000;
/** Statements that one requirement with a topic compares. */
export const MOST_COMPARED = 500;

/** Placed statements, and expired ones. */
const WALKED_STATES = ['active', 'needs_revalidation', 'stale', 'expired'] as const;
/** As `knowledge.shelf` has it. */
const AUDIENCES = ['everybody', 'scope', 'few'] as const;
const SHELVES: readonly string[] = WALKED_STATES.flatMap((state) =>
  AUDIENCES.map((audience) => `${state}/${audience}`),
);

export interface SelectorQuery extends Selector {
  /** The index of the requirement among those that are checked. */
  readonly place: number;
  /** Whether the checked peer itself must have said it. */
  readonly asksPeer: boolean;
  readonly wanted: number;
}

export interface MatchRead extends ScopedReader {
  /** The peer that is checked. */
  readonly peerId: string;
  /** The scopes of the chain that are read as that peer; the others are read as the caller. */
  readonly asPeerScopeIds: readonly string[];
  /** The predicate of readiness. */
  readonly visible: Condition;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly selectors: readonly SelectorQuery[];
  /** What walks read: every kind and attribute that some selector names. */
  readonly kinds: readonly Kind[];
  readonly attributes: readonly Attribute[];
  readonly shelves: readonly string[];
  readonly submitterIds: readonly string[];
  readonly submittedStates: readonly KnowledgeState[];
  /** The readers as audiences name them. */
  readonly addressees: readonly string[];
  readonly addressedStates: readonly KnowledgeState[];
  readonly mostSubmitted: number;
  /** Active statements that each walk meets. */
  readonly mostMet: number;
  /** Statements that each walk meets of those that are not active. */
  readonly mostOver: number;
}

/** What a selector compares the statements of, in one scope and for each audience: kinds, or attributes. */
const wordsOf = ({ attribute, kind }: Selector): number =>
  attribute.length > 0 ? attribute.length : kind.length || KINDS.length;

function metByWalk(selectors: readonly Selector[], scopes: number): number {
  const walks = selectors.reduce((sum, selector) => sum + wordsOf(selector), 0) * scopes;
  const each = Math.floor(MOST_MET / Math.max(1, walks));
  return Math.min(MOST_MET_BY_WALK, Math.max(LEAST_MET_BY_WALK, each));
}

function kindsOf(selectors: readonly Selector[]): readonly Kind[] {
  const byKind = selectors.filter(({ attribute }) => attribute.length === 0);
  if (byKind.some(({ kind }) => kind.length === 0)) return KINDS;
  return KINDS.filter((word) => byKind.some(({ kind }) => kind.includes(word)));
}

export type ReportRead = Pick<MatchRead, 'peerId' | keyof ScopedReader | 'visible' | 'at'>;

/** What is looked for, for the requirements that a report checks. */
export function matchRead(
  read: ReportRead,
  requirements: readonly EffectiveRequirement[],
): MatchRead {
  const { reader, scopeIds } = read;
  const named = reader.posture === 'named' ? new Set(reader.scopeIds) : null;
  const mostMet = metByWalk(
    requirements.map(({ requirement }) => requirement.selector),
    scopeIds.length,
  );
  const selectors = requirements.map(
    ({ requirement: { selector, source_policy: policy } }, place): SelectorQuery => ({
      ...selector,
      place,
      asksPeer: policy === 'ask-peer',
      wanted: selector.topic.length > 0 ? MOST_COMPARED : MOST_COUNTED_MATCHES,
    }),
  );
  return {
    ...read,
    asPeerScopeIds: scopeIds.filter((id) => named === null || named.has(id)),
    selectors,
    kinds: kindsOf(selectors),
    attributes: [...new Set(selectors.flatMap(({ attribute }) => attribute))],
    shelves: SHELVES,
    submitterIds: [...new Set(peersOf(reader))],
    // Walks meet what the checked peer itself may read, but not what was never placed or is for others than the peer.
    submittedStates: ['provisional', ...WALKED_STATES],
    addressees: [...new Set(principalsOf(reader))],
    addressedStates: WALKED_STATES,
    mostSubmitted: MOST_SUBMITTED,
    mostMet,
    mostOver: Math.min(MOST_OVER_MET, mostMet),
  };
}
