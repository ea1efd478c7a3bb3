/** Repeats what was decided about statements and documents, by the rules by which it was decided. */
import { v7 as uuidv7 } from 'uuid';
import type { ItemKind } from '../../domain/governance/items.ts';
import type { Actor } from '../../domain/knowledge/plan.ts';
import type { Promised } from '../../domain/promises/kinds.ts';
import { parseScopePath } from '../../domain/scopes/path.ts';
import { openItemOf, reopeningOf, ruleOn, takingBackOf } from '../../engine/knowledge/ruling.ts';
import type { FoundStatement } from '../../stores/postgres/knowledge/desk.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { settleConsent } from '../questions/settle-consent.ts';
import type { Repeated, Repeating } from './repeating.ts';

/** Whose word it was is on the record of the day that is lost; of statements about a person it was that person's. */
const bySubject = ({ subject_peer_id: peerId }: FoundStatement): Actor => ({
  peerId,
  channel: 'cli',
});
const BY_NOBODY: Actor = { peerId: null, channel: 'cli' };

async function lockStatement({ stores }: Repeating, id: string) {
  const found = await stores.desk.find(id);
  const state = found === null ? null : await stores.desk.lock(found);
  return found === null || state === null ? null : { found, state };
}

export async function redactAgain(
  repeating: Repeating,
  { knowledge_id: id }: Promised<'redaction'>,
): Promise<Repeated> {
  const locked = await lockStatement(repeating, id);
  if (locked === null) return 'unknown';
  const { result, work } = ruleOn(locked.state, id, { action: 'redact' }, bySubject(locked.found));
  if (result.outcome !== 'ruled') return 'already';
  await repeating.stores.desk.write(work);
  return 'done';
}

async function contestAgain(repeating: Repeating, id: string): Promise<Repeated> {
  const { stores, traceId } = repeating;
  const locked = await lockStatement(repeating, id);
  if (locked === null) return 'unknown';
  const { result, work } = ruleOn(locked.state, id, { action: 'contest' }, bySubject(locked.found));
  if (result.outcome !== 'ruled') return 'already';
  await stores.desk.write(work);
  const item = await stores.reviews.openOf(id, ['contest']);
  if (item !== null) await stores.runs.enter({ kind: 'contest', traceId, targetId: item.id });
  return 'done';
}

async function withholdAgain(repeating: Repeating, id: string): Promise<Repeated> {
  const locked = await lockStatement(repeating, id);
  if (locked === null) return 'unknown';
  const work = reopeningOf(locked.state, id, true, BY_NOBODY);
  if (work === null) return 'already';
  await repeating.stores.desk.write(work);
  return 'done';
}

/** Items whose rejection rejects their statement. */
const REJECTING = ['contest', 'gate_a_b', 'revalidation'] as const satisfies readonly ItemKind[];

/** Rejects the statement through an item that is open about it. False where none allows it. */
async function rejectByItem(repeating: Repeating, id: string): Promise<boolean> {
  const { stores } = repeating;
  for (const kind of REJECTING) {
    const locked = await lockStatement(repeating, id);
    const row = await stores.reviews.openOf(id, [kind]);
    if (locked === null || row === null) continue;
    const ruling = { action: 'reject', item: openItemOf(row) } as const;
    const { result, work } = ruleOn(locked.state, id, ruling, BY_NOBODY);
    if (result.outcome !== 'ruled' || result.after.state !== 'rejected') continue;
    await stores.desk.write(work);
    return true;
  }
  return false;
}

/** A placed statement that nobody asks about is withheld first: then there is an item that can be rejected. */
async function rejectAgain(repeating: Repeating, id: string): Promise<Repeated> {
  if (await rejectByItem(repeating, id)) return 'done';
  const withheld = await withholdAgain(repeating, id);
  if (withheld === 'done') await rejectByItem(repeating, id);
  return withheld;
}

const WITHDRAW = {
  contested: contestAgain,
  withheld: withholdAgain,
  rejected: rejectAgain,
} as const satisfies Readonly<Record<Promised<'withdrawal'>['as'], typeof contestAgain>>;

export async function withdrawAgain(
  repeating: Repeating,
  { as, knowledge_id: id }: Promised<'withdrawal'>,
): Promise<Repeated> {
  return WITHDRAW[as](repeating, id);
}

export async function takeBackAgain(
  repeating: Repeating,
  { knowledge_id: id, peer_id: peerId }: Promised<'attestation_withdrawn'>,
): Promise<Repeated> {
  const { desk } = repeating.stores;
  const locked = await lockStatement(repeating, id);
  const attests = locked === null ? null : await desk.attests(id, peerId);
  if (locked === null || attests === null) return 'unknown';
  if (!attests) return 'already';
  const work = takingBackOf(locked.state, id, { peerId, channel: 'cli' });
  // What has ended stays ended, and is attested no more.
  if (work !== null) await desk.write(work);
  await desk.withdrawAttestation(id, peerId);
  return 'done';
}

export async function denyConsentAgain(
  repeating: Repeating,
  promised: Promised<'consent_denied'>,
): Promise<Repeated> {
  const { stores } = repeating;
  const { consent_id: id, knowledge_id: knowledgeId, scope_id: scopeId } = promised;
  const locked = await lockStatement(repeating, knowledgeId);
  const subject = locked?.found.subject_peer_id ?? null;
  if (locked === null || subject === null) return 'unknown';
  const about = () => stores.consents.about(knowledgeId, scopeId);
  if ((await about()) === null) {
    // The subject was asked later than this day.
    const asked = { consent_id: id, knowledge_id: knowledgeId, scope_id: scopeId };
    await stores.consents.enter({ ...asked, subject_peer_id: subject });
  }
  const consent = await about();
  if (consent === null) return 'unknown';
  if (consent.status === 'denied') return 'already';
  await settleConsent(stores, locked.state, consent, 'deny');
  return 'done';
}

/** The version names both or neither; either may have come later than this day. */
async function whoWithdrew(
  { credentials, peers }: Stores,
  { credential_id: credentialId, peer_id: peerId }: Promised<'document_withdrawn'>,
) {
  const nobody = { credentialId: null, uploaderPeerId: null };
  if (credentialId === null || peerId === null) return nobody;
  const areThere = (await credentials.has(credentialId)) && (await peers.findById(peerId)) !== null;
  return areThere ? { credentialId, uploaderPeerId: peerId } : nobody;
}

export async function withdrawDocumentAgain(
  { stores, traceId }: Repeating,
  promised: Promised<'document_withdrawn'>,
): Promise<Repeated> {
  const { document_id: documentId, version_id } = promised;
  const document = await stores.documents.find(documentId);
  const path = document === null ? null : parseScopePath(document.scope_path);
  if (document === null || path === null) return 'unknown';
  const { external_id: externalId, owner_peer_id: ownerPeerId, unnamed_sha256: sha256 } = document;
  await stores.documents.lock({ ownerPeerId, scopePath: path, externalId, sha256 });
  const last = await stores.documents.last(documentId);
  if (last.is_withdrawal) return 'already';
  await stores.documents.closeUnread(documentId);
  const place = { documentId, versionId: version_id, version: last.version + 1 };
  await stores.documents.addWithdrawal(place, {
    ...(await whoWithdrew(stores, promised)),
    traceId,
  });
  const run = { kind: 'document', traceId, id: uuidv7(), targetId: version_id } as const;
  await stores.runs.enter(run);
  return 'done';
}
