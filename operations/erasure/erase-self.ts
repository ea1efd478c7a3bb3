/** `self.erase`: a person has everything erased that the account holds by and about that person. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { ERASURE_ACCESS_DAYS } from '../../domain/erasure/words.ts';
import { auditActor } from '../audit-actor.ts';
import { ACCEPTED, earlierAnswer } from '../idempotency.ts';
import { defineOperation } from '../operation.ts';
import { enterErasure, erasureOutput, modeField } from './request.ts';

const DAY_MS = 86_400_000;

export const eraseSelf = defineOperation({
  id: 'self.erase',
  access: 'human',
  effect: 'destroy',
  endsCaller: true,
  summary: 'Have yourself erased',
  description:
    'Ends at once what the caller can do: every other request with a credential of the caller is refused, and observations that name the caller are refused until the erasure is complete. Deletes what the caller said and every statement about the caller; what others say about others stays. It cannot be undone. The credential that asks may read the state of the erasure for 7 days, and nothing else. A second request while one runs gets the same answer.',
  refusals: ['conflict'],
  input: z.object({ mode: modeField }),
  output: erasureOutput,
  async run(context, { mode }) {
    const { caller, inAccount, now, sweep, traceId } = context;
    const { accountId, credentialId, peerId } = caller;
    if (peerId === null) throw new Refusal('human_identity_required');
    const until = new Date(now.getTime() + ERASURE_ACCESS_DAYS * DAY_MS);
    const erasure = await inAccount(accountId, async (stores) => {
      await stores.erasures.lock(peerId);
      if (await stores.erasures.isErased(peerId)) throw new Refusal('unauthorized');
      const entered = await enterErasure(stores, {
        peerId,
        mode,
        access: { credentialId, until },
        actor: auditActor(caller),
        traceId,
      });
      const answer = { status: ACCEPTED, resourceId: entered.id };
      await earlierAnswer(context, stores, [mode], answer);
      return entered;
    });
    sweep.soon();
    return erasure;
  },
});
