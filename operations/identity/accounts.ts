/** `account.create` and `account.list`: further accounts of one deployment. */
import { z } from 'zod';
import { GATE_PRESETS } from '../../domain/governance/presets.ts';
import { defineOperation } from '../operation.ts';
import { emailInput, labelInput, newPasswordInput } from './inputs.ts';
import { writeNewAccount } from './new-account.ts';

const accountOutput = z.object({
  id: z.uuid(),
  key: z.string(),
  name: z.string(),
  gate_preset: z.enum(GATE_PRESETS),
  created_at: z.iso.datetime(),
});

/** An account with its root scope and an administrator. `name` is what the administrator is called. */
export const createAccount = defineOperation({
  id: 'account.create',
  access: 'operator',
  effect: 'write',
  input: z.object({
    key: labelInput,
    email: emailInput,
    name: labelInput,
    password: newPasswordInput,
  }),
  output: accountOutput.extend({ peer_id: z.uuid() }),
  async run({ now, signal, services: { identity } }, input) {
    const passwordHash = await identity.passwords.hash(input.password, signal);
    return identity.inNewAccount(async (stores, accountId) => {
      const { peerId } = await writeNewAccount(stores, accountId, {
        key: input.key,
        name: input.key,
        preset: identity.policy.unattended ? 'unattended' : 'strict',
        administrator: { email: input.email, name: input.name, passwordHash },
        now,
      });
      return { ...(await stores.accounts.get()), peer_id: peerId };
    });
  },
});

/** All accounts, oldest first: each is read under its own row security. */
export const listAccounts = defineOperation({
  id: 'account.list',
  access: 'operator',
  effect: 'read',
  input: z.object({}),
  output: z.object({ accounts: z.array(accountOutput) }),
  async run({ services: { identity } }) {
    const accounts = [];
    for (const id of await identity.accountIds()) {
      accounts.push(await identity.inAccount(id, (stores) => stores.accounts.get()));
    }
    return { accounts };
  },
});
