/** Which statement, if any, a proposal belongs to. */
import { includesSource } from './source.ts';
import { sameWindow, standingOf, type Proposal, type Statement } from './statement.ts';

export type Resolution =
  | { readonly effect: 'create'; readonly previouslyRefused: boolean }
  /** Into an open statement of the same claim. */
  | { readonly effect: 'merge'; readonly statement: Statement }
  /** The source was used for this statement before it ended or was refused: it says nothing new. */
  | { readonly effect: 'nothing'; readonly statement: Statement };

/**
 * Whether the statement says the same about the same subject in the proposal's scope. A statement that was
 * placed in a wider scope still belongs to the scope of its sources, and one placed for the whole account
 * is what every proposal for the account is about.
 */
function concerns(statement: Statement, proposal: Proposal): boolean {
  return (
    statement.statementHash === proposal.statementHash &&
    statement.subject.type === proposal.subject.type &&
    statement.subject.id === proposal.subject.id &&
    (statement.scopeId === proposal.scopeId ||
      statement.sources.some((source) => source.scopeId === proposal.scopeId) ||
      (statement.targetLevel === 'account' &&
        proposal.targetLevel === 'account' &&
        standingOf(statement.state) === 'placed'))
  );
}

/**
 * Resolves a proposal against the statements known of its text. A refusal binds whatever the window, since
 * who refused a sentence did not refuse a date; a merge needs the same window.
 */
export function resolve(proposal: Proposal, known: readonly Statement[]): Resolution {
  const [anchor] = proposal.sources;
  const related = known.filter((statement) => concerns(statement, proposal));
  const refused = related.filter(({ state }) => standingOf(state) === 'refused');
  const used = (statement: Statement): boolean => includesSource(statement.sources, anchor);

  const refusedBefore = refused.find(used);
  if (refusedBefore !== undefined) return { effect: 'nothing', statement: refusedBefore };

  const same = related.filter(({ wording }) => sameWindow(wording, proposal.wording));
  const open =
    same.find(({ state }) => standingOf(state) === 'placed') ??
    same.find(({ state }) => standingOf(state) === 'unplaced');
  if (open !== undefined) return { effect: 'merge', statement: open };

  const ended = same.find(
    (statement) => standingOf(statement.state) === 'closed' && used(statement),
  );
  if (ended !== undefined) return { effect: 'nothing', statement: ended };
  return { effect: 'create', previouslyRefused: refused.length > 0 };
}
