/**
 * Which conditions of the visibility predicate fail for one statement. The predicate is data (`visibility.ts`); whether a
 * single condition holds, SQL says.
 */
import type { Condition } from '../governance/visibility.ts';

export type FieldCondition = Extract<Condition, { readonly field: string }>;

export const CONDITION_FIELDS = [
  'expires_at',
  'scope_id',
  'state',
  'ever_state',
  'sensitivity',
  'target_level',
  'subject_peer_id',
  'submitting_peer_ids',
  'audience',
  'is_served',
  /** The predicate lets nobody through. */
  'nobody',
] as const satisfies readonly (FieldCondition['field'] | 'nobody')[];
export type ConditionField = (typeof CONDITION_FIELDS)[number];

/** The single conditions of a predicate, from left to right. */
export function fieldConditions(condition: Condition): readonly FieldCondition[] {
  if ('all' in condition) return condition.all.flatMap(fieldConditions);
  if ('any' in condition) return condition.any.flatMap(fieldConditions);
  return [condition];
}

type Holds = (condition: FieldCondition) => boolean;

function failuresOfAny(
  alternatives: readonly Condition[],
  holds: Holds,
): readonly ConditionField[] {
  if (alternatives.length === 0) return ['nobody'];
  const failures = alternatives.map((one) => failuresOf(one, holds));
  if (failures.some((each) => each.length === 0)) return [];
  const byState = alternatives.map((one) =>
    'all' in one ? one.all.find((part) => 'field' in part && part.field === 'state') : undefined,
  );
  if (byState.every((state) => state === undefined)) return failures.flat();
  // Of alternatives for different states, those for the state that the statement has say why it is not shown.
  const meant = failures.filter((_, at) => {
    const state = byState[at];
    return state !== undefined && failuresOf(state, holds).length === 0;
  });
  return meant.length === 0 ? ['state'] : meant.flat();
}

function failuresOf(condition: Condition, holds: Holds): readonly ConditionField[] {
  if ('all' in condition) return condition.all.flatMap((part) => failuresOf(part, holds));
  if ('any' in condition) return failuresOfAny(condition.any, holds);
  return holds(condition) ? [] : [condition.field];
}

/**
 * The fields of the conditions that would have to hold, and do not, each once; none when the predicate lets the statement
 * through. `truths` are those of `fieldConditions`, in its order.
 */
export function failedConditions(
  condition: Condition,
  truths: readonly boolean[],
): readonly ConditionField[] {
  const known = new Map(fieldConditions(condition).map((one, at) => [one, truths[at] === true]));
  return [...new Set(failuresOf(condition, (one) => known.get(one) === true))];
}
