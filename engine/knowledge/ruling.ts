/** Turns what a person decides about a statement into the rows of its commit. */
import { v7 as uuidv7 } from 'uuid';
import type { ItemOpening } from '../../domain/governance/items.ts';
import type { Actor, Plan } from '../../domain/knowledge/plan.ts';
import {
  planDenial,
  planEdit,
  planMerge,
  planPromotion,
  planPuttingOff,
  planReopening,
  planRuling,
  planTakingBack,
  type Replacing,
} from '../../domain/knowledge/planning.ts';
import type { Edit } from '../../domain/knowledge/replacement.ts';
import type { OpenItem, RulingResult, Ruling } from '../../domain/knowledge/ruling.ts';
import type { CommitWork } from '../../stores/postgres/knowledge/commit.store.ts';
import type { DeskState } from '../../stores/postgres/knowledge/desk.store.ts';
import type { ItemRow } from '../../stores/postgres/knowledge/reviews.store.ts';
import { planContext } from './context.ts';
import { commitRows } from './rows.ts';

/** Dirty marks that exist stay in their mailbox; the few new ones of a person's work need no spreading over shards. */
export const DESK_SHARD = 0;

/** The item as a ruling reads it. */
export function openItemOf(item: ItemRow): OpenItem {
  return {
    id: item.id,
    kind: item.kind,
    conflictId: item.conflict_knowledge_id,
    targetScopeId: item.target_scope_id,
    targetLevel: item.target_level,
    proposedSensitivity: item.proposed_sensitivity,
  };
}

const newId = () => uuidv7();

const contextOf = (state: DeskState) => ({
  ...planContext(state.scopes, state, newId),
  consents: state.consents,
});

/** The rows that carry out a plan of the desk. */
const workOf = (plan: Plan, { now }: DeskState): CommitWork =>
  commitRows(plan, [], { shard: DESK_SHARD, now, newId, batchOf: () => null });

/** A curator edits the statement. `approve`: the curator also says yes to the new text. Null where that cannot be. */
export function editOf(
  state: DeskState,
  replacing: Replacing,
  edit: Edit,
  approve: boolean,
): CommitWork | null {
  // The subject was asked about the old text, not about the new one.
  const consents = approve ? new Map() : null;
  const plan = planEdit(replacing, edit, state.statements, { ...contextOf(state), consents });
  return plan === null ? null : workOf(plan, state);
}

/**
 * A curator merges the statement into another one. `corroboration` counts the speakers and documents of both. Null where
 * that cannot be.
 */
export function mergerOf(
  state: DeskState,
  replacing: Replacing,
  merger: { readonly intoId: string; readonly corroboration: number },
): CommitWork | null {
  const plan = planMerge(replacing, merger, state.statements, contextOf(state));
  return plan === null ? null : workOf(plan, state);
}

/** `work` has no changes where the ruling was refused, or given before. `actor` is null for what the clock decides. */
export function ruleOn(
  state: DeskState,
  statementId: string,
  ruling: Ruling,
  actor: Actor | null,
): { readonly result: RulingResult; readonly work: CommitWork } {
  const { statements } = state;
  const { plan, result } = planRuling(statementId, ruling, statements, contextOf(state), actor);
  return { result, work: workOf(plan, state) };
}

/** The item that asks whether the statement may move to the scope. */
export function promotionOf(
  state: DeskState,
  statementId: string,
  target: Pick<ItemOpening, 'targetScopeId' | 'targetLevel'>,
): CommitWork {
  return workOf(planPromotion(statementId, target, state.statements, contextOf(state)), state);
}

/** A curator asks again about the statement. Null where it is not placed. */
export function reopeningOf(
  state: DeskState,
  statementId: string,
  withholds: boolean,
  actor: Actor,
): CommitWork | null {
  const { statements } = state;
  const plan = planReopening(statementId, withholds, statements, contextOf(state), actor);
  return plan === null ? null : workOf(plan, state);
}

/** An attester takes back what it said. Null where the state of the statement does not allow it. */
export function takingBackOf(
  state: DeskState,
  statementId: string,
  actor: Actor,
): CommitWork | null {
  const plan = planTakingBack(statementId, state.statements, contextOf(state), actor);
  return plan === null ? null : workOf(plan, state);
}

/** Puts off the date by which somebody should look at the statement, to the instant at least. */
export function puttingOffOf(state: DeskState, statementId: string, instant: string): CommitWork {
  return workOf(planPuttingOff(statementId, instant, state.statements, contextOf(state)), state);
}

/** The subject does not agree that the statement stands in the scope. */
export function denialOf(
  state: DeskState,
  statementId: string,
  targetScopeId: string,
  actor: Actor,
): CommitWork {
  const context = contextOf(state);
  return workOf(planDenial(statementId, targetScopeId, state.statements, context, actor), state);
}
