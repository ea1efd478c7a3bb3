/**
 * The visibility predicate of statements as data. This is its only definition: SQL, Qdrant and Meilisearch each render
 * it. A search index may let through more than the predicate does, so the SQL form checks every row again before the
 * service returns it.
 */
import type { Sensitivity, TargetLevel } from '../statements/candidate.ts';
import { KNOWLEDGE_STATES, PLACED_STATES, type KnowledgeState } from '../statements/states.ts';

/** The kind of reader of a read. `internal` exists in process only. */
export type Reader =
  | {
      readonly posture: 'peer';
      readonly peerId: string;
      /** The principals that it is besides the peer itself, as far as they are known (`principals.ts`). */
      readonly memberships?: readonly string[];
    }
  | { readonly posture: 'public_only' }
  | { readonly posture: 'internal' };

/**
 * A read by a person who names another reader. It reads as the named reader in `scopeIds`, the scopes where the person
 * may name one. In every other scope it reads as the person (`otherwise`).
 */
export interface NamedReader {
  readonly posture: 'named';
  readonly named: Reader;
  readonly scopeIds: readonly string[];
  readonly otherwise: Reader;
}

/** The reader of a chain of scopes: one reader for all of it, or another one in some of its scopes. */
export type ChainReader = Reader | NamedReader;

/** The peers of a reader: none, one, or the named peer and the person that names it. */
export function peersOf(reader: ChainReader): readonly string[] {
  if (reader.posture === 'named') return [...peersOf(reader.named), ...peersOf(reader.otherwise)];
  return reader.posture === 'peer' ? [reader.peerId] : [];
}

/** A reader as audiences name it: SQL looks at the peer, an index at what it was told (`memberships`). */
export interface Addressee {
  readonly peerId: string;
  readonly memberships: readonly string[];
}

/** The principals of a reader, as far as they are known: its peers, and what these are besides. */
export function principalsOf(reader: ChainReader): readonly string[] {
  if (reader.posture === 'named') {
    return [...principalsOf(reader.named), ...principalsOf(reader.otherwise)];
  }
  return reader.posture === 'peer' ? [reader.peerId, ...(reader.memberships ?? [])] : [];
}

export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly field: 'scope_id'; readonly in: readonly string[] }
  | { readonly field: 'state'; readonly in: readonly KnowledgeState[] }
  /** Some belief period of the statement, past or open, has one of these states. */
  | { readonly field: 'ever_state'; readonly in: readonly KnowledgeState[] }
  | { readonly field: 'sensitivity'; readonly in: readonly Sensitivity[] }
  | { readonly field: 'target_level'; readonly in: readonly TargetLevel[] }
  | { readonly field: 'subject_peer_id'; readonly is: string }
  | { readonly field: 'subject_peer_id'; readonly isNull: true }
  | { readonly field: 'submitting_peer_ids'; readonly contains: string }
  /** The statement has no audience, or its audience names the reader. Null: it has none. */
  | { readonly field: 'audience'; readonly admits: Addressee | null }
  /** A hold left something of it to serve. */
  | { readonly field: 'is_served' }
  | { readonly field: 'expires_at'; readonly nullOrAfter: string };

/** Matches nothing: an empty disjunction, in every rendering. */
export const NOTHING: Condition = { any: [] };
/** Matches everything: an empty conjunction. */
export const EVERYTHING: Condition = { all: [] };

function isSubmitter(peerId: string): Condition {
  return { field: 'submitting_peer_ids', contains: peerId };
}

/**
 * A statement of which holds left something. One of which they left nothing is read by its submitters alone, who said it
 * or passed it on.
 */
const SERVED: Condition = { field: 'is_served' };

/** A statement without an audience: everybody who may otherwise read it does. */
export const WITHOUT_AUDIENCE: Condition = { field: 'audience', admits: null };

/** Whom a statement with an audience must name; one without an audience passes. */
function admits(reader: Reader): Condition {
  switch (reader.posture) {
    case 'internal':
      return EVERYTHING;
    case 'public_only':
      return WITHOUT_AUDIENCE;
    case 'peer': {
      const { memberships = [], peerId } = reader;
      return { field: 'audience', admits: { peerId, memberships } };
    }
  }
}

