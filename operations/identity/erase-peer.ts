/** `peer.erase` and `erasure.read`: an operator has a person erased who has no login, and sees how it stands. */
import { z } from 'zod';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { auditActor } from '../audit-actor.ts';
import { defineOperation } from '../operation.ts';
import {
  enterErasure,
  erasureOutput,
  erasureWithReceipt,
  modeField,
  withReceipt,
} from '../self/erasure-request.ts';
import { resolveAccount } from './account.ts';
import { accountInput, labelInput } from './inputs.ts';

export const erasePeer = defineOperation({
  id: 'peer.erase',
  access: 'operator',
  effect: 'destroy',
  input: z.object({ account: accountInput, peer: labelInput, mode: modeField }),
  output: erasureOutput,
  async run({ caller, directory, inAccount, sweep, traceId }, input) {
    const accountId = await resolveAccount(directory, input.account);
    const erasure = await inAccount(accountId, async (stores) => {
      const peer = await stores.peers.findByKey(input.peer);
      if (peer === null) throw new Refusal('unknown_peer');
      await stores.erasures.lock(peer.id);
      // The key may have changed hands while this waited.
      if ((await stores.peers.findByKey(input.peer))?.id !== peer.id)
        throw new Refusal('unknown_peer');
      return enterErasure(stores, {
        peerId: peer.id,
        mode: input.mode,
        access: null,
        actor: auditActor(caller),
        traceId,
      });
    });
    sweep.soon();
    return erasure;
  },
});

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
