/** `self.erasure`: how an erasure stands, and its receipt. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { defineOperation } from '../operation.ts';
import { erasureWithReceipt, withReceipt } from './request.ts';

export const readErasure = defineOperation({
  id: 'self.erasure',
  access: 'erased',
  effect: 'read',
  summary: 'Read how your erasure stands',
  description: 'For the credential that asked for it, during 7 days. Any other id is not found.',
  refusals: ['not_found'],
  input: z.object({ erasure_id: z.uuid().describe('The id that the request was answered with.') }),
  output: erasureWithReceipt,
  async run({ caller, inAccount }, { erasure_id: id }) {
    const isHers = (peerId: string | null): boolean =>
      caller.erasureId === id || (peerId !== null && peerId === caller.peerId);
    const row = await inAccount(caller.accountId, (stores) => stores.erasures.find(id));
    if (row === null || !isHers(row.peer_id)) throw new Refusal('not_found');
    return withReceipt(row);
  },
});
