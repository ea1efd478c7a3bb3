/** The readers of a statement in one word: the visibility predicate in the form that people see. */
import type { Sensitivity, TargetLevel } from '../statements/candidate.ts';
import { standingOf } from '../statements/statement.ts';
import { ITEM_RULES, questionOf } from './desk.ts';
import type { ItemKind } from './items.ts';
import type { KnowledgeState } from '../statements/states.ts';

/**
 * `everyone`: every reader of the scope, also one without a peer. `scope`: every peer that may read the scope.
 * `addressed`: those of them whom its audience names.
 */
export const AUDIENCES = [
  'submitters',
  'subject',
  'addressed',
  'scope',
  'everyone',
  'nobody',
] as const;
export type StatementAudience = (typeof AUDIENCES)[number];

/** Why a statement has the audience that it has. */
export const AUDIENCE_REASONS = [
  'withdrawn',
  'not_placed',
  'addressed',
  'public',
  'internal',
  'about_scope',
  'shared_level',
  'about_peer',
] as const;
export type AudienceReason = (typeof AUDIENCE_REASONS)[number];

interface Judged {
  readonly state: KnowledgeState;
  readonly sensitivity: Sensitivity;
  readonly level: TargetLevel;
  readonly isAboutPeer: boolean;
  /** Whether it has an audience. */
  readonly hasAudience: boolean;
}

/** Only the first rule that applies decides. */
export function audienceReasonOf({
  hasAudience,
  isAboutPeer,
  level,
  sensitivity,
  state,
}: Judged): AudienceReason {
  if (state === 'redacted' || state === 'retracted') return 'withdrawn';
  if (standingOf(state) !== 'placed') return 'not_placed';
  const isShared = sensitivity === 'public' || sensitivity === 'internal';
  const isForFew = !isShared && isAboutPeer && level === 'peer';
  if (hasAudience && !isForFew) return 'addressed';
  if (isShared) return sensitivity;
  if (!isAboutPeer) return 'about_scope';
  return level === 'peer' ? 'about_peer' : 'shared_level';
}

const READERS_BY_REASON: Readonly<Record<AudienceReason, StatementAudience>> = {
  withdrawn: 'nobody',
  not_placed: 'submitters',
  addressed: 'addressed',
  public: 'everyone',
  internal: 'scope',
  about_scope: 'scope',
  shared_level: 'scope',
  about_peer: 'subject',
};

/**
 * Curators are not counted: they see the statement in the queue, unless its audience leaves them out. Submitters belong to
 * every audience except `nobody`, and the subject to `addressed`.
 */
export function audienceOf(statement: Judged): StatementAudience {
  return READERS_BY_REASON[audienceReasonOf(statement)];
}

/** The place of a statement and its readers there. */
export interface PlacedAudience {
  readonly scope_path: string;
  readonly target_level: TargetLevel;
  readonly readers: StatementAudience;
}

/** An item as far as its approval moves the statement. */
interface Moving {
  readonly kind: ItemKind;
  readonly target_scope_path: string | null;
  readonly target_level: TargetLevel;
  readonly proposed_sensitivity: Sensitivity | null;
  /** Of a contest: the state before it, which its dismissal gives back. Null, or absent: none. */
  readonly restored_state?: KnowledgeState | null;
  readonly knowledge: {
    readonly scope_path: string;
    readonly target_level: TargetLevel;
    readonly sensitivity: Sensitivity;
    readonly state: KnowledgeState;
    readonly subject_peer_id: string | null;
    readonly has_audience: boolean;
  };
}

/**
 * The readers of the statement after a rejection of the item: the same as now if a rejection leaves the statement as it
 * is.
 */
export function audienceAfterRejection(item: Moving): PlacedAudience {
  const { before } = audiencesOf(item);
  const { kind, proposed_sensitivity: proposedSensitivity } = item;
  if (ITEM_RULES[questionOf({ kind, proposedSensitivity })].reject === 'left') return before;
  const { has_audience: hasAudience, sensitivity, subject_peer_id, target_level } = item.knowledge;
  const about = { hasAudience, isAboutPeer: subject_peer_id !== null };
  const rejected = { ...about, state: 'rejected', sensitivity, level: target_level } as const;
  return { ...before, readers: audienceOf(rejected) };
}

/** The readers of the statement of an item now, and its readers after an approval. A promotion ends an audience. */
export function audiencesOf(item: Moving): {
  readonly before: PlacedAudience;
  readonly after: PlacedAudience;
} {
  const { has_audience, scope_path, sensitivity, state: now, subject_peer_id } = item.knowledge;
  const { target_level } = item.knowledge;
  const state = item.restored_state ?? 'active';
  const isAboutPeer = subject_peer_id !== null;
  const level = item.kind === 'gate_b' ? item.target_level : target_level;
  const approved = item.proposed_sensitivity ?? sensitivity;
  const hasAudience = has_audience && !(item.kind === 'gate_b' && level !== 'peer');
  return {
    before: {
      scope_path,
      target_level,
      readers: audienceOf({
        hasAudience: has_audience,
        isAboutPeer,
        state: now,
        sensitivity,
        level: target_level,
      }),
    },
    after: {
      scope_path: item.target_scope_path ?? scope_path,
      target_level: level,
      readers: audienceOf({ hasAudience, isAboutPeer, state, sensitivity: approved, level }),
    },
  };
}
