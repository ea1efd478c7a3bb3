/**
 * A plan in the making: a fold, one step after the other, so that the result of a batch does not depend on how its
 * proposals were cut into batches. It works on statements as their gates left them; updates are applied at its end.
 */
import { GATE_DUE_HOURS, type ItemOpening } from '../governance/items.ts';
import type { GateOutcome } from '../governance/gates.ts';
import type { KnowledgeState } from '../governance/visibility.ts';
import { DraftStatements } from './draft-statements.ts';
import { includesSource, newAttesters, NO_EVIDENCE, withSources } from './evidence.ts';
import { addEvidence, isStricter, keepEarliest, mergeUnplaced, reworded } from './merge.ts';
import { judge, placementScope } from './placing.ts';
import type { Actor, Change, Plan, PlanContext, Transition, TransitionReason } from './plan.ts';
import { PlanRecord } from './plan-record.ts';
import { resolve } from './resolve.ts';
import { rule, type OpenItem, type Ruling, type RulingContext, type Word } from './ruling.ts';
import {
  isOpen,
  isSame,
  standingOf,
  validUntil,
  type Proposal,
  type Statement,
} from './statement.ts';
import { withoutUpdate } from './updates.ts';
import { tookEffect, updateStatements, type Contradiction, type Updated } from './updating.ts';

const isPlaced = (state: KnowledgeState): boolean => standingOf(state) === 'placed';

const itemOf = (word: Word): OpenItem | null => ('item' in word ? word.item : null);

/** Whether what an open item asks about has changed, though the statement's state has not. */
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

export class Draft {
  readonly #context: PlanContext;
  readonly #known: readonly Statement[];
  readonly #statements: DraftStatements;
  readonly #record = new PlanRecord();

  constructor(known: readonly Statement[], context: PlanContext) {
    this.#context = context;
    this.#known = known;
    this.#statements = new DraftStatements(known.map(withoutUpdate));
  }

