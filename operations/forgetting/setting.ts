/** `governance.forgetting`: which requests to forget act before a person has decided. */
import { z } from 'zod';
import { FORGET_SETTINGS } from '../../domain/forgetting/holds.ts';
import { auditActor } from '../audit-actor.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput } from '../identity/inputs.ts';
import { defineOperation } from '../operation.ts';

/** Sets it for requests from now on. Those that were made stay as they are, until a person decides about them. */
export const setForgetting = defineOperation({
  id: 'governance.forgetting',
  access: 'operator',
  effect: 'write',
  input: z.object({ account: accountInput, acts: z.enum(FORGET_SETTINGS) }),
  output: z.object({
    account_id: z.uuid(),
    acts: z.enum(FORGET_SETTINGS),
    previous_acts: z.enum(FORGET_SETTINGS),
    changed: z.boolean(),
  }),
  async run({ caller, directory, inAccount }, { account, acts }) {
    const accountId = await resolveAccount(directory, account);
    return inAccount(accountId, async ({ audit, holds }) => {
      await holds.lock();
      const { acts: previous } = await holds.book();
      const changed = previous !== acts;
      if (changed) {
        await holds.setActs(acts);
        await audit.record({
          category: 'governance',
          action: 'forgetting.changed',
          actor: auditActor(caller),
          resourceType: 'account',
          resourceId: accountId,
          metadata: { from: previous, to: acts },
        });
      }
      return { account_id: accountId, acts, previous_acts: previous, changed };
    });
  },
});
