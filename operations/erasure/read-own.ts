/** `self.erasure`: how an erasure stands, and its receipt. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { defineOperation } from '../operation.ts';
import { erasureWithReceipt, withReceipt } from './request.ts';

export const readErasure = defineOperation({
  id: 'self.erasure',
  access: 'erased',
  effect: 'read',
  summary: 'Read the state of your erasure',
  description:
    'The credential that asked for the erasure may read this for 7 days. Any other id gets 404.',
  refusals: ['not_found'],
  input: z.object({ erasure_id: z.uuid().describe('The id from the answer to the request.') }),
  output: erasureWithReceipt,
  async run({ caller, inAccount }, { erasure_id: id }) {
    const isHers = (peerId: string | null): boolean =>
      caller.erasureId === id || (peerId !== null && peerId === caller.peerId);
    const row = await inAccount(caller.accountId, (stores) => stores.erasures.find(id));
    if (row === null || !isHers(row.peer_id)) throw new Refusal('not_found');
    return withReceipt(row);
  },
});