/**
 * The readers of a kept statement, whatever its scope and state. An audience only narrows: it stops those who read a
 * statement because it is shared, and neither its subject nor its submitters.
 */
function audience(reader: Reader): Condition {
  switch (reader.posture) {
    case 'internal':
      return EVERYTHING;
    case 'public_only':
      return { all: [{ field: 'sensitivity', in: ['public'] }, WITHOUT_AUDIENCE, SERVED] };
    case 'peer':
      return {
        any: [
          {
            all: [
              {
                any: [
                  { field: 'sensitivity', in: ['public', 'internal'] },
                  { field: 'subject_peer_id', isNull: true },
                  { field: 'target_level', in: ['scope', 'account'] },
                ],
              },
              admits(reader),
              SERVED,
            ],
          },
          { all: [{ field: 'subject_peer_id', is: reader.peerId }, SERVED] },
          isSubmitter(reader.peerId),
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
  readonly reader: ChainReader;
  /** The instant at which the predicate judges expiry, ISO 8601: now, or `as_of`. */
  readonly at: string;
}

/** For each scope of the query: the condition that `readable` gives for the reader of that scope. */
function inScopes(
  { scopeIds, reader }: VisibilityQuery,
  readable: (reader: Reader) => Condition,
): Condition {
  const readAs = (ids: readonly string[], who: Reader): Condition => ({
    all: [{ field: 'scope_id', in: ids }, readable(who)],
  });
  if (reader.posture !== 'named') return readAs(scopeIds, reader);
  const named = new Set(reader.scopeIds);
  return {
    any: [
      readAs(
        scopeIds.filter((id) => named.has(id)),
        reader.named,
      ),
      readAs(
        scopeIds.filter((id) => !named.has(id)),
        reader.otherwise,
      ),
    ],
  };
}

/** The statements that retrieval and the default listing show: active ones, and the reader's own provisional ones. */
export function visibleByDefault(query: VisibilityQuery): Condition {
  return {
    all: [
      { field: 'expires_at', nullOrAfter: query.at },
      inScopes(query, (reader) => ({
        any: [
          { all: [{ field: 'state', in: ['active'] }, audience(reader)] },
          { all: [{ field: 'state', in: ['provisional'] }, submittersOnly(reader)] },
        ],
      })),
    ],
  };
}

/**
 * The statements that a question may be about: those that the reader sees, and waiting ones that the reader may know
 * of. `stale` is left out, because the service asks no more questions about it.
 */
export function visibleToQuestions(query: VisibilityQuery): Condition {
  const unexpired: Condition = { field: 'expires_at', nullOrAfter: query.at };
  return {
    any: [
      visibleByDefault(query),
      { all: [unexpired, visibleInState('held', query, [])] },
      { all: [unexpired, visibleInState('needs_revalidation', query, [])] },
    ],
  };
}

/**
 * The statements that a readiness report reads: those that its reader sees, and ended or unconfirmed ones that the
 * reader may know of. The report decides which of them count, expiry included.
 */
export function visibleToReadiness(query: VisibilityQuery): Condition {
  return {
    any: [
      {
        all: [{ field: 'state', in: PLACED_STATES }, inScopes(query, audience)],
      },
      visibleInState('provisional', query, []),
      visibleInState('expired', query, []),
    ],
  };
}

/** States in which a statement is believed: by its audience (`active`), or by its submitters (`provisional`). */
export const BELIEVED_STATES = [
  'active',
  'provisional',
] as const satisfies readonly KnowledgeState[];

/**
 * The statements whose existence an empty answer may reveal to any reader of the scopes: believed, not expired, and
 * neither personal nor restricted nor addressed to some of the readers.
 */
export function spokenOf({ scopeIds, at }: Omit<VisibilityQuery, 'reader'>): Condition {
  return {
    all: [
      { field: 'scope_id', in: scopeIds },
      { field: 'expires_at', nullOrAfter: at },
      { field: 'state', in: BELIEVED_STATES },
      { field: 'sensitivity', in: ['public', 'internal'] },
      WITHOUT_AUDIENCE,
      SERVED,
    ],
  };
}

/**
 * An ended statement keeps its audience: every reader that could read it while it was placed. If it was never placed,
 * only its submitters may read it.
 */
function formerAudience(reader: Reader): Condition {
  return {
    any: [
      // The query looks up the periods last, only for rows that pass the other conditions.
      { all: [audience(reader), { field: 'ever_state', in: PLACED_STATES }] },
      submittersOnly(reader),
    ],
  };
}

/** The readers that may know of a statement, and the states in which it appears as the source of another statement. */
export interface LineageVisibility {
  readonly authorised: Condition;
  /** Apply it to authorised statements only. */
  readonly shown: Condition;
}

/**
 * Authorisation does not depend on the state: a statement that a reader may not know of stays unknown in every state. A
 * statement that waits again is visible to its submitters only, even if others read it while it was placed.
 */
export function visibleInLineage(query: VisibilityQuery): LineageVisibility {
  const unexpired: Condition = { field: 'expires_at', nullOrAfter: query.at };
  return {
    authorised: inScopes(query, formerAudience),
    shown: {
      any: [
        { field: 'state', in: ['superseded'] },
        { all: [{ field: 'state', in: PLACED_STATES }, unexpired] },
        {
          all: [
            { field: 'state', in: ['provisional'] },
            unexpired,
            inScopes(query, submittersOnly),
          ],
        },
      ],
    },
  };
}

/**
 * The statements about a person that this person sees, in every scope and state. `listed` leaves out redacted ones. The
 * answer to the redaction itself shows the row once more, without its text.
 */
export function aboutSubject(peerId: string, which: 'any' | 'listed' = 'any'): Condition {
  const withdrawn: readonly KnowledgeState[] =
    which === 'listed' ? ['redacted', 'retracted'] : ['retracted'];
  return {
    all: [
      { field: 'subject_peer_id', is: peerId },
      { field: 'state', in: KNOWLEDGE_STATES.filter((state) => !withdrawn.includes(state)) },
      { any: [SERVED, isSubmitter(peerId)] },
    ],
  };
}

/**
 * The statements that a person may decide about, as far as audiences say: those without one, those whose audience names
 * the person, and those that the person is the subject or a submitter of. Null: a person without a peer.
 */
export function meantFor(peerId: string | null): Condition {
  if (peerId === null) return { all: [WITHOUT_AUDIENCE, SERVED] };
  const isAddressed = admits({ posture: 'peer', peerId });
  return {
    any: [
      { all: [{ any: [isAddressed, { field: 'subject_peer_id', is: peerId }] }, SERVED] },
      isSubmitter(peerId),
    ],
  };
}

/**
 * Curators see a restricted statement only as an item of their queue, where the service records each look, and one with
 * an audience only where it names them.
 */
function forCurators(curatedScopeIds: readonly string[], reader: Reader): Condition {
  return {
    all: [
      { field: 'scope_id', in: curatedScopeIds },
      { field: 'sensitivity', in: ['public', 'internal', 'personal'] },
      admits(reader),
      SERVED,
    ],
  };
}

/**
 * The statements that the knowledge query shows for a state that the caller names. `curatedScopeIds` are those scopes
 * of the chain where the *caller* reads as curator and names no reader.
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
      return { all: [{ field: 'state', in: [state] }, inScopes(query, submittersOnly)] };
    case 'proposed':
    case 'held':
    case 'rejected':
    case 'contested':
      return {
        all: [
          { field: 'state', in: [state] },
          inScopes(query, (reader) => ({
            any: [submittersOnly(reader), forCurators(curatedScopeIds, reader)],
          })),
        ],
      };
    case 'needs_revalidation':
    case 'stale':
      return { all: [{ field: 'state', in: [state] }, inScopes(query, audience)] };
    case 'superseded':
    case 'expired':
      return { all: [{ field: 'state', in: [state] }, inScopes(query, formerAudience)] };
  }
}
