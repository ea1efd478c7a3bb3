/**
 * The visibility condition as a Meilisearch filter: the same hull as in Qdrant. Every value is quoted; a
 * value is never pasted into an expression in any other way.
 */
import type { Addressee, Condition } from '../../domain/governance/visibility.ts';
import { MANY } from '../../domain/retrieval/listed.ts';
import type { StatementSearch } from '../../domain/retrieval/statement-search.ts';
import { governedField, orMany, principalsOf } from '../access-fields.ts';

/** A value as a literal of the filter language. */
export function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** True for every document, and for none: the language has no literals for them. */
export const EVERY_DOCUMENT = 'account EXISTS';
export const NO_DOCUMENT = 'account NOT EXISTS';

export function isAnyOf(field: string, values: readonly string[]): string {
  return values.length === 0 ? NO_DOCUMENT : `${field} IN [${values.map(quoted).join(', ')}]`;
}

export function joined(parts: readonly string[], glue: string, empty: string): string {
  return parts.length === 0 ? empty : parts.map((part) => `(${part})`).join(` ${glue} `);
}

function admitting(admits: Addressee | null): string {
  const isWithout = 'audience NOT EXISTS';
  if (admits === null) return isWithout;
  return joined([isWithout, isAnyOf('audience', principalsOf(admits))], 'OR', NO_DOCUMENT);
}

/** Renders the condition against the values of today, or (`past`) of any time. */
export function renderCondition(condition: Condition, past: boolean): string {
  if ('all' in condition) {
    return joined(
      condition.all.map((part) => renderCondition(part, past)),
      'AND',
      EVERY_DOCUMENT,
    );
  }
  if ('any' in condition) {
    return joined(
      condition.any.map((part) => renderCondition(part, past)),
      'OR',
      NO_DOCUMENT,
    );
  }
  switch (condition.field) {
    case 'scope_id':
    case 'state':
    case 'ever_state':
    case 'sensitivity':
    case 'target_level':
      return isAnyOf(governedField(condition.field, past), orMany(condition, past));
    case 'subject_peer_id':
      return 'is' in condition ? `subject_peer = ${quoted(condition.is)}` : 'subject_peer IS NULL';
    case 'submitting_peer_ids':
      return isAnyOf('submitters', [condition.contains, MANY]);
    case 'audience':
      return admitting(condition.admits);
    // What is not served is in no index.
    case 'is_served':
      return EVERY_DOCUMENT;
    case 'expires_at':
      return `expires_at > ${Date.parse(condition.nullOrAfter)}`;
  }
}

/** The statements of a search that its access condition may let through. */
export function statementFilter(
  search: Pick<StatementSearch, 'accountId' | 'visible' | 'asOf'> &
    Partial<Pick<StatementSearch, 'sourceFilters'>>,
): string {
  const { accountId, visible, asOf, sourceFilters } = search;
  const parts = [`account = ${quoted(accountId)}`, renderCondition(visible, asOf !== null)];
  if (asOf !== null) {
    const at = Date.parse(asOf);
    parts.push(`believed_from <= ${at}`, `believed_until > ${at}`);
  }
  if (sourceFilters !== undefined && sourceFilters.sourceMessageId !== null) {
    parts.push(isAnyOf('source_id', sourceFilters.sourceStatementIds));
  }
  return joined(parts, 'AND', EVERY_DOCUMENT);
}
