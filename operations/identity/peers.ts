/** `peer.list`: everybody whom an account knows. */
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { resolveAccount } from './account.ts';
import { accountInput, labelInput } from './inputs.ts';
import { limitInput } from './pages.ts';

export const listPeers = defineOperation({
  id: 'peer.list',
  access: 'operator',
  effect: 'read',
  input: z.object({ account: accountInput, after: labelInput.optional(), limit: limitInput }),
  output: z.object({
    peers: z.array(
      z.object({
        id: z.uuid(),
        key: z.string(),
        name: z.string(),
        kind: z.enum(['human', 'agent']),
        has_login: z.boolean(),
        is_erased: z.boolean(),
        created_at: z.iso.datetime(),
      }),
    ),
    /** The key to ask the next page with. */
    next: z.string().nullable(),
  }),
  async run({ directory, inAccount }, { account, after, limit }) {
    const accountId = await resolveAccount(directory, account);
    const peers = await inAccount(accountId, (stores) =>
      stores.peers.list({ after: after ?? null, limit }),
    );
    return {
      peers: [...peers],
      next: peers.length < limit ? null : (peers.at(-1)?.key ?? null),
    };
  },
});
