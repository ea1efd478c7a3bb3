/** What the ruling of a subject on a place of a statement does, by whichever door it came. */
import { denialOf, openItemOf, ruleOn } from '../../engine/knowledge/ruling.ts';
import type { ConsentRow } from '../../stores/postgres/knowledge/consents.store.ts';
import type { DeskState } from '../../stores/postgres/knowledge/desk.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';

/** Carries out the approval that waited for the consent, in the name of the curator who gave it. */
async function approveWhatWaited(
  stores: Stores,
  state: DeskState,
  consent: ConsentRow,
): Promise<void> {
  const { knowledge_id: knowledgeId, target_scope_id: target } = consent;
  const item = await stores.reviews.openOf(knowledgeId, ['gate_a_b', 'gate_b']);
  if (item?.state !== 'awaiting_consent') return;
  const approver = await stores.reviews.approverOf(item.id);
  const ruling = { action: 'approve', item: openItemOf(item), expiresAt: null } as const;
  const consents = new Map([...state.consents, [target, 'granted' as const]]);
  const actor = { peerId: approver, channel: 'api' } as const;
  const { result, work } = ruleOn({ ...state, consents }, knowledgeId, ruling, actor);
  if (result.outcome === 'ruled') await stores.desk.write(work);
}

/** Writes the decision of the subject, and what follows from it. The statement is locked (`state`). */
export async function settleConsent(
  stores: Stores,
  state: DeskState,
  consent: ConsentRow,
  decision: 'grant' | 'deny',
): Promise<void> {
  const {
    id,
    knowledge_id: knowledgeId,
    subject_peer_id: peerId,
    target_scope_id: target,
  } = consent;
  const status = decision === 'grant' ? 'granted' : 'denied';
  await stores.consents.decide(id, status, peerId);
  await stores.answers.endOf(knowledgeId, 'consent_upward', target, `consent_${status}`);
  if (decision === 'grant') await approveWhatWaited(stores, state, consent);
  else {
    const actor = { peerId, channel: 'api' } as const;
    await stores.desk.write(denialOf(state, knowledgeId, target, actor));
  }
}
