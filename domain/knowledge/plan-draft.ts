/**
 * A plan under construction, for the gates or for a person at the desk. It works on statements as their gates left
 * them, and applies the updates of newer statements at its end.
 */
import { GATE_DUE_HOURS } from '../governance/items.ts';
import { ruleFor, shortfall, type GateOutcome } from '../governance/gates.ts';
import type { KnowledgeState } from '../statements/states.ts';
import { DraftStatements } from './draft-statements.ts';
import { judge, placementScope } from './placing.ts';
import type { Actor, Change, Plan, PlanContext, Transition, TransitionReason } from './plan.ts';
import { PlanRecord } from './plan-record.ts';
import { isSame, standingOf, validUntil, type Statement } from '../statements/statement.ts';
import { withoutUpdate } from './updates.ts';
import { tookEffect, updateStatements, type Contradiction, type Updated } from './updating.ts';

const isPlaced = (state: KnowledgeState): boolean => standingOf(state) === 'placed';

/** Whether the question of an open item has changed although the state of the statement has not. */
function isRevised({ before, after }: Change): boolean {
  return (
    before !== null &&
    before.state === after.state &&
    (before.statementHash !== after.statementHash ||
      before.scopeId !== after.scopeId ||
      before.targetLevel !== after.targetLevel ||
      before.sensitivity !== after.sensitivity ||
      before.wording.relevantFrom?.at !== after.wording.relevantFrom?.at ||
      validUntil(before)?.at !== validUntil(after)?.at)
  );
}

export abstract class PlanDraft {
  protected readonly context: PlanContext;
  protected readonly known: readonly Statement[];
  protected readonly statements: DraftStatements;
  protected readonly record = new PlanRecord();

  constructor(known: readonly Statement[], context: PlanContext) {
    this.context = context;
    this.known = known;
    this.statements = new DraftStatements(known.map(withoutUpdate));
  }

  finish(): Plan {
    const updated = updateStatements(this.known, this.statements.all, this.context);
    const transitions = this.#transitionsAround(updated);
    this.#reviewUpdates(updated);
    const superseded = [...updated.superseded.map(({ id }) => id), ...updated.remaining];
    for (const id of superseded) this.record.items.takeBack(id);
    const conflicts = updated.contradictions.map(({ statement }) => statement.id);
    for (const { from, statementId, reason, to } of transitions) {
      const after = this.statements.get(statementId);
      if (to === 'held' && after?.isWithheld === true) {
        this.askAbout(after, reason === 'withdrawn_by_speaker' ? reason : 'withheld_by_curator');
      }
      // Whether a placed statement is more sensitive stays open while it is placed.
      const staysPlaced = from !== null && isPlaced(from) && isPlaced(to);
      const kept = staysPlaced ? (['conflict'] as const) : [];
      if (from !== null) this.record.items.closeOthers(statementId, reason, kept);
    }
    return {
      changes: updated.changes,
      outputs: this.record.outputs,
      transitions,
      decisions: this.record.decisions,
      openings: this.record.items.openings,
      closings: this.record.items.closings,
      revised: [
        ...new Set([
          ...updated.changes.filter(isRevised).map(({ after }) => after.id),
          ...conflicts,
          ...this.record.revised,
        ]),
      ],
      consents: this.record.consents,
      inherited: this.record.inherited,
    };
  }

  protected askAbout(statement: Statement, reason: string): void {
    this.record.askAbout(statement, reason, placementScope(this.context, statement));
  }

