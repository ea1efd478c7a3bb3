/**
 * The visibility condition as a Qdrant filter: a hull of its SQL form. For a past instant each governed field
 * is compared with every value the statement ever had. So the filter may let a point through that SQL then
 * refuses, but it stops no point that SQL would let through.
 */
import type { Schemas } from '@qdrant/js-client-rest';
import type { Addressee, Condition } from '../../domain/governance/visibility.ts';
import { MANY } from '../../domain/retrieval/listed.ts';
import { OPEN_STATES } from '../../domain/statements/statement.ts';
import type { SourceFilters } from '../../domain/retrieval/source-filters.ts';
import type {
  QueryOperatorAlternative,
  StatementSearch,
} from '../../domain/retrieval/statement-search.ts';
import { governedField, orMany, principalsOf } from '../access-fields.ts';
import { statementPointId } from './point-id.ts';

/** The part of Qdrant's filter language that is used here. */
export type PointCondition =
  | { readonly key: string; readonly match: { readonly value: string } }
  | { readonly key: string; readonly match: { readonly any: readonly string[] } }
  | {
      readonly key: string;
      readonly range: {
        readonly gt?: number;
        readonly gte?: number;
        readonly lt?: number;
        readonly lte?: number;
      };
    }
  | { readonly is_empty: { readonly key: string } }
  | { readonly has_id: readonly string[] }
  | { readonly has_vector: string }
  | PointFilter;

export interface PointFilter {
  readonly must?: readonly PointCondition[];
  readonly should?: readonly PointCondition[];
  readonly must_not?: readonly PointCondition[];
}

/** Matches no point. An empty `should` would match all. */
const NO_POINT: PointFilter = { must: [{ has_id: [] }] };

export function matches(key: string, value: string): PointCondition {
  return { key, match: { value } };
}

export function matchesAny(key: string, values: readonly string[]): PointCondition {
  return values.length === 0 ? NO_POINT : { key, match: { any: values } };
}

/** Any of the conditions; none of them when there are none. */
export function anyOf(conditions: readonly PointCondition[]): PointFilter {
  return conditions.length === 0 ? NO_POINT : { should: conditions };
}

function admitting(admits: Addressee | null): PointFilter {
  const isWithout: PointCondition = { is_empty: { key: 'audience' } };
  return admits === null
    ? { must: [isWithout] }
    : anyOf([isWithout, matchesAny('audience', principalsOf(admits))]);
}

/** Renders the condition against the values of today, or (`past`) of any time. */
export function renderCondition(condition: Condition, past: boolean): PointFilter {
  if ('all' in condition) return { must: condition.all.map((part) => renderCondition(part, past)) };
  if ('any' in condition) return anyOf(condition.any.map((part) => renderCondition(part, past)));
  switch (condition.field) {
    case 'scope_id':
    case 'state':
    case 'ever_state':
    case 'sensitivity':
    case 'target_level':
      return { must: [matchesAny(governedField(condition.field, past), orMany(condition, past))] };
    case 'subject_peer_id':
      return 'is' in condition
        ? { must: [matches('subject_peer', condition.is)] }
        : { must: [{ is_empty: { key: 'subject_peer' } }] };
    case 'submitting_peer_ids':
      return { must: [matchesAny('submitters', [condition.contains, MANY])] };
    case 'audience':
      return admitting(condition.admits);
    // What is not served is in no index.
    case 'is_served':
      return { must: [] };
    case 'expires_at':
      return { must: [{ key: 'expires_at', range: { gt: Date.parse(condition.nullOrAfter) } }] };
  }
}

function hasAnyId(accountId: string, statementIds: readonly string[]): PointCondition {
  return { has_id: statementIds.map((id) => statementPointId(accountId, id)) };
}

