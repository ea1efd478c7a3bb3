/** The rows that a plan writes besides the statements: transitions, decisions, items and consents. */
import { ItemChanges } from '../governance/item-changes.ts';
import {
  CONTEST_DUE_HOURS,
  GATE_DUE_HOURS,
  REVALIDATION_DUE_HOURS,
  type ItemOpening,
} from '../governance/items.ts';
import type { KnowledgeState } from '../statements/states.ts';
import type {
  Actor,
  ConsentChange,
  Decision,
  Inheritance,
  Output,
  Transition,
  TransitionReason,
  Verdict,
} from './plan.ts';
import type { Statement } from '../statements/statement.ts';

/** The items with which statements of a state wait for a person. */
const WAITING: Readonly<Partial<Record<KnowledgeState, Pick<ItemOpening, 'kind' | 'dueHours'>>>> = {
  proposed: { kind: 'gate_a_b', dueHours: GATE_DUE_HOURS },
  provisional: { kind: 'gate_a_b', dueHours: GATE_DUE_HOURS },
  held: { kind: 'gate_a_b', dueHours: GATE_DUE_HOURS },
  needs_revalidation: { kind: 'revalidation', dueHours: REVALIDATION_DUE_HOURS },
  stale: { kind: 'revalidation', dueHours: REVALIDATION_DUE_HOURS },
  contested: { kind: 'contest', dueHours: CONTEST_DUE_HOURS },
};

/** What is withheld waits for an answer to its curator's question. */
function waitingWith({ isWithheld, state }: Statement) {
  return isWithheld && state === 'held' ? WAITING.needs_revalidation : WAITING[state];
}

/** The basis of a decision: its rule, its item or its person. */
export interface DecidedBy {
  readonly ruleId?: string | null;
  readonly itemId?: string | null;
  readonly actor?: Actor | null;
}

export class PlanRecord {
  readonly items = new ItemChanges();
  readonly outputs: Output[] = [];
  readonly transitions: Transition[] = [];
  readonly decisions: Decision[] = [];
  readonly consents: ConsentChange[] = [];
  readonly inherited: Inheritance[] = [];
  /**
   * Statements whose open items get a new version, so that a curator cannot decide about a statement that another
   * curator has just decided about.
   */
  readonly revised = new Set<string>();

  enter(
    { id: statementId, scopeId, state: to }: Statement,
    from: KnowledgeState | null,
    reason: TransitionReason,
    actor: Actor | null,
  ): void {
    this.transitions.push({ statementId, scopeId, from, to, reason, actor });
  }

  decide(
    { decision, gate, reason }: Verdict,
    before: Statement,
    after: Statement,
    { actor = null, itemId = null, ruleId = null }: DecidedBy,
  ): void {
    this.decisions.push({
      gate,
      decision,
      reason,
      statementId: after.id,
      scopeId: after.scopeId,
      ruleId,
      itemId,
      from: before.state,
      to: after.state,
      fromLevel: before.targetLevel,
      toLevel: after.targetLevel,
      statementHash: after.statementHash,
      actor,
    });
  }

  /** The subject's consent to a place: given by the policy, or asked for. */
  consent(
    { id, scopeId, statementHash, subject }: Statement,
    targetScopeId: string,
    status: ConsentChange['status'],
  ): void {
    const subjectPeerId = subject.id;
    const asked = { statementId: id, scopeId, statementHash, subjectPeerId };
    this.consents.push({ ...asked, targetScopeId, status });
  }

  /** Opens the item that a statement of its state waits with; none for most states. */
  askAbout(statement: Statement, reason: string, targetScopeId: string | null): void {
    const question = waitingWith(statement);
    if (question !== undefined) this.items.open(statement, { ...question, reason, targetScopeId });
  }
}
