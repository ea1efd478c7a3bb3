/**
 * What both indexes hold of a statement for access decisions, and what each field is called. The values of
 * today serve plain reads; `ever_*` are all values its belief periods had, for reads of the past.
 */
import type { Addressee, Condition } from '../domain/governance/visibility.ts';
import { MANY } from '../domain/retrieval/listed.ts';

export interface AccessFields {
  readonly submitters: readonly string[];
  /** The principals that its audience names, of today; absent without an audience. */
  readonly audience?: readonly string[];
  /** Milliseconds; `believed_until` and `expires_at` are far in the future when they are open. */
  readonly believed_from: number;
  readonly believed_until: number;
  readonly now_state: string;
  readonly now_sensitivity: string;
  readonly now_level: string;
  readonly ever_scope: readonly string[];
  readonly ever_state: readonly string[];
  readonly ever_sensitivity: readonly string[];
  readonly ever_level: readonly string[];
  readonly expires_at: number;
}

type GovernedField = Extract<Condition, { readonly in: unknown }>['field'];

const NOW_FIELDS: Readonly<Record<GovernedField, string>> = {
  scope_id: 'now_scope',
  state: 'now_state',
  ever_state: 'ever_state',
  sensitivity: 'now_sensitivity',
  target_level: 'now_level',
};

const EVER_FIELDS: Readonly<Record<GovernedField, string>> = {
  scope_id: 'ever_scope',
  state: 'ever_state',
  ever_state: 'ever_state',
  sensitivity: 'ever_sensitivity',
  target_level: 'ever_level',
};

/** Values of which a list must hold one: those of the condition and, for the past, `MANY` of too long a list. */
export function orMany(
  condition: Extract<Condition, { readonly in: unknown }>,
  past: boolean,
): readonly string[] {
  const { in: values } = condition;
  return past && values.length > 0 ? [...values, MANY] : values;
}

/** The indexes' field for a governed value of today, or (`past`) of any time. */
export function governedField(field: GovernedField, past: boolean): string {
  return past ? EVER_FIELDS[field] : NOW_FIELDS[field];
}

/** What a list of an audience must hold one of for the reader: what it is, or `MANY` of too long a list. */
export function principalsOf({ memberships, peerId }: Addressee): readonly string[] {
  return [peerId, ...memberships, MANY];
}