/** The same form whatever the lists hold: they may name hidden statements, and nothing is to depend on those. */
function alternative(
  { onlyIds, exceptIds }: QueryOperatorAlternative,
  accountId: string,
): PointFilter {
  return {
    must: onlyIds === null ? [] : [hasAnyId(accountId, onlyIds)],
    must_not: [hasAnyId(accountId, exceptIds)],
  };
}

function sourceConditions(accountId: string, filters: SourceFilters): PointCondition[] {
  if (filters.sourceDocumentId !== null) return [NO_POINT];
  const conditions: PointCondition[] = [];
  const equal = (key: string, value: string | null): void => {
    if (value !== null) conditions.push(matches(key, value));
  };
  equal('provider', filters.provider);
  equal('model', filters.model);
  equal('pipeline', filters.pipelineVersion);
  if (filters.sourceMessageId !== null) {
    conditions.push(hasAnyId(accountId, filters.sourceStatementIds));
  }
  if (filters.minimumCorroboration !== null) {
    conditions.push({ key: 'corroboration', range: { gte: filters.minimumCorroboration } });
  }
  return conditions;
}

/** The statements that a search may rank. */
export function statementFilter(search: StatementSearch): PointFilter {
  const { accountId, visible, asOf, queryOperators, sourceFilters } = search;
  const must: PointCondition[] = [
    matches('account', accountId),
    matches('unit', 'statement'),
    renderCondition(visible, asOf !== null),
    ...sourceConditions(accountId, sourceFilters),
  ];
  if (search.statesToday !== undefined) must.push(matchesAny('now_state', search.statesToday));
  if (queryOperators !== null)
    must.push(anyOf(queryOperators.map((one) => alternative(one, accountId))));
  if (asOf !== null) {
    const at = Date.parse(asOf);
    must.push({ key: 'believed_from', range: { lte: at } });
    must.push({ key: 'believed_until', range: { gt: at } });
  }
  return { must };
}

/** The statements for everybody about a subject (null: about scopes) and of a kind that are neither refused nor over. */
export function openStatements(
  accountId: string,
  { subjectPeerId, kind }: { readonly subjectPeerId: string | null; readonly kind: string },
): PointFilter {
  return {
    must: [
      matches('account', accountId),
      matches('unit', 'statement'),
      subjectPeerId === null
        ? { is_empty: { key: 'subject_peer' } }
        : matches('subject_peer', subjectPeerId),
      matches('kind', kind),
      { is_empty: { key: 'audience' } },
      matchesAny('now_state', OPEN_STATES),
    ],
  };
}

/** Every point of one kind of unit of an account. */
export function unitFilter(accountId: string, unit: 'statement' | 'message'): PointFilter {
  return { must: [matches('account', accountId), matches('unit', unit)] };
}

const isFilter = (condition: PointCondition): condition is PointFilter =>
  'must' in condition || 'should' in condition || 'must_not' in condition;

/** What must hold for the condition to hold, each by itself. */
function conjuncts(condition: PointCondition): readonly PointCondition[] {
  if (!isFilter(condition)) return [condition];
  const { must = [], must_not: mustNot, should } = flattened(condition);
  const rest = { ...(should && { should }), ...(mustNot && { must_not: mustNot }) };
  return Object.keys(rest).length === 0 ? must : [...must, rest];
}

const flattenedEach = (conditions: readonly PointCondition[]): PointCondition[] =>
  conditions.map((condition) => (isFilter(condition) ? flattened(condition) : condition));

/** The same condition with fewer levels: Qdrant walks them for each point that it compares. */
export function flattened({ must, must_not: mustNot, should }: PointFilter): PointFilter {
  return {
    ...(must && { must: must.flatMap(conjuncts) }),
    ...(should && { should: flattenedEach(should) }),
    ...(mustNot && { must_not: flattenedEach(mustNot) }),
  };
}

/** As Qdrant is asked. Its generated types are mutable and looser; the shapes are the same. */
export function asFilter(filter: PointFilter): Schemas['Filter'] {
  return flattened(filter) as Schemas['Filter'];
}
