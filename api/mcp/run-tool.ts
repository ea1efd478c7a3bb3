/**
 * The steps of every door that runs a tool: read the arguments, wait, resolve the caller again, run the operation,
 * build the result.
 */
import { execute } from '../../operations/execute.ts';
import type { RequestContext } from '../../operations/operation.ts';
import type { OperationTable } from '../../operations/registry.ts';
import type { ApiContext } from '../context.ts';
import { readArguments } from './arguments.ts';
import { successResult, type ToolResult } from './result.ts';
import type { Tool } from './tools.ts';

export interface CallOfTool {
  readonly tool: Tool;
  /** The arguments, as the caller sent them. */
  readonly given: unknown;
  readonly ctx: ApiContext;
  /** Of the request; its caller and time are found anew. */
  readonly context: RequestContext;
  /** Waits as long as the call must, after its arguments were found good. */
  readonly wait: () => Promise<unknown>;
}

/**
 * Runs the operation of the tool. Throws the refusals of the arguments, of the operation, and `unauthorized` where the
 * credential has ended by the end of the wait.
 */
export async function runTool(
  { context, ctx, given, tool, wait }: CallOfTool,
  { clock, operations }: { readonly operations: OperationTable; readonly clock: () => Date },
): Promise<ToolResult> {
  const operation = operations[tool.operation];
  const { diagnostics, idempotencyKey: key, input } = readArguments(tool, operation, given);
  await wait();
  // The wait, or calls before this one in the request, may have taken long: rights may be others by now, or gone.
  const caller = (await ctx.state.resolveCaller?.()) ?? null;
  const idempotency = key === null ? null : { key, path: tool.repeatable ?? '' };
  const output = await execute(operation, { ...context, caller, now: clock(), idempotency }, input);
  return successResult(tool, output, diagnostics);
}
