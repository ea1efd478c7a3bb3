/** `self.decide_consent`: the caller agrees that a statement is shared in a scope, or does not. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { DESK_SHARD } from '../../engine/knowledge/ruling.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { auditActor } from '../audit-actor.ts';
import { earlierAnswer } from '../idempotency.ts';
import { defineOperation } from '../operation.ts';
import { consentOutput, consentViews } from './consents.ts';
import { settleConsent } from '../questions/settle-consent.ts';

async function lockOwn(stores: Stores, { peerId }: Caller, id: string) {
  const seen = await stores.consents.find(id);
  if (seen === null || seen.subject_peer_id !== peerId) throw new Refusal('not_found');
  const found = await stores.desk.find(seen.knowledge_id);
  if (found === null) throw new Refusal('not_found');
  const state = await stores.desk.lock(found);
  const consent = await stores.consents.find(id);
  if (state === null || consent === null) throw new Refusal('not_found');
  return { consent, state, peerId };
}

export const decideOwnConsent = defineOperation({
  id: 'self.decide_consent',
  access: 'human',
  effect: 'write',
  summary: 'Grant or deny a consent',
  description:
    'A grant carries out the approval that waited for it. A denial ends the question permanently: a proposal goes back to the caller alone, and the service takes back a statement that was already shared. The caller may deny a consent that they granted before. A denied consent stays denied.',
  refusals: ['not_found', 'conflict'],
  input: z.object({
    consent_id: z.uuid().describe('The id of the consent, from the list of consents.'),
    decision: z.enum(['grant', 'deny']),
  }),
  output: consentOutput,
  async run(context, { consent_id: id, decision }) {
    const { caller, doorbell, inAccount } = context;
    const { accountId } = caller;
    const status = decision === 'grant' ? 'granted' : 'denied';
    const view = await inAccount(accountId, async (stores) => {
      const { consent, peerId, state } = await lockOwn(stores, caller, id);
      const again = { status: 200, resourceId: id };
      const earlier = await earlierAnswer(context, stores, [decision], again);
      if (earlier === null && consent.status !== status) {
        if (consent.status === 'denied') throw new Refusal('conflict');
        await settleConsent(stores, state, consent, decision);
        await stores.audit.record({
          category: 'governance',
          action: `consent.${status}`,
          actor: auditActor(caller),
          resourceType: 'consent',
          resourceId: id,
          metadata: { before: consent.status },
        });
      }
      const now = await stores.consents.find(id);
      const [shown] = now === null ? [] : await consentViews(stores, caller, peerId, [now]);
      if (shown === undefined) throw new Refusal('not_found');
      return shown;
    });
    doorbell.ring({ accountId, kind: 'projection', shard: DESK_SHARD });
    return view;
  },
});
