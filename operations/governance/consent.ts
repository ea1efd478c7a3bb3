/** `governance.consent`: whether the subject of a personal statement has to agree before it is shared. */
import { z } from 'zod';
import { CONSENT_MODES } from '../../domain/governance/consent-mode.ts';
import { auditActor } from '../audit-actor.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput } from '../identity/inputs.ts';
import { defineOperation } from '../operation.ts';

/**
 * Sets what holds for decisions from now on. Statements that wait for their subject go on waiting, and consents that are
 * recorded stay: the account consents for nobody whom it has asked.
 */
export const setConsentMode = defineOperation({
  id: 'governance.consent',
  access: 'operator',
  effect: 'write',
  input: z.object({ account: accountInput, mode: z.enum(CONSENT_MODES) }),
  output: z.object({
    account_id: z.uuid(),
    mode: z.enum(CONSENT_MODES),
    previous_mode: z.enum(CONSENT_MODES),
    changed: z.boolean(),
  }),
  async run({ caller, directory, inAccount }, input) {
    const accountId = await resolveAccount(directory, input.account);
    return inAccount(accountId, async (stores) => {
      const previous = await stores.accounts.lockConsentMode();
      const changed = previous !== input.mode;
      if (changed) {
        await stores.accounts.setConsentMode(input.mode);
        await stores.audit.record({
          category: 'governance',
          action: 'consent_mode.changed',
          actor: auditActor(caller),
          resourceType: 'account',
          resourceId: accountId,
          metadata: { from: previous, to: input.mode },
        });
      }
      return {
        account_id: accountId,
        mode: input.mode,
        previous_mode: previous,
        changed,
      };
    });
  },
});
