/** `peer.erase`: an operator has a person erased who has no login. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { auditActor } from '../audit-actor.ts';
import { defineOperation } from '../operation.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput, labelInput } from '../identity/inputs.ts';
import { enterErasure, erasureOutput, modeField } from './request.ts';

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
