/**
 * The tools of a recall: reads that other operations make too, each within the scopes, the reader, the time, the filters
 * and the operators of the question. A tool is given what to look for and nothing else, so no plan can widen anything.
 */
import type { RecallScope } from './recall-scope.ts';
import type { EvidenceItem } from '../../../domain/answers/evidence.ts';
import { derivedOnly, directOnly, heldWithin } from '../../../domain/answers/recall/narrowing.ts';
import type { RecallPermissions, ToolCall } from '../../../domain/answers/recall/tools.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { queryProblem } from '../../../domain/query/bounds.ts';
import { withQueryOperatorsOf } from '../../../domain/query/inherited.ts';
import { queryOperatorCheck } from '../../../domain/query/match-operators.ts';
import { binds } from '../../../domain/query/parsed-query.ts';
import { parseQuery } from '../../../domain/query/parse-query.ts';
import type { RunTool } from '../../../engine/answers/recall/recall.ts';
import { contentTerms } from '../../../engine/text/analyze.ts';
import type { RequestContext } from '../../operation.ts';
import type { MadeSearch } from '../searching.ts';
import { sourcesOf } from './lineage.ts';
import { foundMessages } from './messages.ts';
import { profileStatements } from './profile.ts';
import { foundStatements } from './statements.ts';

/** The recall switches of a request. */
export interface RecallSwitches {
  readonly sourceExact: boolean;
  readonly sourceSemantic: boolean;
  readonly stableProfile: boolean;
}

/**
 * What the switches let a recall do. Filters by origin are for statements that a search ranks, so that with one no other
 * tool may add anything. A stable profile is built from what is believed now.
 */
export function permissionsOf(
  switches: RecallSwitches,
  { request: { asOf, sourceFilters } }: MadeSearch,
): RecallPermissions {
  const isFiltered = Object.values(sourceFilters).some(
    (filter) => filter !== null && !Array.isArray(filter),
  );
  return {
    sourceExact: switches.sourceExact && !isFiltered,
    sourceSemantic: switches.sourceSemantic && !isFiltered,
    stableProfile: switches.stableProfile && !isFiltered && asOf === null,
    lineage: !isFiltered,
  };
}

/** What the call finds, before the operators of the question. */
function found(
  scope: RecallScope,
  call: ToolCall,
  permissions: RecallPermissions,
): Promise<readonly EvidenceItem[] | null> {
  if (call.tool === 'stable_profile') return profileStatements(scope);
  if (call.tool === 'lineage') {
    const mayReadMessages = permissions.sourceExact || permissions.sourceSemantic;
    return sourcesOf(scope, call.id, mayReadMessages);
  }
  const query = withQueryOperatorsOf(scope.question, call.query);
  if (query.trim() === '' || queryProblem(query) !== null) return Promise.resolve([]);
  switch (call.tool) {
    case 'search':
      return foundStatements(scope, query);
    case 'search_direct':
      return foundStatements(scope, query, directOnly);
    case 'search_derived':
      return foundStatements(scope, query, derivedOnly);
    case 'search_dates':
      return foundStatements(scope, query, heldWithin(call));
    case 'source_exact':
      return foundMessages(scope, query, 'exact');
    case 'source_semantic':
      return foundMessages(scope, query, 'semantic');
  }
}

/** The tools for one question. Whatever they find satisfies its phrases and exclusions. */
export function recallTools(
  context: RequestContext<Caller>,
  made: MadeSearch,
  permissions: RecallPermissions,
  includesQuestions: boolean,
): RunTool {
  const question = parseQuery(made.request.query);
  const hasQueryOperators = question.branches.some(binds);
  const accepts = queryOperatorCheck(question, contentTerms);
  return async (call, signal) => {
    const items = await found(
      { context, made, question, includesQuestions, signal },
      call,
      permissions,
    );
    // Messages of a search were checked as a whole; what is shown of them is an excerpt.
    const isChecked = call.tool === 'source_exact' || call.tool === 'source_semantic';
    if (items === null || !hasQueryOperators || isChecked) return items;
    return items.filter(({ text, type }) => type === 'knowledge' && accepts(text));
  };
}
