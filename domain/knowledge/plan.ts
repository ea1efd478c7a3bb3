/**
 * How a batch of proposals changes the existing statements: a fold, one proposal after the other, so that
 * the result does not depend on how the proposals were cut into batches. Pure: the caller loads, locks and
 * writes.
 */
import type { TargetLevel } from '../extraction/candidate.ts';
import type { GateOutcome, GateVerdict } from '../governance/gates.ts';
import type { KnowledgeState } from '../governance/visibility.ts';
import { DraftStatements } from './draft-statements.ts';
import { includesSource, newAttesters, NO_EVIDENCE, withSources } from './evidence.ts';
import { addEvidence, isStricter, keepEarliest, mergeUnplaced, reworded } from './merge.ts';
import type { ParaphraseRule } from './paraphrase.ts';
import { judge, placementScope, type PlacingContext } from './placing.ts';
import { resolve } from './resolve.ts';
import { isOpen, isSame, standingOf, type Proposal, type Statement } from './statement.ts';
import { withoutUpdate } from './updates.ts';
import { tookEffect, updateStatements, type Updated } from './updating.ts';

const REVIEW_DUE_HOURS = 168;

export interface PlanContext extends PlacingContext {
  readonly newId: () => string;
  /** The rule by which other words say the same; null where only the same words do. */
  readonly paraphrases: ParaphraseRule | null;
}

export interface Change {
  /** Null for a statement that did not exist. */
  readonly before: Statement | null;
  readonly after: Statement;
}

export interface Transition {
  readonly statementId: string;
  readonly scopeId: string;
  readonly from: KnowledgeState | null;
  readonly to: KnowledgeState;
  readonly reason:
    | 'extracted'
    | 'gates_rerun'
    | 'updated'
    | 'reinstated'
    | 'redacted'
    | 'document_revised';
}

export interface Decision extends GateVerdict {
  readonly statementId: string;
  readonly scopeId: string;
  readonly ruleId: string | null;
  readonly from: KnowledgeState;
  readonly to: KnowledgeState;
  readonly level: TargetLevel;
  readonly statementHash: string;
}

export interface Review {
  readonly statementId: string;
  readonly scopeId: string;
  readonly subjectPeerId: string | null;
  readonly kind: 'gate_a_b' | 'conflict';
  /** `pending` opens it; the others close it without a person. */
  readonly state: 'pending' | 'approved' | 'rejected';
  readonly targetScopeId: string | null;
  readonly targetLevel: TargetLevel;
  readonly dueHours: number;
  /** The statements that it contradicts; none for a review of any other reason. */
  readonly conflictIds: readonly string[];
}

export interface AutomaticConsent {
  readonly statementId: string;
  readonly subjectPeerId: string;
  readonly targetScopeId: string;
}

export interface Output {
  readonly anchorId: string;
  readonly statementId: string;
  /** `refused`: the source was used for a statement that ended or was refused, and adds nothing. */
  readonly effect: 'created' | 'merged' | 'refused';
}

export interface Plan {
  /** One for each statement that differs from what was loaded. */
  readonly changes: readonly Change[];
  readonly outputs: readonly Output[];
  readonly transitions: readonly Transition[];
  readonly decisions: readonly Decision[];
  readonly reviews: readonly Review[];
  readonly consents: readonly AutomaticConsent[];
}

/**
 * Folds the proposals, in their order, into the statements known of their texts, and updates what they make outdated.
 * `known` also holds the statements of each subject and attribute that is claimed, or the latest of them.
 */
export function planProposals(
  proposals: readonly Proposal[],
  known: readonly Statement[],
  context: PlanContext,
): Plan {
  const draft = new Draft(known, context);
  for (const proposal of proposals) draft.apply(proposal);
  return draft.finish();
}

/**
 * Runs the gates again over statements that wait to be placed, in their order, under the rules of `context`. It
 * carries out only an outcome that places a statement, or asks a person about it for the first time. An outcome that
 * rejects a statement, or leaves its state, changes nothing. `known` holds the statements themselves, those of the
 * same texts, and those of the same subjects and attributes.
 */