  apply(proposal: Proposal): void {
    const { anchorId } = proposal;
    const resolution = resolve(proposal, this.#statements, this.#context);
    if (resolution.effect === 'create') {
      const statementId = this.#create(proposal, resolution.previouslyRefused);
      this.#record.outputs.push({ anchorId, statementId, effect: 'created' });
      return;
    }
    const { statement } = resolution;
    if (resolution.effect === 'merge') this.#merge(proposal, statement);
    const effect = resolution.effect === 'merge' ? 'merged' : 'refused';
    this.#record.outputs.push({ anchorId, statementId: statement.id, effect });
  }

  regate(id: string): void {
    const statement = this.#statements.get(id);
    if (statement === undefined || standingOf(statement.state) !== 'unplaced') return;
    const { outcome, after } = this.#judge(statement);
    if (after.state === 'rejected' || after.state === statement.state) return;
    this.#decide(statement, after, outcome);
    this.#enter(after, statement.state, 'gates_rerun');
  }

  /** Says what the word makes of the statement, and carries it out. */
  rule(id: string, word: Word, consents: RulingContext['consents'], actor: Actor | null): Ruling {
    const actual = this.#known.find((statement) => statement.id === id);
    const statement = this.#statements.get(id);
    if (actual === undefined || statement === undefined) throw new TypeError('not loaded');
    const isTaken = (scopeId: string): boolean => this.#statements.isTaken(statement, scopeId, id);
    const ruling = rule(word, actual, statement, { ...this.#context, consents, isTaken });
    if (ruling.outcome === 'awaits_consent') this.#awaitConsent(word, statement, ruling, actor);
    if (ruling.outcome === 'ruled') this.#follow(word, statement, ruling, actor);
    return ruling;
  }

  /** Asks a curator whether a placed statement may stand in a wider scope. Changes nothing before that. */
  askToMove(id: string, target: Pick<ItemOpening, 'targetScopeId' | 'targetLevel'>): void {
    const statement = this.#statements.get(id);
    if (statement === undefined) throw new TypeError('not loaded');
    const question = { kind: 'gate_b', reason: 'promotion', dueHours: GATE_DUE_HOURS } as const;
    this.#record.items.open(statement, { ...question, ...target });
  }

  /**
   * The subject does not agree to a place. A proposal goes back to peer level, and through the gates. A statement that
   * stands there stays at its scope, for its subject and its submitters. A promotion is over.
   */
  denyConsent(id: string, targetScopeId: string, actor: Actor): void {
    const statement = this.#statements.get(id);
    if (statement === undefined) throw new TypeError('not loaded');
    const reason = 'consent_denied';
    const end = { state: 'rejected', reason, by: actor.peerId } as const;
    const narrowed: Statement = { ...statement, targetLevel: 'peer' };
    const standing = standingOf(statement.state);
    this.#record.items.close(id, 'gate_b', end);
    if (statement.targetLevel === 'peer') return;
    if (standing === 'unplaced') {
      const { outcome, after } = this.#judge(narrowed);
      this.#decide(statement, after, outcome);
      if (after.state === statement.state) this.#keep(statement, after);
      else this.#enter(after, statement.state, reason, actor);
    } else if (standing === 'placed' && statement.scopeId === targetScopeId) {
      const verdict = { gate: 'gate_b', decision: 'reject', reason } as const;
      this.#record.decide(verdict, statement, narrowed, { actor });
      this.#keep(statement, narrowed);
    }
  }

  withdraw(id: string): void {
    const statement = this.#statements.get(id);
    if (statement === undefined || !isOpen(statement)) return;
    const after: Statement = { ...statement, state: 'superseded', heldScopeId: null };
    this.#enter(after, statement.state, 'document_revised');
  }

  finish(): Plan {
    const updated = updateStatements(this.#known, this.#statements.all, this.#context);
    const transitions = this.#transitionsAround(updated);
    this.#reviewUpdates(updated);
    const conflicts = updated.contradictions.map(({ statement }) => statement.id);
    for (const { from, statementId, reason, to } of transitions) {
      // Whether a placed statement is more sensitive stays open while it is placed.
      const staysPlaced = from !== null && isPlaced(from) && isPlaced(to);
      const kept = staysPlaced ? (['conflict'] as const) : [];
      if (from !== null) this.#record.items.closeOthers(statementId, reason, kept);
    }
    return {
      changes: updated.changes,
      outputs: this.#record.outputs,
      transitions,
      decisions: this.#record.decisions,
      openings: this.#record.items.openings,
      closings: this.#record.items.closings,
      revised: [
        ...new Set([
          ...updated.changes.filter(isRevised).map(({ after }) => after.id),
          ...conflicts,
        ]),
      ],
      consents: this.#record.consents,
    };
  }

  #awaitConsent(
    word: Word,
    statement: Statement,
    { targetScopeId }: Extract<Ruling, { outcome: 'awaits_consent' }>,
    actor: Actor | null,
  ): void {
    const verdict = {
      gate: 'gate_b',
      decision: 'await_consent',
      reason: 'consent_missing',
    } as const;
    const itemId = itemOf(word)?.id ?? null;
    this.#record.decide(verdict, statement, statement, { itemId, actor });
    this.#record.consent(statement, targetScopeId, 'pending');
  }

  #follow(
    word: Word,
    before: Statement,
    { after, consentByPolicy, itemState, reason, verdict }: Extract<Ruling, { outcome: 'ruled' }>,
    actor: Actor | null,
  ): void {
    const item = itemOf(word);
    const by = actor?.peerId ?? null;
    if (verdict !== null)
      this.#record.decide(verdict, before, after, { itemId: item?.id ?? null, actor });
    if (after.state === before.state) this.#keep(before, after);
    else this.#enter(after, before.state, reason, actor);
    if (item !== null) {
      this.#record.items.close(
        after.id,
        item.kind,
        { state: itemState, reason, by },
        item.conflictId,
      );
    }
    if (after.state !== before.state) this.#askAbout(after, reason);
    if (consentByPolicy) this.#record.consent(after, after.scopeId, 'granted');
  }

  #askAbout(statement: Statement, reason: string): void {
    this.#record.askAbout(statement, reason, placementScope(this.#context, statement));
  }

