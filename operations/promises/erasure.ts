/** Repeats the erasure of a person. */
import { ERASURE_ACCESS_DAYS } from '../../domain/erasure/words.ts';
import type { GivenPromise } from '../../domain/promises/kinds.ts';
import type { Repeated, Repeating } from './repeating.ts';

const DAY_MS = 86_400_000;

/**
 * Enters the request under its id, with its mode and its time, so that its receipt is about the same request; what the person
 * could do ends at once, and the run goes through all steps. The last administrator is erased too: the account said yes to
 * that when another one was there.
 */
export async function eraseAgain(
  { actor, stores, traceId }: Repeating,
  promised: GivenPromise<'erasure'>,
): Promise<Repeated> {
  const { credential_id: credentialId, erasure_id: id, given_at, mode, peer_id: peerId } = promised;
  if ((await stores.erasures.find(id)) !== null) return 'already';
  await stores.erasures.lock(peerId);
  const isRunning = (await stores.erasures.openOf(peerId)) !== null;
  if (isRunning || (await stores.erasures.isErased(peerId))) return 'already';
  if ((await stores.peers.findById(peerId)) === null) return 'unknown';
  const until = new Date(Date.parse(given_at) + ERASURE_ACCESS_DAYS * DAY_MS);
  const access = credentialId === null ? null : { credentialId, until };
  await stores.erasures.enter({ id, peerId, mode, requestedAt: given_at }, access);
  await stores.runs.enter({ kind: 'erasure', id, traceId, targetId: id });
  await stores.audit.record({
    category: 'deletion',
    action: 'peer.erasure_requested',
    actor,
    resourceType: 'erasure',
    resourceId: id,
    metadata: { mode },
  });
  return 'done';
}
