/** `key.resume`: keys that a restore has suspended are good again, one of them or all. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { auditActor } from '../audit-actor.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { resolveAccount } from './account.ts';
import { accountInput, idInput } from './inputs.ts';

/** Keys that one transaction resumes. */
const PAGE = 1_000;

async function record({ audit }: Stores, { caller }: RequestContext, ids: readonly string[]) {
  await audit.record(
    ...ids.map((id) => ({
      category: 'configuration' as const,
      action: 'api_key.resumed',
      actor: auditActor(caller),
      resourceType: 'credential',
      resourceId: id,
    })),
  );
}

async function resumeOne(context: RequestContext, accountId: string, id: string): Promise<number> {
  return context.inAccount(accountId, async (stores) => {
    const outcome = await stores.credentials.resume(id);
    if (outcome === 'absent') throw new Refusal('not_found');
    if (outcome === 'not_suspended') return 0;
    await record(stores, context, [id]);
    return 1;
  });
}

async function resumeAll(context: RequestContext, accountId: string): Promise<number> {
  let resumed = 0;
  for (;;) {
    context.signal.throwIfAborted();
    const ids = await context.inAccount(accountId, async (stores) => {
      const some = await stores.credentials.resumeSome(PAGE);
      await record(stores, context, some);
      return some;
    });
    resumed += ids.length;
    if (ids.length < PAGE) return resumed;
  }
}

/** Without an id every suspended key of the account. A second call changes nothing. */
export const resumeKeys = defineOperation({
  id: 'key.resume',
  access: 'operator',
  effect: 'write',
  input: z.object({ account: accountInput, id: idInput('key').optional() }),
  output: z.object({ account_id: z.uuid(), resumed: z.int() }),
  async run(context, { account, id }) {
    const accountId = await resolveAccount(context.directory, account);
    const resumed =
      id === undefined
        ? await resumeAll(context, accountId)
        : await resumeOne(context, accountId, id);
    return { account_id: accountId, resumed };
  },
});
