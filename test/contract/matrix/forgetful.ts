/** Planted faults: operations that do not ask what their caller may do. */
import type { Caller } from '../../../domain/identity/caller.ts';
import { ROOT_PATH } from '../../../domain/scopes/path.ts';
import type { Operation, RequestContext } from '../../../operations/operation.ts';
import { operations, type OperationName } from '../../../operations/registry.ts';

/** The operation as if it had forgotten to ask what the caller may do: every caller is an administrator to it. */
export function forgetful(name: OperationName): Operation {
  const operation: Operation = operations[name];
  return {
    ...operation,
    run(context: RequestContext, input) {
      const caller = context.caller as Caller;
      const everywhere = { scopePath: ROOT_PATH, effect: 'allow', propagate: true } as const;
      const grants = [{ ...everywhere, role: 'account_admin' as const }];
      return operation.run({ ...context, caller: { ...caller, pinPath: null, grants } }, input);
    },
  };
}
