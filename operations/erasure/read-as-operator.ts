/** `erasure.read`: an operator sees how an erasure stands, and its receipt. */
import { z } from 'zod';
import { invalidField } from '../../domain/errors.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput } from '../identity/inputs.ts';
import { defineOperation } from '../operation.ts';
import { erasureWithReceipt, withReceipt } from './request.ts';

export const readErasureAsOperator = defineOperation({
  id: 'erasure.read',
  access: 'operator',
  effect: 'read',
  input: z.object({ account: accountInput, id: z.uuid() }),
  output: erasureWithReceipt,
  async run({ directory, inAccount }, input) {
    const accountId = await resolveAccount(directory, input.account);
    const row = await inAccount(accountId, (stores) => stores.erasures.find(input.id));
    if (row === null) throw invalidField('id', 'does not name an erasure of this account');
    return withReceipt(row);
  },
});
