/**
 * A long write commits only if the caller still has the rights that the service checked. A caller is at most 4 s old
 * when its operation begins; a transaction that ends within the next second needs no question. A later one asks once
 * more before its commit, on its own connection: a question through the pool would wait for connections that such
 * transactions hold.
 */
import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '../domain/errors.ts';
import type { Caller } from '../domain/identity/caller.ts';
import type { Stores } from '../stores/postgres/stores.ts';
import { callerNow } from './caller-now.ts';
import type { Environment } from './environment/environment.ts';
import type { Operation, RequestContext } from './operation.ts';

const UNASKED_MS = 1_000;
const RETRY_AFTER_SECONDS = 1;

/** Refuses to write if the rights of the caller have changed. The caller may send the request again. */
function assertSame(caller: Caller, now: Caller | null): void {
  if (now === null) throw new Refusal('unauthorized');
  if (!isDeepStrictEqual(now, caller)) {
    throw new Refusal('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

/** The ways to write, guarded for the caller of `context`; `startedAt` is when its operation began to run. */
export function guardedWrites(
  { effect, endsCaller = false }: Pick<Operation, 'effect' | 'endsCaller'>,
  context: RequestContext,
  startedAt: number,
): Pick<Environment, 'inAccount' | 'recordObservations'> {
  const { caller, inAccount, recordObservations, resolveCaller } = context;
  if (caller === null || resolveCaller === undefined || effect === 'read' || endsCaller) {
    return { inAccount, recordObservations };
  }
  const isLate = (): boolean => performance.now() - startedAt > UNASKED_MS;
  const askStores = async ({ callers }: Stores): Promise<void> =>
    assertSame(caller, await callers.find(caller.credentialId, new Date()));
  return {
    inAccount: (accountId, work, limits) =>
      inAccount(
        accountId,
        async (stores) => {
          const done = await work(stores);
          if (isLate()) await askStores(stores);
          return done;
        },
        limits,
      ),
    async recordObservations(accountId, observations) {
      if (isLate()) assertSame(caller, await callerNow(context));
      return recordObservations(accountId, observations);
    },
  };
}
