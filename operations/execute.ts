/** The one pipeline every door goes through: parse, authorise, run, check the answer. */
import type { z } from 'zod';
import { isAccountAdmin, type Caller } from '../domain/identity/caller.ts';
import { Refusal, type FieldProblem } from '../domain/errors.ts';
import type { Access, Operation, RequestContext } from './operation.ts';

function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) => ({
    path: issue.path.join('.'),
    // Only our own words: zod's messages for unions and enums may quote what was received.
    message: issue.code === 'custom' ? issue.message : `invalid (${issue.code})`,
  }));
}

function authorise(access: Access, caller: Caller | null): void {
  if (access === 'public' || access === 'operator') return;
  if (caller === null) throw new Refusal('unauthorized');
  if (access === 'human' && caller.kind !== 'human') throw new Refusal('human_identity_required');
  if (access === 'account_admin' && !isAccountAdmin(caller)) throw new Refusal('forbidden');
}

/**
 * Runs `operation` for the caller of `context`.
 * Throws `Refusal` for everything a caller may be told, and anything else only for our own defects.
 */
export async function execute<A extends Access, I extends z.ZodType, O extends z.ZodType>(
  operation: Operation<A, I, O>,
  context: RequestContext,
  rawInput: unknown,
): Promise<z.output<O>> {
  authorise(operation.access, context.caller);
  const input = operation.input.safeParse(rawInput);
  if (!input.success) {
    throw new Refusal('invalid_request', { fields: fieldProblems(input.error) });
  }
  const output = await operation.run(context as Parameters<typeof operation.run>[0], input.data);
  return operation.output.parse(output);
}
