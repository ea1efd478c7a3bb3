/** `restore.check`: whether what was restored holds together: indexes, and receipts of erasures. Changes nothing. */
import { createPublicKey } from 'node:crypto';
import { z } from 'zod';
import { verifyReceipt } from '../erasure/receipt.ts';
import type { ErasureReceipt } from '../../stores/postgres/erasure/requests.store.ts';
import { defineOperation, type RequestContext } from '../operation.ts';

const PAGE = 100;

/** How many receipts the key signed, and how many it did not. */
async function checkReceipts(
  context: RequestContext,
  accountId: string,
  pem: string | undefined,
): Promise<{ readonly valid: number; readonly invalid: number }> {
  const key = pem === undefined ? null : createPublicKey(pem);
  const counts = { valid: 0, invalid: 0 };
  for (let after: string | null = null; ;) {
    const from: string | null = after;
    const page: readonly ErasureReceipt[] = await context.inAccount(accountId, ({ erasures }) =>
      erasures.receipts(from, PAGE),
    );
    for (const { receipt } of page) {
      const isValid = key !== null && verifyReceipt(receipt, key) === 'valid';
      counts[isValid ? 'valid' : 'invalid'] += 1;
    }
    const last: ErasureReceipt | undefined = page.at(-1);
    if (last === undefined || page.length < PAGE) return counts;
    after = last.id;
  }
}

export const checkRestore = defineOperation({
  id: 'restore.check',
  access: 'operator',
  effect: 'read',
  input: z.object({ receipt_key_pem: z.string().optional() }),
  output: z.object({
    receipts: z.object({ valid: z.int(), invalid: z.int() }),
    /** Accounts whose indexes and rows differ. */
    drifting_accounts: z.int(),
  }),
  async run(context, { receipt_key_pem: pem }) {
    const receipts = { valid: 0, invalid: 0 };
    let drifting = 0;
    for (const accountId of await context.directory.accountIds()) {
      const checked = await checkReceipts(context, accountId, pem);
      receipts.valid += checked.valid;
      receipts.invalid += checked.invalid;
      const { indexes } = await context.indexes.verify(accountId, context.signal);
      const isDrifting = indexes.some(
        ({ missing, orphans, stale }) => missing + orphans + stale > 0,
      );
      if (isDrifting) drifting += 1;
    }
    return { receipts, drifting_accounts: drifting };
  },
});
