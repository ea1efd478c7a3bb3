/** `identity.bootstrap`: the first account with its administrator and a token that is shown once. */
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { emailInput, labelInput, newPasswordInput } from './inputs.ts';
import { writeNewAccount } from './new-account.ts';

const TOKEN_TTL_MS = 12 * 3_600_000;

/** Changes nothing where an account exists already, and says so: `changed` is false, the rest null. */
export const bootstrap = defineOperation({
  id: 'identity.bootstrap',
  access: 'operator',
  effect: 'write',
  input: z.object({
    email: emailInput,
    password: newPasswordInput,
    account: labelInput.default('community'),
  }),
  output: z.object({
    changed: z.boolean(),
    account_id: z.uuid().nullable(),
    account_key: z.string().nullable(),
    peer_id: z.uuid().nullable(),
    token: z.string().nullable(),
    expires_at: z.iso.datetime().nullable(),
  }),
  async run({ now, signal, directory, inAccount, passwords, secrets, settings }, input) {
    const unchanged = {
      changed: false,
      account_id: null,
      account_key: null,
      peer_id: null,
      token: null,
      expires_at: null,
    };
    if ((await directory.accountIds()).length > 0) return unchanged;
    const passwordHash = await passwords.hash(input.password, signal);
    const token = secrets.token();
    const expiresAt = new Date(now.getTime() + TOKEN_TTL_MS);
    const accountId = uuidv7();
    return inAccount(accountId, async (stores) => {
      await stores.accounts.lockCreation();
      // Asked again under the lock: another bootstrap may have finished meanwhile.
      if (await stores.accounts.anyExists()) return unchanged;
      const { peerId, loginId } = await writeNewAccount(stores, accountId, {
        key: input.account,
        name: input.account,
        preset: settings.unattended ? 'unattended' : 'strict',
        administrator: { email: input.email, name: input.email, passwordHash },
        now,
      });
      await stores.credentials.insertToken({
        id: token.id,
        secretHash: token.hash,
        kind: 'bootstrap_token',
        loginId,
        epoch: 0,
        expiresAt,
      });
      await stores.audit.record({
        category: 'access',
        action: 'bootstrap_token.issued',
        actor: { kind: 'cli' },
        resourceType: 'credential',
        resourceId: token.id,
      });
      return {
        changed: true,
        account_id: accountId,
        account_key: input.account,
        peer_id: peerId,
        token: token.text,
        expires_at: expiresAt.toISOString(),
      };
    });
  },
});
