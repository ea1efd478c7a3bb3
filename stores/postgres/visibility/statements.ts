/** The one SQL form of the visibility predicate of statements. */
import { sql, type FragmentSqlToken, type IdentifierSqlToken } from 'slonik';
import type { Condition } from '../../../domain/governance/visibility.ts';
import { isNoneOfErasing, isNotErasing } from './erasing.ts';

const column = (alias: string, name: string) => sql.identifier([alias, name]);

/** The statements that a query looks at, where it names all of them. */
export interface LookedAt {
  readonly accountId: string;
  readonly ids: readonly string[];
}

/**
 * The predicate as a boolean SQL expression over two aliases: `k`, the `knowledge` row, for what is judged as
 * of today (subject, submitters, expiry), and `values`, for what belief says (scope, state, sensitivity,
 * level). Both are the same row unless a past belief is read. `lookedAt` bounds what is read for it.
 */
export function renderVisibility(
  condition: Condition,
  k = 'k',
  values = k,
  lookedAt: LookedAt | null = null,
): FragmentSqlToken {
  const render = (part: Condition) => renderVisibility(part, k, values, lookedAt);
  if ('all' in condition) {
    return joined(condition.all.map(render), sql.fragment` and `, sql.fragment`true`);
  }
  if ('any' in condition) {
    return joined(condition.any.map(render), sql.fragment` or `, sql.fragment`false`);
  }
  return condition.field === 'submitting_peer_ids'
    ? isSubmittedBy(condition.contains, k, lookedAt)
    : renderColumn(condition, k, values);
}

type OfColumn = Exclude<
  Extract<Condition, { readonly field: string }>,
  { readonly field: 'submitting_peer_ids' }
>;

function renderColumn(condition: OfColumn, k: string, values: string): FragmentSqlToken {
  switch (condition.field) {
    case 'scope_id':
      return sql.fragment`${column(values, 'scope_id')} = any(${sql.array(condition.in, 'uuid')})`;
    case 'state':
      return anyOf(values, 'state', 'knowledge_state', condition.in);
    case 'ever_state':
      return sql.fragment`exists (
        select from belief_periods past
        where past.account_id = ${column(k, 'account_id')}
          and past.knowledge_id = ${column(k, 'id')}
          and ${anyOf('past', 'state', 'knowledge_state', condition.in)})`;
    case 'sensitivity':
      return anyOf(values, 'sensitivity', 'sensitivity', condition.in);
    case 'target_level':
      return anyOf(values, 'target_level', 'target_level', condition.in);
    case 'subject_peer_id':
      return 'is' in condition
        ? sql.fragment`${column(k, 'subject_peer_id')} is not distinct from ${condition.is}::uuid`
        : sql.fragment`${column(k, 'subject_peer_id')} is null`;
    case 'audience':
      return isAdmitted(condition.admits, column(k, 'account_id'), [
        column(k, 'audience_id'),
        ...(values === k ? [] : [column(values, 'audience_id')]),
      ]);
    case 'is_served':
      return sql.fragment`${column(k, 'is_served')}`;
    case 'expires_at':
      return sql.fragment`(${column(k, 'expires_at')} is null
        or ${column(k, 'expires_at')} > ${condition.nullOrAfter}::timestamptz)`;
  }
}

/** Whether each of the audiences, of today and of a past belief, names the reader; null is no audience. */
function isAdmitted(
  reader: { readonly peerId: string } | null,
  accountId: FragmentSqlToken | IdentifierSqlToken,
  audienceIds: readonly IdentifierSqlToken[],
): FragmentSqlToken {
  const each = audienceIds.map((id) =>
    reader === null
      ? sql.fragment`${id} is null`
      : sql.fragment`(${id} is null or is_addressed(${accountId}, ${id}, ${reader.peerId}::uuid))`,
  );
  return sql.fragment`(${sql.join(each, sql.fragment` and `)})`;
}

function anyOf(
  alias: string,
  name: string,
  type: string,
  words: readonly string[],
): FragmentSqlToken {
  return sql.fragment`${column(alias, name)}
    = any(${sql.array(words, 'text')}::${sql.identifier([type])}[])`;
}

function joined(
  parts: readonly FragmentSqlToken[],
  glue: FragmentSqlToken,
  empty: FragmentSqlToken,
): FragmentSqlToken {
  return parts.length === 0 ? empty : sql.fragment`(${sql.join(parts, glue)})`;
}

/**
 * Whether the peer submitted it. Of many statements the planner makes one look: at all that the peer ever submitted,
 * unless the query says which statements it looks at.
 */
function isSubmittedBy(peerId: string, k: string, lookedAt: LookedAt | null): FragmentSqlToken {
  return lookedAt === null
    ? sql.fragment`exists (
        select from knowledge_submitters submitter
        where submitter.account_id = ${column(k, 'account_id')}
          and submitter.knowledge_id = ${column(k, 'id')}
          and submitter.peer_id = ${peerId}::uuid)`
    : sql.fragment`${column(k, 'id')} in (
        select submitter.knowledge_id from knowledge_submitters submitter
        where submitter.account_id = ${lookedAt.accountId}::uuid
          and submitter.knowledge_id = any(${sql.array(lookedAt.ids, 'uuid')})
          and submitter.peer_id = ${peerId}::uuid)`;
}

/**
 * The predicate, and the condition that the subject is not being erased. From the request for an erasure on, no read
 * returns statements about that person.
 */
export function renderReadable(condition: Condition, k = 'k', values = k): FragmentSqlToken {
  const isPresent = isNotErasing(
    sql.fragment`${column(k, 'account_id')}`,
    sql.fragment`${column(k, 'subject_peer_id')}`,
  );
  return sql.fragment`(${renderVisibility(condition, k, values)} and ${isPresent})`;
}

/** `renderReadable` for a query that looks at thousands of statements of the account. */
export function renderReadableOfMany(
  condition: Condition,
  accountId: string,
  k = 'k',
): FragmentSqlToken {
  const subject = sql.fragment`${column(k, 'subject_peer_id')}`;
  const isPresent = isNoneOfErasing(sql.fragment`${accountId}::uuid`, subject);
  return sql.fragment`(${renderVisibility(condition, k)} and ${isPresent})`;
}
