/** `governance.secrets`: whether an account takes in observations that hold a credential. */
import { z } from 'zod';
import { SECRET_POLICIES } from '../../domain/identity/secret-policy.ts';
import { auditActor } from '../audit-actor.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput } from '../identity/inputs.ts';
import { defineOperation } from '../operation.ts';

/**
 * Sets the policy for text that comes in from now on; text that is there stays. It takes effect in every process
 * within 5 s, as a revocation does. Under either policy, statements and what a provider is shown are masked.
 */
export const setSecretPolicy = defineOperation({
  id: 'governance.secrets',
  access: 'operator',
  effect: 'write',
  input: z.object({ account: accountInput, policy: z.enum(SECRET_POLICIES) }),
  output: z.object({
    account_id: z.uuid(),
    policy: z.enum(SECRET_POLICIES),
    previous_policy: z.enum(SECRET_POLICIES),
    changed: z.boolean(),
  }),
  async run({ caller, directory, inAccount }, input) {
    const accountId = await resolveAccount(directory, input.account);
    return inAccount(accountId, async (stores) => {
      const previous = await stores.accounts.lockSecretPolicy();
      const changed = previous !== input.policy;
      if (changed) {
        await stores.accounts.setSecretPolicy(input.policy);
        await stores.audit.record({
          category: 'governance',
          action: 'secret_policy.changed',
          actor: auditActor(caller),
          resourceType: 'account',
          resourceId: accountId,
          metadata: { from: previous, to: input.policy },
        });
      }
      return {
        account_id: accountId,
        policy: input.policy,
        previous_policy: previous,
        changed,
      };
    });
  },
});
