/**
 * What a batch of proposals does to the statements that exist: a fold, one proposal after the other, so that
 * the result does not depend on how the proposals were cut into batches. Pure: the caller loads, locks and
 * writes.
 */
import type { TargetLevel } from '../extraction/candidate.ts';
import type { GateOutcome, GateVerdict } from '../governance/gates.ts';
import type { KnowledgeState } from '../governance/visibility.ts';
import { addEvidence, isStricter, mergeUnplaced } from './merge.ts';
import { judge, placementScope, type PlacingContext } from './placing.ts';
import { resolve } from './resolve.ts';
import { corroborationOf, includesSource } from './source.ts';
import { standingOf, type Proposal, type Statement } from './statement.ts';

const CONFLICT_DUE_HOURS = 168;

export interface PlanContext extends PlacingContext {
  readonly newId: () => string;
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
  readonly reason: 'extracted' | 'gates_rerun' | 'document_revised';
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

/** Folds the proposals, in their order, into the statements known of their texts. */
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
 * Runs the gates again over statements that wait to be placed, in their order, under the rules of `context`.
 * Only what the gates now place, or ask a person about for the first time, is carried out: an outcome that
 * rejects, or leaves a statement where it is, changes nothing. `known` holds the statements themselves and
 * those of the same texts.
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

/** The state of the fold. */
class Draft {
  readonly #context: PlanContext;
  readonly #loaded: ReadonlyMap<string, Statement>;
  readonly #statements: Map<string, Statement>;
  /** Ids by text, so that a proposal is compared with the statements of its text only. */
  readonly #byHash = new Map<string, string[]>();
  readonly #outputs: Output[] = [];
  readonly #transitions: Transition[] = [];
  readonly #decisions: Decision[] = [];
  /** By statement and kind: the last word counts. */
  readonly #reviews = new Map<string, Review>();
  readonly #consents: AutomaticConsent[] = [];

  constructor(known: readonly Statement[], context: PlanContext) {
    this.#context = context;
    this.#loaded = new Map(known.map((statement) => [statement.id, statement]));
    this.#statements = new Map(this.#loaded);
    for (const { statementHash, id } of known) this.#index(statementHash, id);
  }

  apply(proposal: Proposal): void {
    const { anchorId } = proposal;
    const resolution = resolve(proposal, this.#ofText(proposal.statementHash));
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

  finish(): Plan {
    const changes = [...this.#statements.values()]
      .map((after) => ({ before: this.#loaded.get(after.id) ?? null, after }))
      .filter(({ before, after }) => before !== after);
    return {
      changes,
      outputs: this.#outputs,
      transitions: this.#transitions,
      decisions: this.#decisions,
      reviews: [...this.#reviews.values()],
      consents: this.#consents,
    };
  }

  #index(statementHash: string, id: string): void {
    const ids = this.#byHash.get(statementHash);
    if (ids === undefined) this.#byHash.set(statementHash, [id]);
    else ids.push(id);
  }

  #ofText(statementHash: string): readonly Statement[] {
    const ids = this.#byHash.get(statementHash) ?? [];
    return ids.flatMap((id) => this.#statements.get(id) ?? []);
  }

  #create(proposal: Proposal, previouslyRefused: boolean): string {
    const { anchorId: _anchor, ...values } = proposal;
    const proposed: Statement = {
      ...values,
      id: this.#context.newId(),
      state: 'proposed',
      verification: 'pending',
      heldScopeId: null,
      corroboration: corroborationOf(proposal.sources),
      previouslyRefused,
      expiresAt: null,
      revalidateAfter: null,
      recordedAt: this.#context.now,
    };
    const { outcome, after } = this.#judge(proposed);
    this.#index(after.statementHash, after.id);
    this.#decide(proposed, after, outcome);
    this.#enter(after, null, 'extracted');
    return after.id;
  }

  #merge(proposal: Proposal, statement: Statement): void {
    if (standingOf(statement.state) === 'placed') {
      const isNew = !includesSource(statement.sources, proposal.sources[0]);
      if (isNew && isStricter(proposal, statement)) {
        this.#review(statement, 'conflict', 'pending', CONFLICT_DUE_HOURS);
      }
      this.#keep(statement, addEvidence(statement, proposal));
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
    this.#enter(after, statement.state, 'gates_rerun');
  }

  #judge(statement: Statement): ReturnType<typeof judge> {
    return judge(this.#context, statement, this.#ofText(statement.statementHash));
  }

  /** Replaces the statement, unless the merge changed nothing: a re-send must not look like a change. */
  #keep(before: Statement, after: Statement): void {
    if (JSON.stringify(before) !== JSON.stringify(after)) this.#statements.set(after.id, after);
  }

  #enter(after: Statement, from: KnowledgeState | null, reason: Transition['reason']): void {
    this.#statements.set(after.id, after);
    const { id: statementId, scopeId, state: to } = after;
    this.#transitions.push({ statementId, scopeId, from, to, reason });
  }

  /** Writes down what the gates decided, who is asked, and the consent that the policy gives. */
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
    });
  }
}
