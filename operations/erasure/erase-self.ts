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
  summary: 'Request your erasure',
  description:
    'The service at once refuses every other request with a credential of the caller. It refuses observations that name the caller until the erasure is complete. It deletes the observations of the caller and every statement about the caller. Statements by others about others stay. Nobody can undo an erasure. The credential that asked may read the state of the erasure for 7 days, and nothing else. A second request during an erasure gets the same answer.',
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
