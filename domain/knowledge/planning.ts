/** The plans of commits: proposals that are folded in, gates that run again, sources that are withdrawn. */
import type { ItemOpening } from '../governance/items.ts';
import { DeskDraft } from './desk-draft.ts';
import { Draft, type Restored } from './draft.ts';
import { ErasureDraft, type Loss } from './erasure-draft.ts';
import type { Actor, Plan, PlanContext } from './plan.ts';
import type { Edit } from './replacement.ts';
import type { OpenItem, RulingResult, RulingContext, Ruling } from './ruling.ts';
import type { Proposal, Statement } from '../statements/statement.ts';
import { SweepDraft, type DueStatement } from './sweep-draft.ts';

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

/** How what a document says has changed. */
export interface Revision {
  /** Ids of statements that it no longer says. */
  readonly withdrawn: readonly string[];
  /** Statements that it says again. */
  readonly restored: readonly Restored[];
}

/**
 * Removes one attester of each withdrawn statement. A statement without an attester is superseded, and the statements
 * that it had updated are reinstated. Adds one attester to each restored statement. `known` holds the statements and
 * those of their subjects and attributes.
 */
export function planRevision(
  { restored, withdrawn }: Revision,
  known: readonly Statement[],
  context: PlanContext,
): Plan {
  const draft = new Draft(known, context);
  for (const id of withdrawn) draft.withdraw(id);
  for (const one of restored) draft.restore(one);
  return draft.finish();
}

/**
 * Plans the changes of statements whose sources were erased. `known` holds them with their remaining attestation, and the
 * statements of their texts, of the texts that they may take, and of their subjects and attributes.
 */
export function planLosses(
  losses: readonly Loss[],
  known: readonly Statement[],
  context: PlanContext,
): Plan {
  const draft = new ErasureDraft(known, context);
  for (const loss of losses) draft.lose(loss);
  return draft.finish();
}

export interface Ruled {
  readonly result: RulingResult;
  /** Has no changes if the ruling was refused or repeats an earlier one. */
  readonly plan: Plan;
}

/**
 * Plans the changes of a ruling on a statement. `actor` is null for a ruling by the clock. `known`
 * holds the statement, those of its text, and those of its subject and attribute. `consents` are the subject's, by
 * scope.
 */
export function planRuling(
  id: string,
  ruling: Ruling,
  known: readonly Statement[],
  context: PlanContext & { readonly consents: RulingContext['consents'] },
  actor: Actor | null,
): Ruled {
  const draft = new DeskDraft(known, context);
  const result = draft.rule(id, ruling, context.consents, actor);
  return { result, plan: draft.finish() };
}

/** Opens the question whether an active statement may move to a wider scope. `known` as for a ruling. */
export function planPromotion(
  id: string,
  target: Pick<ItemOpening, 'targetScopeId' | 'targetLevel'>,
  known: readonly Statement[],
  context: PlanContext,
): Plan {
  const draft = new DeskDraft(known, context);
  draft.askToMove(id, target);
  return draft.finish();
}

/**
 * A curator asks again about a placed statement, and may withhold it meanwhile. `known` as for a ruling. Null where the
 * statement is not placed.
 */
export function planReopening(
  id: string,
  withholds: boolean,
  known: readonly Statement[],
  context: PlanContext,
  actor: Actor,
): Plan | null {
  const draft = new DeskDraft(known, context);
  return draft.reopen(id, withholds, actor) ? draft.finish() : null;
}

/**
 * An attester of the statement takes back what it said. `known` as for a ruling. Null where the state of the statement does not
 * allow it.
 */
export function planTakingBack(
  id: string,
  known: readonly Statement[],
  context: PlanContext,
  actor: Actor,
): Plan | null {
  const draft = new DeskDraft(known, context);
  return draft.takeBack(id, actor) ? draft.finish() : null;
}

/** Plans the changes after the subject denies consent to a place of the statement. `known` as for a ruling. */
export function planDenial(
  id: string,
  targetScopeId: string,
  known: readonly Statement[],
  context: PlanContext,
  actor: Actor,
): Plan {
  const draft = new DeskDraft(known, context);
  draft.denyConsent(id, targetScopeId, actor);
  return draft.finish();
}

/** Puts off the date of a placed statement, to the instant (ISO 8601 UTC) at least. `known` as for a ruling. */
export function planPuttingOff(
  id: string,
  instant: string,
  known: readonly Statement[],
  context: PlanContext,
): Plan {
  const draft = new DeskDraft(known, context);
  draft.putOff(id, instant);
  return draft.finish();
}

/** The subject matter of an edit or a merge by a person. */
export interface Replacing {
  /** The statement that is replaced. */
  readonly id: string;
  readonly item: OpenItem;
  readonly actor: Actor;
}

/**
 * Plans a curator's edit of a statement. `consents` are the subject's, by scope, if the curator also approves the new
 * text; otherwise null. `known` as for a ruling, and the statements of the new text and of its claim. Null if the edit
 * is not possible.
 */
export function planEdit(
  { actor, id, item }: Replacing,
  edit: Edit,
  known: readonly Statement[],
  context: PlanContext & { readonly consents: RulingContext['consents'] | null },
): Plan | null {
  const draft = new DeskDraft(known, context);
  const { consents } = context;
  const approved = consents === null ? null : { consents };
  return draft.edit(id, edit, item, approved, actor) ? draft.finish() : null;
}

/**
 * Plans a curator's merge of a statement into another one. `corroboration` counts the speakers and documents of both.
 * `known` as for a ruling, of both statements. Null if the merge is not possible.
 */
export function planMerge(
  { actor, id, item }: Replacing,
  merger: { readonly intoId: string; readonly corroboration: number },
  known: readonly Statement[],
  context: PlanContext,
): Plan | null {
  const draft = new DeskDraft(known, context);
  return draft.merge(id, merger, item, actor) ? draft.finish() : null;
}

/** The due changes: a plan, and the new state of items that stay open. */
export interface Swept {
  readonly plan: Plan;
  /** Ids of items. */
  readonly escalated: readonly string[];
  readonly pastAgeing: readonly string[];
  /** Ids of questions that nobody answered in time. */
  readonly unanswered: readonly string[];
}

/** Plans the changes of statements that are due at the time of `context`. `known` as for a ruling, of all of them. */
export function planSweep(
  due: readonly DueStatement[],
  known: readonly Statement[],
  context: PlanContext,
): Swept {
  const draft = new SweepDraft(known, context);
  const loaded = new Set(known.map(({ id }) => id));
  // A statement may be erased while the sweep waits for its lock.
  for (const one of due) if (loaded.has(one.id)) draft.sweep(one);
  const { escalated, pastAgeing, since, unanswered } = draft;
  return { plan: { ...draft.finish(), since }, escalated, pastAgeing, unanswered };
}
