/** `account.create` and `account.list`: further accounts of one deployment. */
import { v7 as uuidv7 } from 'uuid';
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
  async run({ now, signal, inAccount, passwords, settings }, input) {
    const passwordHash = await passwords.hash(input.password, signal);
    const accountId = uuidv7();
    return inAccount(accountId, async (stores) => {
      await stores.accounts.lockCreation();
      const { peerId } = await writeNewAccount(stores, accountId, {
        key: input.key,
        name: input.key,
        preset: settings.unattended ? 'unattended' : 'strict',
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
  async run({ directory, inAccount }) {
    const accounts = [];
    for (const id of await directory.accountIds()) {
      accounts.push(await inAccount(id, (stores) => stores.accounts.get()));
    }
    return { accounts };
  },
});
