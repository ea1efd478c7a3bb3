/** The one pipeline every door goes through: parse, authorise, run, check the answer. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { isAccountAdmin, type Caller } from '../domain/identity/caller.ts';
import { Refusal } from '../domain/errors.ts';
import { callerNow } from './caller-now.ts';
import type { Access, Operation, RequestContext } from './operation.ts';
import { fieldProblems, problemWords } from './field-problems.ts';
import { guardedWrites } from './write-guard.ts';

/** How often a read runs for one request, if the rights of its caller change during each run. */
const MOST_RUNS = 3;

function authorise(access: Access, caller: Caller | null): void {
  if (access === 'public' || access === 'operator') return;
  if (caller === null) throw new Refusal('unauthorized');
  const isForPeople = access === 'human' || access === 'erased';
  if (isForPeople && caller.kind !== 'human') throw new Refusal('human_identity_required');
  if (access === 'account_admin' && !isAccountAdmin(caller)) throw new Refusal('forbidden');
}

/**
 * Runs `operation` for the caller of `context`. A read may take long, because it waits or a server is slow. The
 * pipeline therefore resolves the caller again at the end. After a change of its rights the caller gets what it may
 * read now. After the end of its credential it gets `unauthorized`. `write-guard.ts` does the same for a long write.
 * Throws `Refusal` for everything a caller may be told, and anything else only for our own defects.
 */
export async function execute<A extends Access, I extends z.ZodType, O extends z.ZodType>(
  operation: Operation<A, I, O>,
  context: RequestContext,
  rawInput: unknown,
): Promise<z.output<O>> {
  authorise(operation.access, context.caller);
  const input = operation.input.safeParse(rawInput, { error: problemWords });
  if (!input.success) {
    throw new Refusal('invalid_request', { fields: fieldProblems(input.error) });
  }
  const startedAt = performance.now();
  const writes = guardedWrites(operation, context, startedAt);
  const run = (caller: Caller | null) =>
    operation.run(
      { ...context, ...writes, caller, startedAt, operationId: operation.id } as Parameters<
        typeof operation.run
      >[0],
      input.data,
    );
  let { caller } = context;
  for (let runs = 1; ; runs += 1) {
    const output = await run(caller);
    const now = operation.effect === 'read' ? await callerNow(context) : caller;
    if (isDeepStrictEqual(now, caller)) return operation.output.parse(output);
    if (runs === MOST_RUNS) throw new Refusal('unavailable');
    authorise(operation.access, now);
    caller = now;
  }
}
