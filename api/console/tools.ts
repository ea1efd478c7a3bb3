/** The tools of models at the hands of a person: as their door declares them, and run as it runs them. */
import type { RunAtHand, ToolCard } from '../../console/design/page.ts';
import { isAccountAdmin, isMemberSomewhere, type Caller } from '../../domain/identity/caller.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Operation, RequestContext } from '../../operations/operation.ts';
import type { OperationName, OperationTable } from '../../operations/registry.ts';
import type { Log } from '../../engine/logging/logger.ts';
import type { Bounds } from '../bounds.ts';
import type { ApiContext } from '../context.ts';
import { listTools } from '../mcp/listing.ts';
import { errorResult, type ToolResult } from '../mcp/result.ts';
import { runTool } from '../mcp/run-tool.ts';
import { TOOLS } from '../mcp/tools.ts';
import { waitForPace } from '../middleware/request-pace.ts';
import { refusalFor } from '../refusing.ts';
import { UNITS_OF_REQUEST } from '../request-pace.ts';

/** Why a person may not call the operation; null where the operation itself is to say. */
function whyNot({ access, id }: Operation, caller: Caller): string | null {
  if (access === 'account_admin' && !isAccountAdmin(caller)) {
    return 'Only administrators of the account may call it.';
  }
  if (id === 'observation.ingest' && !isMemberSomewhere(caller)) {
    return 'To record something you must be a member of a scope, and you are none of any. An administrator can make you one.';
  }
  return null;
}

/** The tools as `tools/list` shows them to clients, each with why the caller may not call it. */
export function toolCards(operations: OperationTable): (caller: Caller) => readonly ToolCard[] {
  let listed: ReturnType<typeof listTools> | null = null;
  return (caller) => {
    // Made once, when somebody first looks.
    listed ??= listTools(TOOLS, operations);
    const all = listed;
    return TOOLS.flatMap((tool, at) => {
      const of = all[at];
      if (of === undefined) return [];
      const { description, inputSchema, name, title } = of;
      const operation = operations[tool.operation];
      const usual = tool.needsOneOf?.slice(0, 1) ?? [];
      const reads = operation.effect === 'read';
      const card = { name, title, description, inputSchema, usual, reads };
      return [{ ...card, whyNot: whyNot(operation, caller) }];
    });
  };
}

interface Running {
  readonly operations: OperationTable;
  readonly log: Log;
  readonly clock: () => Date;
}

/**
 * Runs a tool by its name as the person of the request. `calls` are the operations that the page may call. Throws
 * `unauthorized` once the session has ended; any other refusal is a result.
 */
export function toolRunner(
  ctx: ApiContext,
  context: RequestContext,
  running: Running,
  { requests }: Bounds,
  calls: readonly OperationName[],
): RunAtHand {
  return async (name, given) => {
    const tool = TOOLS.find((one) => one.name === name);
    if (tool === undefined) throw new Refusal('not_found');
    if (!calls.includes(tool.operation)) {
      throw new TypeError('a page runs the tools whose operations its route declares');
    }
    const { ofQuestion, usual } = UNITS_OF_REQUEST;
    // The door has counted one usual request.
    const left = tool.streamsWith === undefined ? 0 : ofQuestion - usual;
    const wait = async () => left > 0 && waitForPace(ctx, requests, left);
    const startedAt = performance.now();
    const answered = (code: string, result: ToolResult) => ({
      code,
      result,
      ms: Math.round(performance.now() - startedAt),
    });
    try {
      const result = await runTool({ ctx, context, tool, given, wait }, running);
      return answered('ok', result);
    } catch (error) {
      const refusal = refusalFor(error, ctx, running.log);
      if (refusal.code === 'unauthorized') throw refusal;
      return answered(refusal.code, errorResult(refusal));
    }
  };
}
