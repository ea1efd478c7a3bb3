/** Repeats the erasure of a person. */
import { ERASURE_ACCESS_DAYS } from '../../domain/erasure/words.ts';
import type { GivenPromise } from '../../domain/promises/kinds.ts';
import { writeErasure } from '../erasure/request.ts';
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
  const requestedAt = given_at;
  await writeErasure(stores, { id, peerId, mode, requestedAt, access, actor, traceId });
  return 'done';
}
