/** Which statement, if any, a proposal belongs to. */
import { findParaphrase, type ParaphraseRule } from './paraphrase.ts';
import { includesSource, submittersOf } from './source.ts';
import { isReadableBy, placeOf } from './standing.ts';
import { holdsClaim, sameWindow, standingOf, type Proposal, type Statement } from './statement.ts';

export type Resolution =
  | { readonly effect: 'create'; readonly previouslyRefused: boolean }
  /** Into an open statement of the same claim. */
  | { readonly effect: 'merge'; readonly statement: Statement }
  /** The source was used for this statement before it ended or was refused: it says nothing new. */
  | { readonly effect: 'nothing'; readonly statement: Statement };

/**
 * Whether the statement belongs to the proposal's scope. One that was placed in a wider scope still belongs to the
 * scope of its sources, and one placed for the whole account is what every proposal for the account is about.
 */
function isAtScopeOf(statement: Statement, proposal: Proposal): boolean {
  return (
    statement.scopeId === proposal.scopeId ||
    statement.sources.some((source) => source.scopeId === proposal.scopeId) ||
    (statement.targetLevel === 'account' &&
      proposal.targetLevel === 'account' &&
      standingOf(statement.state) === 'placed')
  );
}

/** Whether the statement says, or was once told to say, the same about the same subject in the proposal's scope. */
function concerns(statement: Statement, proposal: Proposal): boolean {
  const { paraphraseHashes, statementHash, subject } = statement;
  return (
    (statementHash === proposal.statementHash ||
      paraphraseHashes.includes(proposal.statementHash)) &&
    subject.type === proposal.subject.type &&
    subject.id === proposal.subject.id &&
    isAtScopeOf(statement, proposal)
  );
}

export interface ResolveContext {
  /** How other words are told to say the same; null where only the same words do. */
  readonly paraphrases: ParaphraseRule | null;
  /** The paths of a scope's chain, outermost first, by scope id. */
  readonly chains: ReadonlyMap<string, readonly string[]>;
  /** ISO 8601 UTC. */
  readonly now: string;
}

/** Whether every speaker and relay of the proposal can already read the statement, whose words are not theirs. */
function isKnownToSpeakers(
  statement: Statement,
  proposal: Proposal,
  { chains, now }: ResolveContext,
): boolean {
  return (
    (statement.expiresAt === null || statement.expiresAt > now) &&
    placeOf(statement.scopeId, proposal.scopeId, chains) === 'within' &&
    isReadableBy(statement, submittersOf(proposal.sources))
  );
}

/**
 * Resolves a proposal against the statements known of its text and of its subject. A refusal binds whatever the
 * window, since who refused a sentence did not refuse a date; a merge needs the same window. The same words merge
 * always, other words that say the same only into what their speakers can read.
 */
export function resolve(
  proposal: Proposal,
  known: readonly Statement[],
  context: ResolveContext,
): Resolution {
  const [anchor] = proposal.sources;
  const related = known.filter((statement) => concerns(statement, proposal));
  const refused = related.filter(({ state }) => standingOf(state) === 'refused');
  const used = (statement: Statement): boolean => includesSource(statement.sources, anchor);

  const refusedBefore = refused.find(used);
  if (refusedBefore !== undefined) return { effect: 'nothing', statement: refusedBefore };

  const mayJoin = (statement: Statement): boolean =>
    (used(statement) || isKnownToSpeakers(statement, proposal, context)) &&
    mayTakeWordsOf(proposal, statement, known);
  const same = related.filter(({ wording }) => sameWindow(wording, proposal.wording));
  const [inItsWords, inOthers] = [same.filter(isWorded(proposal)), same.filter(mayJoin)];
  const open = openAmong(inItsWords) ?? openAmong(inOthers);
  if (open !== undefined) return { effect: 'merge', statement: open };

  const ended = same.find(
    (statement) => standingOf(statement.state) === 'closed' && used(statement),
  );
  if (ended !== undefined) return { effect: 'nothing', statement: ended };
  if (refused.length > 0) return { effect: 'create', previouslyRefused: true };
  const alike = paraphraseOf(proposal, known, context);
  return alike === null
    ? { effect: 'create', previouslyRefused: false }
    : { effect: 'merge', statement: alike };
}

/** Whether the proposal's words are nobody else's where the statement stands: there is one open statement of a text. */
function mayTakeWordsOf(
  proposal: Proposal,
  statement: Statement,
  known: readonly Statement[],
): boolean {
  return !known.some(
    (other) => other.id !== statement.id && holdsClaim(other, proposal, statement.scopeId),
  );
}

const isWorded =
  ({ statementHash }: Proposal) =>
  (statement: Statement): boolean =>
    statement.statementHash === statementHash;

function openAmong(statements: readonly Statement[]): Statement | undefined {
  return (
    statements.find(({ state }) => standingOf(state) === 'placed') ??
    statements.find(({ state }) => standingOf(state) === 'unplaced')
  );
}

function paraphraseOf(
  proposal: Proposal,
  known: readonly Statement[],
  context: ResolveContext,
): Statement | null {
  if (context.paraphrases === null) return null;
  const readable = known.filter(
    (statement) =>
      isAtScopeOf(statement, proposal) &&
      isKnownToSpeakers(statement, proposal, context) &&
      mayTakeWordsOf(proposal, statement, known),
  );
  return findParaphrase(context.paraphrases, proposal, readable);
}
