/** `self.change_password`: a person gives another password, and proves with the old one who asks. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { auditActor } from '../audit-actor.ts';
import { defineOperation } from '../operation.ts';
import { withCheckedLogin } from './checked-login.ts';
import { newPasswordInput } from './inputs.ts';

export const changeOwnPassword = defineOperation({
  id: 'self.change_password',
  access: 'human',
  effect: 'write',
  endsCaller: true,
  summary: 'Change your password',
  description:
    'The caller gives the old password, within the limits of sign-in. The service ends all sessions and tokens of the login, that of the caller too.',
  refusals: ['unauthorized', 'rate_limited', 'unavailable'],
  input: z.object({ old_password: z.string(), new_password: newPasswordInput }),
  output: z.object({ login_id: z.uuid() }),
  async run(context, input) {
    const { caller, inAccount, passwords, signal } = context;
    const { accountId, peerId } = caller;
    if (peerId === null) throw new Refusal('human_identity_required');
    const email = await inAccount(accountId, ({ logins }) => logins.emailOf(peerId));
    const own = { email: email ?? '', password: input.old_password };
    return withCheckedLogin(context, own, async ({ epoch, loginId }) => {
      const passwordHash = await passwords.hash(input.new_password, signal);
      return inAccount(accountId, async (stores) => {
        const changed = await stores.logins.changePassword(loginId, epoch, passwordHash);
        // Somebody else changed it meanwhile, so the old password is not the old one any more.
        if (!changed) throw new Refusal('unauthorized');
        await stores.audit.record({
          category: 'configuration',
          action: 'login.password_changed',
          actor: auditActor(caller),
          resourceType: 'login',
          resourceId: loginId,
          metadata: { peer_id: peerId },
        });
        return { login_id: loginId };
      });
    });
  },
});
