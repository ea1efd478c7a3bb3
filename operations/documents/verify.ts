/** `document.verify`: the bytes of documents against the rows that name them, from the command line. */
import { z } from 'zod';
import { resolveAccount } from '../identity/account.ts';
import { accountInput } from '../identity/inputs.ts';
import { defineOperation } from '../operation.ts';

/** Counts rows without bytes and bytes without rows; with `remove`, deletes the latter. */
export const verifyDocuments = defineOperation({
  id: 'document.verify',
  access: 'operator',
  effect: 'destroy',
  input: z.object({ account: accountInput, remove: z.boolean().default(false) }),
  output: z.object({
    account_id: z.uuid(),
    /** Different bytes that versions name. */
    named: z.int(),
    /** Of those, the ones that are not there. */
    missing: z.int(),
    /** The SHA-256 of some that are missing. */
    examples: z.array(z.string()),
    /** Bytes that no version and no upload names. */
    orphans: z.int(),
    removed: z.int(),
  }),
  async run({ compareBlobs, directory, signal }, { account, remove }) {
    const accountId = await resolveAccount(directory, account);
    const { examples, ...counts } = await compareBlobs(accountId, { remove, signal });
    return { account_id: accountId, ...counts, examples: [...examples] };
  },
});