  /** Asks again about statements that are reinstated, and about contradictions. */
  #reviewUpdates({ contradictions, reinstated }: Updated): void {
    for (const { id } of reinstated) {
      const statement = this.statements.get(id);
      if (statement !== undefined) this.askAbout(statement, 'reinstated');
    }
    for (const contradiction of contradictions) this.#reviewContradiction(contradiction);
  }

  #reviewContradiction(contradiction: Contradiction): void {
    const { ended, olderIds, statement } = contradiction;
    const state = tookEffect(contradiction) ? 'approved' : 'rejected';
    for (const id of ended) {
      this.record.items.close(
        statement.id,
        'conflict',
        { state, reason: 'contradiction_ended' },
        id,
      );
    }
    for (const conflictId of olderIds) {
      this.record.items.open(statement, {
        kind: 'conflict',
        reason: 'contradicts_higher_standing',
        dueHours: GATE_DUE_HOURS,
        targetScopeId: placementScope(this.context, statement),
        conflictId,
      });
    }
  }

  /** Every statement's transitions as one chain: back from superseded, through the gates, to superseded. */
  #transitionsAround({ reinstated, remaining, superseded }: Updated): Transition[] {
    return [
      ...reinstated.map(({ id, scopeId, state }): Transition => ({
        statementId: id,
        scopeId,
        from: 'superseded',
        to: state,
        reason: 'reinstated',
        actor: null,
      })),
      ...this.record.transitions.filter(({ statementId }) => !remaining.has(statementId)),
      ...superseded.map(({ id, scopeId, update }): Transition => ({
        statementId: id,
        scopeId,
        from: update?.stateBefore ?? null,
        to: 'superseded',
        reason: 'updated',
        actor: null,
      })),
    ];
  }

  /** Runs the gates over a statement that waits, which has more sources now. The same verdict is no new decision. */
  protected regated(before: Statement, merged: Statement): void {
    const { outcome, after } = this.judge(merged);
    if (after.state === before.state) {
      this.keep(before, { ...merged, heldScopeId: after.heldScopeId });
      return;
    }
    this.decide(merged, after, outcome);
    this.enter(after, before.state, 'gates_rerun');
  }

  /**
   * Runs the gates again over a placed statement that waits to be confirmed, because a new source attests it. If the
   * gates accept it, it becomes active again with a new date. Otherwise it waits as before, without a decision.
   */
  protected revalidate(before: Statement, attested: Statement): boolean {
    const waits = before.state === 'needs_revalidation' || before.state === 'stale';
    const isOver = before.expiresAt !== null && before.expiresAt <= this.context.now;
    if (!waits || isOver) return false;
    const { outcome, after } = this.judge(attested);
    if (after.state !== 'active') return false;
    this.decide(before, after, outcome);
    this.enter(after, before.state, 'gates_rerun');
    return true;
  }

  /**
   * A statement that the gates placed and that no longer meets its rule waits for a person to confirm it. Returns false
   * for any other statement, without a decision.
   */
  protected doubt(before: Statement, after: Statement): boolean {
    if (before.state !== 'active' || before.verification !== 'auto_verified') return false;
    const { chains, rules } = this.context;
    const rule = ruleFor(rules, chains.get(after.scopeId) ?? [], after);
    const reason = shortfall(after, rule);
    if (reason === null) return false;
    const doubted: Statement = { ...after, state: 'needs_revalidation', verification: 'stale' };
    const verdict = { gate: 'gate_b', decision: 'defer', reason } as const;
    this.record.decide(verdict, before, doubted, { ruleId: rule.id });
    this.enter(doubted, before.state, 'evidence_lost');
    this.askAbout(doubted, reason);
    return true;
  }

  /** Whether another open statement at the scope says the same; the one that it replaces makes way. */
  protected isTaken(statement: Statement, scopeId: string): boolean {
    return this.statements.isTaken(statement, scopeId, statement.id, statement.replacesId);
  }

  protected judge(statement: Statement): ReturnType<typeof judge> {
    return judge(this.context, statement, (scopeId) => this.isTaken(statement, scopeId));
  }

  /** Replaces the statement, unless the merge changed nothing: a re-send must not look like a change. */
  protected keep(before: Statement, after: Statement): void {
    if (!isSame(before, after)) this.statements.set(after);
  }

  protected enter(
    after: Statement,
    from: KnowledgeState | null,
    reason: TransitionReason,
    actor: Actor | null = null,
  ): void {
    const replaced = after.state === 'active' ? this.#replacedBy(after) : undefined;
    const entered = replaced === undefined ? after : { ...after, supersedesId: replaced.id };
    this.statements.set(entered);
    this.record.enter(entered, from, reason, actor);
    if (replaced === undefined) return;
    const over: Statement = { ...replaced, state: 'superseded', heldScopeId: null };
    this.enter(over, replaced.state, 'edited', actor);
  }

  /** The statement that stood until its edited text is placed. */
  #replacedBy({ replacesId }: Statement): Statement | undefined {
    const replaced = replacesId === null ? undefined : this.statements.get(replacesId);
    return replaced !== undefined && isPlaced(replaced.state) ? replaced : undefined;
  }

  /** Records the verdicts of the gates, the question to a person, and the consent that the policy gives. */
  protected decide(before: Statement, after: Statement, outcome: GateOutcome): void {
    for (const verdict of outcome.verdicts) {
      this.record.decide(verdict, before, after, { ruleId: outcome.ruleId });
    }
    const [{ reason } = { reason: 'gates' }] = outcome.verdicts;
    if (outcome.reviewDueHours !== null) {
      this.record.items.open(after, {
        kind: 'gate_a_b',
        reason,
        dueHours: outcome.reviewDueHours,
        targetScopeId: placementScope(this.context, after),
      });
    } else {
      const state = after.state === 'rejected' ? 'rejected' : 'approved';
      this.record.items.close(after.id, 'gate_a_b', { state, reason });
    }
    if (outcome.automaticConsent) this.record.consent(after, after.scopeId, 'granted');
  }
}
