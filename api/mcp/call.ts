/** One call of a tool over `/mcp`: counted as a request, and answered whatever comes of it. */
import type { RequestContext } from '../../operations/operation.ts';
import type { OperationTable } from '../../operations/registry.ts';
import type { Log } from '../../engine/logging/logger.ts';
import type { Bounds } from '../bounds.ts';
import type { ApiContext } from '../context.ts';
import { waitForPace } from '../middleware/request-pace.ts';
import { refusalFor } from '../refusing.ts';
import type { ContextSources } from '../request-context.ts';
import { UNITS_OF_REQUEST } from '../request-pace.ts';
import { errorResult, type ToolResult } from './result.ts';
import { runTool } from './run-tool.ts';
import type { Tool } from './tools.ts';

export interface McpDependencies extends ContextSources {
  readonly operations: OperationTable;
  readonly log: Log;
}

/** A request over HTTP, with the calls in it so far. */
export interface McpRequest {
  readonly ctx: ApiContext;
  /** Of its first call; later ones have a time of their own. */
  readonly context: RequestContext;
  calls: number;
}

const { ofQuestion, usual } = UNITS_OF_REQUEST;

/**
 * Counts the call as a request of its own: a batch is no way around the bounds. The door itself has counted one usual
 * request, which the first call is.
 */
async function take(request: McpRequest, tool: Tool, { limit, requests }: Bounds): Promise<void> {
  const { ctx } = request;
  const isFirst = request.calls === 0;
  request.calls += 1;
  const credentialId = ctx.state.caller?.credentialId;
  if (!isFirst && credentialId !== undefined) limit?.(credentialId);
  const units = tool.streamsWith === undefined ? usual : ofQuestion;
  const left = isFirst ? units - usual : units;
  if (left > 0) await waitForPace(ctx, requests, left);
}

/**
 * Runs the operation of the tool and answers its result; refusals and our own defects are results too. Never throws.
 * `gathered` is called when an answer's evidence is complete, before the answer is.
 */
export async function callTool(
  request: McpRequest,
  tool: Tool,
  given: unknown,
  dependencies: McpDependencies,
  bounds: Bounds,
  gathered?: () => void,
): Promise<ToolResult> {
  const { ctx } = request;
  const { caller } = ctx.state;
  if (caller !== null) dependencies.environment.countRequest?.(caller.accountId);
  const context = {
    ...request.context,
    ...(gathered === undefined ? {} : { emit: gathered }),
  };
  const wait = () => take(request, tool, bounds);
  try {
    return await runTool({ ctx, context, tool, given, wait }, dependencies);
  } catch (error) {
    return errorResult(refusalFor(error, ctx, dependencies.log));
  }
}