export function planRegate(
  waitingIds: readonly string[],
  known: readonly Statement[],
  context: PlanContext,
): Plan {
  const draft = new Draft(known, context);
  for (const id of waitingIds) draft.regate(id);
  return draft.finish();
}

/**
 * Redacts a statement, from any state; one that is redacted stays as it is. What it had updated is reinstated.
 * `known` holds the statement and those of its subject and attribute.
 */
export function planRedaction(id: string, known: readonly Statement[], context: PlanContext): Plan {
  const draft = new Draft(known, context);
  draft.redact(id);
  return draft.finish();
}

/**
 * Supersedes those of `ids` that are open, or would be open without an update, because nothing attests them any more.
 * What they had updated is reinstated. `known` holds the statements and those of their subjects and attributes.
 */
export function planWithdrawal(
  ids: readonly string[],
  known: readonly Statement[],
  context: PlanContext,
): Plan {
  const draft = new Draft(known, context);
  for (const id of ids) draft.withdraw(id);
  return draft.finish();
}

/** The state of the fold. It works on statements as their gates left them; updates are applied at its end. */
class Draft {
  readonly #context: PlanContext;
  readonly #known: readonly Statement[];
  readonly #statements: DraftStatements;
  readonly #outputs: Output[] = [];
  readonly #transitions: Transition[] = [];
  readonly #decisions: Decision[] = [];
  /** By statement and kind; a later review replaces an earlier one. */
  readonly #reviews = new Map<string, Review>();
  readonly #consents: AutomaticConsent[] = [];

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
      this.#outputs.push({ anchorId, statementId, effect: 'created' });
      return;
    }
    const { statement } = resolution;
    if (resolution.effect === 'merge') this.#merge(proposal, statement);
    const effect = resolution.effect === 'merge' ? 'merged' : 'refused';
    this.#outputs.push({ anchorId, statementId: statement.id, effect });
  }

  regate(id: string): void {
    const statement = this.#statements.get(id);
    if (statement === undefined || standingOf(statement.state) !== 'unplaced') return;
    const { outcome, after } = this.#judge(statement);
    if (after.state === 'rejected' || after.state === statement.state) return;
    this.#decide(statement, after, outcome);
    this.#enter(after, statement.state, 'gates_rerun');
  }

  redact(id: string): void {
    const statement = this.#statements.get(id);
    if (statement === undefined || statement.state === 'redacted') return;
    this.#end(statement, 'redacted', 'redacted');
  }

  withdraw(id: string): void {
    const statement = this.#statements.get(id);
    if (statement === undefined || !isOpen(statement)) return;
    this.#end(statement, 'superseded', 'document_revised');
  }

  finish(): Plan {
    const updated = updateStatements(this.#known, this.#statements.all, this.#context);
    this.#reviewUpdates(updated);
    return {
      changes: updated.changes,
      outputs: this.#outputs,
      transitions: this.#transitionsAround(updated),
      decisions: this.#decisions,
      reviews: [...this.#reviews.values()],
      consents: this.#consents,
    };
  }

  /** Closes reviews of superseded statements, reopens those of reinstated ones, and reviews contradictions. */
  #reviewUpdates({ contradictions, reinstated, superseded }: Updated): void {
    for (const statement of superseded) {
      const isOpen = standingOf(statement.update?.stateBefore ?? statement.state) === 'unplaced';
      if (isOpen) this.#review(statement, 'gate_a_b', 'rejected', 0);
    }
    for (const { id } of reinstated) {
      const statement = this.#statements.get(id);
      if (statement === undefined || standingOf(statement.state) !== 'unplaced') continue;
      this.#review(statement, 'gate_a_b', 'pending', REVIEW_DUE_HOURS);
    }
    for (const contradiction of contradictions) {
      const { olderIds, statement } = contradiction;
      const over = tookEffect(contradiction) ? 'approved' : 'rejected';
      const state = olderIds.length === 0 ? over : 'pending';
      this.#review(statement, 'conflict', state, REVIEW_DUE_HOURS, olderIds);
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
      })),
      ...this.#transitions.filter(({ statementId }) => !remaining.has(statementId)),
      ...superseded.map(({ id, scopeId, update }): Transition => ({
        statementId: id,
        scopeId,
        from: update?.stateBefore ?? null,
        to: 'superseded',
        reason: 'updated',
      })),
    ];
  }

  /** Ends a statement, and closes the review that asks a person whether to place it. */
  #end(statement: Statement, state: KnowledgeState, reason: Transition['reason']): void {
    const after: Statement = { ...statement, state, heldScopeId: null };
    if (standingOf(statement.state) === 'unplaced') this.#review(after, 'gate_a_b', 'rejected', 0);
    this.#enter(after, statement.state, reason);
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
      supersedesId: null,
    };
  }

  /** Whether the gates would place the proposal by itself at the statement's level: then it stands no lower. */
  #isPlaceable(proposal: Proposal, { id, targetLevel }: Statement): boolean {
    const { after } = this.#judge(this.#proposed(proposal, id));
    return after.state === 'active' && after.targetLevel === targetLevel;
  }

  #merge(proposal: Proposal, statement: Statement): void {
    if (standingOf(statement.state) === 'placed') {
      const isNew = !includesSource(statement.evidence, proposal.sources[0]);
      if (isNew && isStricter(proposal, statement)) {
        this.#review(statement, 'conflict', 'pending', REVIEW_DUE_HOURS);
      }
      const attested = addEvidence(statement, proposal);
      const isEqual = this.#isPlaceable(proposal, statement);
      this.#keep(statement, isEqual ? keepEarliest(attested, proposal) : attested);
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

  #judge(statement: Statement): ReturnType<typeof judge> {
    return judge(this.#context, statement, (scopeId) =>
      this.#statements.isTaken(statement, scopeId, statement.id),
    );
  }

  /** Replaces the statement, unless the merge changed nothing: a re-send must not look like a change. */
  #keep(before: Statement, after: Statement): void {
    if (!isSame(before, after)) this.#statements.set(after);
  }

  #enter(after: Statement, from: KnowledgeState | null, reason: Transition['reason']): void {
    this.#statements.set(after);
    const { id: statementId, scopeId, state: to } = after;
    this.#transitions.push({ statementId, scopeId, from, to, reason });
  }

  /** Records the verdicts of the gates, the review that asks a person, and the consent that the policy gives. */
  #decide(before: Statement, after: Statement, outcome: GateOutcome): void {
    for (const verdict of outcome.verdicts) {
      this.#decisions.push({
        ...verdict,
        statementId: after.id,
        scopeId: after.scopeId,
        ruleId: outcome.ruleId,
        from: before.state,
        to: after.state,
        level: after.targetLevel,
        statementHash: after.statementHash,
      });
    }
    if (outcome.reviewDueHours !== null) {
      this.#review(after, 'gate_a_b', 'pending', outcome.reviewDueHours);
    } else if (before.state !== 'proposed') {
      this.#review(after, 'gate_a_b', after.state === 'rejected' ? 'rejected' : 'approved', 0);
    }
    if (outcome.automaticConsent) {
      this.#consents.push({
        statementId: after.id,
        subjectPeerId: after.subject.id,
        targetScopeId: after.scopeId,
      });
    }
  }

  #review(
    statement: Statement,
    kind: Review['kind'],
    state: Review['state'],
    dueHours: number,
    conflictIds: readonly string[] = [],
  ): void {
    this.#reviews.set(`${statement.id}|${kind}`, {
      statementId: statement.id,
      scopeId: statement.scopeId,
      subjectPeerId: statement.subject.type === 'peer' ? statement.subject.id : null,
      kind,
      state,
      targetScopeId: placementScope(this.#context, statement),
      targetLevel: statement.targetLevel,
      dueHours,
      conflictIds,
    });
  }
}
