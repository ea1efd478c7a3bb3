/**
 * Builds the plan of a batch by a fold over its proposals. The result therefore does not depend on how the proposals
 * were cut into batches.
 */
import { GATE_DUE_HOURS } from '../governance/items.ts';
import {
  includesSource,
  newAttesters,
  NO_ATTESTATION,
  withSources,
} from '../statements/attestation.ts';
import { addSources, isStricter, keepEarliest, mergeUnplaced, reworded } from './merge.ts';
import { PlanDraft } from './plan-draft.ts';
import { resolve } from './resolve.ts';
import { isOpen, standingOf, type Proposal, type Statement } from '../statements/statement.ts';

/** A statement that a document says again. */
export interface Restored {
  readonly id: string;
  /** Whether it ended because its document no longer states it. */
  readonly wasRevised: boolean;
}

/** Proposals that are folded in, gates that run again, sources that are withdrawn or restored. */
export class Draft extends PlanDraft {
  apply(proposal: Proposal): void {
    const { anchorId } = proposal;
    const resolution = resolve(proposal, this.statements, this.context);
    if (resolution.effect === 'create') {
      const statementId = this.#create(proposal, resolution.previouslyRefused);
      this.record.outputs.push({ anchorId, statementId, effect: 'created' });
      return;
    }
    const { statement } = resolution;
    if (resolution.effect === 'merge') this.#merge(proposal, statement);
    const effect = resolution.effect === 'merge' ? 'merged' : 'refused';
    this.record.outputs.push({ anchorId, statementId: statement.id, effect });
  }

  regate(id: string): void {
    const statement = this.statements.get(id);
    if (statement === undefined || standingOf(statement.state) !== 'unplaced') return;
    const { outcome, after } = this.judge(statement);
    if (after.state === 'rejected' || after.state === statement.state) return;
    this.decide(statement, after, outcome);
    this.enter(after, statement.state, 'gates_rerun');
  }

  /**
   * Removes one attester. A statement without another attester is superseded. A statement that the gates placed and
   * that no longer meets its rule waits for a person to confirm it.
   */
  withdraw(id: string): void {
    const statement = this.statements.get(id);
    if (statement === undefined) return;
    const left: Statement = {
      ...statement,
      corroboration: Math.max(0, statement.corroboration - 1),
    };
    if (left.corroboration === 0 && isOpen(statement)) {
      const after: Statement = { ...left, state: 'superseded', heldScopeId: null };
      this.enter(after, statement.state, 'document_revised');
    } else if (!this.doubt(statement, left)) this.keep(statement, left);
  }

  /**
   * Restores one attester. If the statement had ended because it had none, the gates decide again, unless another
   * statement at its place now says the same.
   */
  restore({ id, wasRevised }: Restored): void {
    const statement = this.statements.get(id);
    if (statement === undefined) return;
    const said: Statement = { ...statement, corroboration: statement.corroboration + 1 };
    const again: Statement = { ...said, state: 'proposed', verification: 'pending' };
    if (!wasRevised || this.isTaken(again, again.scopeId)) {
      this.keep(statement, said);
      return;
    }
    const { outcome, after } = this.judge(again);
    this.decide(again, after, outcome);
    this.enter(after, statement.state, 'reinstated');
  }

  #create(proposal: Proposal, previouslyRefused: boolean): string {
    const proposed = this.#proposed(proposal, this.context.newId(), previouslyRefused);
    const { outcome, after } = this.judge(proposed);
    this.decide(proposed, after, outcome);
    this.enter(after, null, 'extracted');
    return after.id;
  }

  #proposed(proposal: Proposal, id: string, previouslyRefused = false): Statement {
    const { anchorId: _anchor, sources, ...values } = proposal;
    const attestation = withSources(NO_ATTESTATION, sources);
    return {
      ...values,
      id,
      attestation,
      paraphraseHashes: [],
      state: 'proposed',
      verification: 'pending',
      heldScopeId: null,
      corroboration: newAttesters(NO_ATTESTATION, attestation),
      previouslyRefused,
      isWithheld: false,
      expiresAt: null,
      revalidateAfter: null,
      recordedAt: this.context.now,
      update: null,
      stateBeforeContest: null,
      supersedesId: null,
      derivationLevel: 1,
      replacesId: null,
      mergedIntoId: null,
    };
  }

  /** Whether the gates would place the proposal by itself at the statement's level: then it stands no lower. */
  #isPlaceable(proposal: Proposal, { id, targetLevel }: Statement): boolean {
    const { after } = this.judge(this.#proposed(proposal, id));
    return after.state === 'active' && after.targetLevel === targetLevel;
  }

  #merge(proposal: Proposal, statement: Statement): void {
    if (statement.isWithheld) {
      // It is what a curator doubted, whoever says it again.
      this.keep(statement, addSources(statement, proposal));
      return;
    }
    if (standingOf(statement.state) === 'placed') {
      this.#attest(proposal, statement);
      return;
    }
    const merged = mergeUnplaced(statement, proposal);
    const { outcome, after } = this.judge(merged);
    // The same verdict over more sources is no new decision.
    if (after.state === statement.state) {
      this.keep(statement, { ...merged, heldScopeId: after.heldScopeId });
      return;
    }
    this.decide(merged, after, outcome);
    // The proposal that placed it gives it its wording, as if the other sources had come later.
    const isPlacing = after.state === 'active' && this.#isPlaceable(proposal, after);
    this.enter(isPlacing ? reworded(after, proposal) : after, statement.state, 'gates_rerun');
  }

  /** Adds the sources of the proposal to a placed statement. */
  #attest(proposal: Proposal, statement: Statement): void {
    const isNew = !includesSource(statement.attestation, proposal.sources[0]);
    const isContested = isNew && isStricter(proposal, statement);
    if (isContested) {
      this.record.items.open(statement, {
        kind: 'conflict',
        reason: 'said_to_be_more_sensitive',
        dueHours: GATE_DUE_HOURS,
        proposedSensitivity: proposal.sensitivity,
      });
    }
    const added = addSources(statement, proposal);
    // Whichever of two ways to say it came first, the surer one counts.
    const isSurer = isNew && proposal.confidence > statement.confidence;
    const extended = isSurer ? { ...added, confidence: proposal.confidence } : added;
    const isEqual = this.#isPlaceable(proposal, statement);
    const attested = isEqual ? keepEarliest(extended, proposal) : extended;
    if (isNew && !isContested && this.revalidate(statement, attested)) return;
    this.keep(statement, attested);
  }
}
