/** Who reads a statement, in a word: the visibility predicate as curators are told of it. */
import type { Sensitivity, TargetLevel } from '../extraction/candidate.ts';
import { standingOf } from '../knowledge/statement.ts';
import type { ItemKind } from './items.ts';
import type { KnowledgeState } from './visibility.ts';

/** `everyone`: whoever may read the scope, without a peer, too. `scope`: every peer that may read the scope. */
export const AUDIENCES = ['submitters', 'subject', 'scope', 'everyone', 'nobody'] as const;
export type StatementAudience = (typeof AUDIENCES)[number];

/** Beside curators, who see it in the queue. Submitters are among every audience but `nobody`. */
export function audienceOf(statement: {
  readonly state: KnowledgeState;
  readonly sensitivity: Sensitivity;
  readonly level: TargetLevel;
  readonly isAboutPeer: boolean;
}): StatementAudience {
  const { isAboutPeer, level, sensitivity, state } = statement;
  if (state === 'redacted' || state === 'retracted') return 'nobody';
  if (standingOf(state) !== 'placed') return 'submitters';
  if (sensitivity === 'public') return 'everyone';
  const isShared = sensitivity === 'internal' || !isAboutPeer || level !== 'peer';
  return isShared ? 'scope' : 'subject';
}

/** Where a statement stands, and who reads it there. */
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
  readonly knowledge: {
    readonly scope_path: string;
    readonly target_level: TargetLevel;
    readonly sensitivity: Sensitivity;
    readonly state: KnowledgeState;
    readonly subject_peer_id: string | null;
  };
}

/** Who reads the statement of an item now, and who would once the item is approved. */
export function audiencesOf(item: Moving): {
  readonly before: PlacedAudience;
  readonly after: PlacedAudience;
} {
  const { scope_path, sensitivity, state, subject_peer_id, target_level } = item.knowledge;
  const isAboutPeer = subject_peer_id !== null;
  const level = item.kind === 'gate_b' ? item.target_level : target_level;
  const approved = item.proposed_sensitivity ?? sensitivity;
  return {
    before: {
      scope_path,
      target_level,
      readers: audienceOf({ isAboutPeer, state, sensitivity, level: target_level }),
    },
    after: {
      scope_path: item.target_scope_path ?? scope_path,
      target_level: level,
      readers: audienceOf({ isAboutPeer, state: 'active', sensitivity: approved, level }),
    },
  };
}
