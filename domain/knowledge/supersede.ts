/** The end of statements that nothing attests any more. Pure: the caller loads, locks and writes. */
import type { Change, Plan, Review, Transition } from './plan.ts';
import { standingOf, type Statement } from './statement.ts';

function closedReview(statement: Statement): Review {
  return {
    statementId: statement.id,
    scopeId: statement.scopeId,
    subjectPeerId: statement.subject.type === 'peer' ? statement.subject.id : null,
    kind: 'gate_a_b',
    state: 'rejected',
    targetScopeId: statement.heldScopeId,
    targetLevel: statement.targetLevel,
    dueHours: 0,
  };
}

/** Supersedes those of `ids` that are among `known` and still open; a review that waits for one is closed. */
export function planSupersession(ids: readonly string[], known: readonly Statement[]): Plan {
  const wanted = new Set(ids);
  const open = known.filter(({ id, state }) => {
    const standing = standingOf(state);
    return wanted.has(id) && (standing === 'placed' || standing === 'unplaced');
  });
  const changes = open.map((before): Change => ({
    before,
    after: { ...before, state: 'superseded', heldScopeId: null },
  }));
  const transitions = open.map((statement): Transition => ({
    statementId: statement.id,
    scopeId: statement.scopeId,
    from: statement.state,
    to: 'superseded',
    reason: 'document_revised',
  }));
  // Whoever waits for a person was put before one.
  const asked = open.filter(({ state }) => standingOf(state) === 'unplaced');
  return {
    changes,
    transitions,
    outputs: [],
    decisions: [],
    reviews: asked.map(closedReview),
    consents: [],
  };
}