  /** Asks again about statements that are reinstated, and about contradictions. */
  #reviewUpdates({ contradictions, reinstated }: Updated): void {
    for (const { id } of reinstated) {
      const statement = this.#statements.get(id);
      if (statement !== undefined) this.#askAbout(statement, 'reinstated');
    }
    for (const contradiction of contradictions) this.#reviewContradiction(contradiction);
  }

  #reviewContradiction(contradiction: Contradiction): void {
    const { ended, olderIds, statement } = contradiction;
    const state = tookEffect(contradiction) ? 'approved' : 'rejected';
    for (const id of ended) {
      this.#record.items.close(
        statement.id,
        'conflict',
        { state, reason: 'contradiction_ended' },
        id,
      );
    }
    for (const conflictId of olderIds) {
      this.#record.items.open(statement, {
        kind: 'conflict',
        reason: 'contradicts_higher_standing',
        dueHours: GATE_DUE_HOURS,
        targetScopeId: placementScope(this.#context, statement),
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
      ...this.#record.transitions.filter(({ statementId }) => !remaining.has(statementId)),
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

  #create(proposal: Proposal, previouslyRefused: boolean): string {
    const proposed = this.#proposed(proposal, this.#context.newId(), previouslyRefused);
    const { outcome, after } = this.#judge(proposed);
    this.#decide(proposed, after, outcome);
    this.#enter(after, null, 'extracted');
    return after.id;
  }

  #proposed(proposal: Proposal, id: string, previouslyRefused = false): Statement {
    const { anchorId: _anchor, sources, ...values } = proposal;
    const evidence = withSources(NO_EVIDENCE, sources);
    return {
      ...values,
      id,
      evidence,
      paraphraseHashes: [],
      state: 'proposed',
      verification: 'pending',
      heldScopeId: null,
      corroboration: newAttesters(NO_EVIDENCE, evidence),
      previouslyRefused,
      expiresAt: null,
      revalidateAfter: null,
      recordedAt: this.#context.now,
      update: null,
      stateBeforeContest: null,
      supersedesId: null,
    };
  }

  /** Whether the gates would place the proposal by itself at the statement's level: then it stands no lower. */
  #isPlaceable(proposal: Proposal, { id, targetLevel }: Statement): boolean {
    const { after } = this.#judge(this.#proposed(proposal, id));
    return after.state === 'active' && after.targetLevel === targetLevel;
  }

  #merge(proposal: Proposal, statement: Statement): void {
    if (isPlaced(statement.state)) {
      this.#attest(proposal, statement);
      return;
    }
    const merged = mergeUnplaced(statement, proposal);
    const { outcome, after } = this.#judge(merged);
    // The same verdict over more evidence is no new decision.
    if (after.state === statement.state) {
      this.#keep(statement, { ...merged, heldScopeId: after.heldScopeId });
      return;
    }
    this.#decide(merged, after, outcome);
    // The proposal that placed it gives it its wording, as if the other sources had come later.
    const isPlacing = after.state === 'active' && this.#isPlaceable(proposal, after);
    this.#enter(isPlacing ? reworded(after, proposal) : after, statement.state, 'gates_rerun');
  }

  /** Adds the proposal to a placed statement as evidence. */
  #attest(proposal: Proposal, statement: Statement): void {
    const isNew = !includesSource(statement.evidence, proposal.sources[0]);
    const isContested = isNew && isStricter(proposal, statement);
    if (isContested) {
      this.#record.items.open(statement, {
        kind: 'conflict',
        reason: 'said_to_be_more_sensitive',
        dueHours: GATE_DUE_HOURS,
        proposedSensitivity: proposal.sensitivity,
      });
    }
    const evidenced = addEvidence(statement, proposal);
    const isEqual = this.#isPlaceable(proposal, statement);
    const attested = isEqual ? keepEarliest(evidenced, proposal) : evidenced;
    if (isNew && !isContested && this.#revalidate(statement, attested)) return;
    this.#keep(statement, attested);
  }

  /**
   * Runs the gates again over a placed statement that waits to be confirmed, because a new source says it too. It is
   * active again, with a new date, where they accept it; else it waits as before, and nothing is decided.
   */
  #revalidate(before: Statement, attested: Statement): boolean {
    const waits = before.state === 'needs_revalidation' || before.state === 'stale';
    const isOver = before.expiresAt !== null && before.expiresAt <= this.#context.now;
    if (!waits || isOver) return false;
    const { outcome, after } = this.#judge(attested);
    if (after.state !== 'active') return false;
    this.#decide(before, after, outcome);
    this.#enter(after, before.state, 'gates_rerun');
    return true;
  }

  #judge(statement: Statement): ReturnType<typeof judge> {
    return judge(this.#context, statement, (scopeId) =>
      this.#statements.isTaken(statement, scopeId, statement.id),
    );
  }

  /** Replaces the statement, unless the merge changed nothing: a re-send must not look like a change. */
  #keep(before: Statement, after: Statement): void {
    if (!isSame(before, after)) this.#statements.set(after);
  }

  #enter(
    after: Statement,
    from: KnowledgeState | null,
    reason: TransitionReason,
    actor: Actor | null = null,
  ): void {
    this.#statements.set(after);
    this.#record.enter(after, from, reason, actor);
  }

  /** Records the verdicts of the gates, the question to a person, and the consent that the policy gives. */
  #decide(before: Statement, after: Statement, outcome: GateOutcome): void {
    for (const verdict of outcome.verdicts) {
      this.#record.decide(verdict, before, after, { ruleId: outcome.ruleId });
    }
    const [{ reason } = { reason: 'gates' }] = outcome.verdicts;
    if (outcome.reviewDueHours !== null) {
      this.#record.items.open(after, {
        kind: 'gate_a_b',
        reason,
        dueHours: outcome.reviewDueHours,
        targetScopeId: placementScope(this.#context, after),
      });
    } else {
      const state = after.state === 'rejected' ? 'rejected' : 'approved';
      this.#record.items.close(after.id, 'gate_a_b', { state, reason });
    }
    if (outcome.automaticConsent) this.#record.consent(after, after.scopeId, 'granted');
  }
}
