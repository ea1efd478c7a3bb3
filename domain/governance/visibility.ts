/**
 * The visibility predicate of statements, once, as data. SQL, Qdrant and Meilisearch each render it; the
 * engines hold a hull of it, and every row is checked again through the SQL form before it leaves.
 */
import type { Sensitivity, TargetLevel } from '../extraction/candidate.ts';

export const KNOWLEDGE_STATES = [
  'proposed',
  'provisional',
  'held',
  'active',
  'needs_revalidation',
  'stale',
  'contested',
  'superseded',
  'expired',
  'rejected',
  'redacted',
  'retracted',
] as const;
export type KnowledgeState = (typeof KNOWLEDGE_STATES)[number];

/** On whose behalf a read happens. `internal` exists in process only. */
export type Reader =
  | { readonly posture: 'peer'; readonly peerId: string }
  | { readonly posture: 'public_only' }
  | { readonly posture: 'internal' };

export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly field: 'scope_id'; readonly in: readonly string[] }
  | { readonly field: 'state'; readonly in: readonly KnowledgeState[] }
  | { readonly field: 'sensitivity'; readonly in: readonly Sensitivity[] }
  | { readonly field: 'target_level'; readonly in: readonly TargetLevel[] }
  | { readonly field: 'subject_peer_id'; readonly is: string }
  | { readonly field: 'subject_peer_id'; readonly isNull: true }
  | { readonly field: 'submitting_peer_ids'; readonly contains: string }
  | { readonly field: 'expires_at'; readonly nullOrAfter: string };

/** Matches nothing: an empty disjunction, in every rendering. */
export const NOTHING: Condition = { any: [] };
/** Matches everything: an empty conjunction. */
export const EVERYTHING: Condition = { all: [] };

function isSubmitter(peerId: string): Condition {
  return { field: 'submitting_peer_ids', contains: peerId };
}

/** Who may read a statement that has been kept, whatever its scope and state. */
function audience(reader: Reader): Condition {
  switch (reader.posture) {
    case 'internal':
      return EVERYTHING;
    case 'public_only':
      return { field: 'sensitivity', in: ['public'] };
    case 'peer':
      return {
        any: [
          { field: 'sensitivity', in: ['public', 'internal'] },
          { field: 'subject_peer_id', is: reader.peerId },
          isSubmitter(reader.peerId),
          { field: 'subject_peer_id', isNull: true },
          { field: 'target_level', in: ['scope', 'account'] },
        ],
      };
  }
}

function submittersOnly(reader: Reader): Condition {
  switch (reader.posture) {
    case 'internal':
      return EVERYTHING;
    case 'public_only':
      return NOTHING;
    case 'peer':
      return isSubmitter(reader.peerId);
  }
}

export interface VisibilityQuery {
  /** Scopes of the authorised chain. Empty means nothing is readable. */
  readonly scopeIds: readonly string[];
  readonly reader: Reader;
  /** The instant expiry is judged at, ISO 8601: now, or `as_of`. */
  readonly at: string;
}

function inScopes(query: VisibilityQuery): Condition {
  return { field: 'scope_id', in: query.scopeIds };
}

/** What retrieval and the default listing show: active rows, and the reader's own provisional ones. */
export function visibleByDefault(query: VisibilityQuery): Condition {
  return {
    all: [
      inScopes(query),
      { field: 'expires_at', nullOrAfter: query.at },
      {
        any: [
          { all: [{ field: 'state', in: ['active'] }, audience(query.reader)] },
          { all: [{ field: 'state', in: ['provisional'] }, submittersOnly(query.reader)] },
        ],
      },
    ],
  };
}

/**
 * What an explicit state of the knowledge query shows. `curatedScopeIds` are those scopes of the chain where
 * the *caller* reads as curator of its own accord (no reader named).
 */
export function visibleInState(
  state: KnowledgeState,
  query: VisibilityQuery,
  curatedScopeIds: readonly string[],
): Condition {
  switch (state) {
    case 'active':
      return visibleByDefault(query);
    case 'redacted':
    case 'retracted':
      return NOTHING;
    case 'provisional':
      return {
        all: [inScopes(query), { field: 'state', in: [state] }, submittersOnly(query.reader)],
      };
    case 'proposed':
    case 'held':
    case 'rejected':
    case 'contested':
      return {
        all: [
          inScopes(query),
          { field: 'state', in: [state] },
          { any: [submittersOnly(query.reader), { field: 'scope_id', in: curatedScopeIds }] },
        ],
      };
    case 'needs_revalidation':
    case 'stale':
    case 'superseded':
    case 'expired':
      return { all: [inScopes(query), { field: 'state', in: [state] }, audience(query.reader)] };
  }
}
