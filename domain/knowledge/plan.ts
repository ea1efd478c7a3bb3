/**
 * How a batch of proposals, the rules of the gates or a ruling changes the existing statements. A plan is
 * pure: the caller loads, locks and writes.
 */
import type { TargetLevel } from '../statements/candidate.ts';
import type { GateVerdict } from '../governance/gates.ts';
import type { ItemClosing, ItemOpening } from '../governance/items.ts';
import type { KnowledgeState } from '../statements/states.ts';
import type { ParaphraseRule } from '../statements/paraphrase.ts';
import type { RefusalRule } from './refusal.ts';
import type { PlacingContext } from './placing.ts';
import type { Statement } from '../statements/statement.ts';

export interface PlanContext extends PlacingContext {
  readonly newId: () => string;
  /** The rule by which other words say the same; null where only the same words do. */
  readonly paraphrases: ParaphraseRule | null;
  /** The rule by which other words say what was refused; null where only the same words do. */
  readonly refusals: RefusalRule | null;
}

/** A person who decides, and by which door. */
export interface Actor {
  readonly peerId: string | null;
  readonly channel: 'human_ui' | 'api' | 'mcp' | 'cli';
}

export interface Change {
  /** Null for a statement that did not exist. */
  readonly before: Statement | null;
  readonly after: Statement;
}

export type TransitionReason =
  | 'extracted'
  | 'gates_rerun'
  | 'updated'
  | 'reinstated'
  | 'document_revised'
  | 'evidence_lost'
  | 'source_erased'
  | 'subject_confirmed'
  | 'subject_contested'
  | 'subject_redacted'
  | 'curator_approved'
  | 'curator_rejected'
  | 'contest_unanswered'
  | 'expired'
  | 'revalidation_due'
  | 'revalidation_unanswered'
  | 'consent_denied'
  | 'withheld_by_curator'
  | 'withdrawn_by_speaker'
  | 'edited'
  | 'merged';

export interface Transition {
  readonly statementId: string;
  readonly scopeId: string;
  readonly from: KnowledgeState | null;
  readonly to: KnowledgeState;
  readonly reason: TransitionReason;
  /** Null for what no person did. */
  readonly actor: Actor | null;
}

export interface Verdict {
  readonly gate: GateVerdict['gate'];
  readonly decision: GateVerdict['decision'] | 'approve' | 'edit' | 'merge' | 'await_consent';
  /** A code. */
  readonly reason: string;
}

export interface Decision extends Verdict {
  readonly statementId: string;
  readonly scopeId: string;
  readonly ruleId: string | null;
  /** The item that a person decided; null where the gates decide. */
  readonly itemId: string | null;
  readonly from: KnowledgeState;
  readonly to: KnowledgeState;
  readonly fromLevel: TargetLevel;
  readonly toLevel: TargetLevel;
  readonly statementHash: string;
  readonly actor: Actor | null;
}

export interface ConsentChange {
  readonly statementId: string;
  /** Where the statement stands, and its hash. */
  readonly scopeId: string;
  readonly statementHash: string;
  readonly subjectPeerId: string;
  readonly targetScopeId: string;
  /** `granted` by the account's policy; `pending` asks the subject. */
  readonly status: 'granted' | 'pending';
}

export interface Output {
  readonly anchorId: string;
  readonly statementId: string;
  /** `refused`: the source was used for a statement that ended or was refused, and adds nothing. */
  readonly effect: 'created' | 'merged' | 'refused';
}

/** All sources of a statement become sources of another one, which takes its place. */
export interface Inheritance {
  readonly fromId: string;
  readonly toId: string;
  /** Whether the wordings of the sources say what the other statement says, so that it may take one of them later. */
  readonly keepsWordings: boolean;
}

export interface Plan {
  /** One for each statement that differs from what was loaded. */
  readonly changes: readonly Change[];
  readonly outputs: readonly Output[];
  readonly transitions: readonly Transition[];
  readonly decisions: readonly Decision[];
  readonly openings: readonly ItemOpening[];
  readonly closings: readonly ItemClosing[];
  /** Statements whose open items get a new version, because what they ask about has changed. */
  readonly revised: readonly string[];
  readonly consents: readonly ConsentChange[];
  readonly inherited: readonly Inheritance[];
  /**
   * The instants, by statement, at which changes that were found late came into force. Other changes come into force at
   * the moment of the plan.
   */
  readonly since?: ReadonlyMap<string, string>;
}
