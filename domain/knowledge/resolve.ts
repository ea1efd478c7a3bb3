/** Which statement, if any, a proposal belongs to. */
import type { DraftStatements } from './draft-statements.ts';
import { includesSource } from '../statements/attestation.ts';
import { claimsAgree, findParaphrase, type ParaphraseRule } from '../statements/paraphrase.ts';
import type { RefusalRule } from './refusal.ts';
import { submittersOf } from '../statements/source.ts';
import { isReadableBy, placeOf } from '../statements/standing.ts';
import { standingOf, type Proposal, type Statement } from '../statements/statement.ts';

export type Resolution =
  | { readonly effect: 'create'; readonly previouslyRefused: boolean }
  /** Into an open statement that says the same. */
  | { readonly effect: 'merge'; readonly statement: Statement }
  /** The source was used for this statement before it ended or was refused: it says nothing new. */
  | { readonly effect: 'nothing'; readonly statement: Statement };

/**
 * Whether the statement belongs to the proposal's scope. One that was placed in a wider scope still belongs to the
 * scope of its sources, and one placed for the whole account belongs to every proposal for the account.
 */
function isAtScopeOf(statement: Statement, proposal: Proposal): boolean {
  return (
    statement.scopeId === proposal.scopeId ||
    statement.attestation.scopeIds.has(proposal.scopeId) ||
    (statement.targetLevel === 'account' &&
      proposal.targetLevel === 'account' &&
      standingOf(statement.state) === 'placed')
  );
}

export interface ResolveContext {
  /** The rule by which other words say the same; null where only the same words do. */
  readonly paraphrases: ParaphraseRule | null;
  /** The rule by which other words say what was refused; null where only the same words do. */
  readonly refusals: RefusalRule | null;
  /** The ids of a scope's chain, outermost first, by scope id. */
  readonly chains: ReadonlyMap<string, readonly string[]>;
  /** ISO 8601 UTC. */
  readonly now: string;
}

/** Whether all speakers and relays of the proposal can already read the statement, which has other words. */
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
 * Resolves a proposal against the statements known of its text and of its topic. A refusal binds whatever the window,
 * because it refused what a sentence says and not a date, and also its paraphrases; a merge needs the same window. The
 * same words merge, if nothing that says the same was refused or a person let them stand. Other words that say the same
 * merge only into a statement that the speakers and relays of the proposal can read.
 */
export function resolve(
  proposal: Proposal,
  known: DraftStatements,
  context: ResolveContext,
): Resolution {
  const [anchor] = proposal.sources;
  const isHere = (statement: Statement): boolean => isAtScopeOf(statement, proposal);
  const used = ({ attestation }: Statement): boolean => includesSource(attestation, anchor);

  const refused = [
    ...known.refused(proposal),
    ...refusedInOtherWords(proposal, known, context.refusals),
  ].filter(isHere);
  const refusedBefore = refused.find(used);
  if (refusedBefore !== undefined) return { effect: 'nothing', statement: refusedBefore };

  const mayJoin = (statement: Statement): boolean =>
    (used(statement) || isKnownToSpeakers(statement, proposal, context)) &&
    mayTakeWordsOf(proposal, statement, known);
  const same = known.saying(proposal).filter(isHere);
  // A source that is sent or extracted again says nothing new.
  const joined = refused.length === 0 ? same : same.filter((each) => isAllowed(each) || used(each));
  const [inItsWords, inOthers] = [joined.filter(isWorded(proposal)), joined.filter(mayJoin)];
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

/** A person has let the statement stand, or is asked to, knowing that it was refused: more sources change nothing. */
const isAllowed = ({ previouslyRefused, verification }: Statement): boolean =>
  previouslyRefused || verification === 'curator_approved' || verification === 'subject_confirmed';

/** A refusal binds whatever the kind and the window, because it refused what the sentence says. */
function refusedInOtherWords(
  { audience, statementHash, subject, wording }: Proposal,
  known: DraftStatements,
  repeats: RefusalRule | null,
): readonly Statement[] {
  const { text } = wording;
  if (repeats === null || text === null) return [];
  return known.refusedAbout({ audience, subject }).filter((statement) => {
    const refused = statement.wording.text;
    return (
      refused !== null &&
      statement.statementHash !== statementHash &&
      claimsAgree(wording, statement.wording) &&
      repeats(text, refused)
    );
  });
}

/** Whether no other open statement at the statement's scope says what the proposal says: a scope has one at most. */
function mayTakeWordsOf(
  proposal: Proposal,
  { id, scopeId }: Statement,
  known: DraftStatements,
): boolean {
  return !known.isTaken(proposal, scopeId, id);
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
  known: DraftStatements,
  context: ResolveContext,
): Statement | null {
  const { paraphrases } = context;
  const { text } = proposal.wording;
  if (paraphrases === null || text === null || !paraphrases.covers(text)) return null;
  const mayJoin = (statement: Statement): boolean =>
    isAtScopeOf(statement, proposal) &&
    isKnownToSpeakers(statement, proposal, context) &&
    mayTakeWordsOf(proposal, statement, known);
  return findParaphrase(paraphrases, proposal, known.onTopicOf(proposal), mayJoin);
}
