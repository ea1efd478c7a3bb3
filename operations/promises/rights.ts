/** Repeats what ended rights: grants, circles, keys and logins. Nothing here gives anybody anything. */
import { roleCovers } from '../../domain/identity/roles.ts';
import type { Promised } from '../../domain/promises/kinds.ts';
import type { GrantHolder } from '../../stores/postgres/identity/grants.store.ts';
import { deniedPlace } from './denied-place.ts';
import type { Repeated, Repeating } from './repeating.ts';

async function holderOf(
  { stores }: Repeating,
  { credential_id: credentialId, peer_id: peerId }: Promised<'grant_denied'>,
): Promise<GrantHolder | null> {
  if (peerId !== null) return (await stores.peers.findById(peerId)) === null ? null : { peerId };
  if (credentialId === null || !(await stores.credentials.has(credentialId))) return null;
  return { credentialId };
}

/** Everywhere means below the root too, whatever the denial said of the scopes below its own. */
export async function denyAgain(
  repeating: Repeating,
  promised: Promised<'grant_denied'>,
): Promise<Repeated> {
  const { stores } = repeating;
  const { grant_id: id, propagate, role } = promised;
  const holder = await holderOf(repeating, promised);
  if (holder === null) return 'unknown';
  if ((await stores.grants.lockById(id)) !== null) return 'already';
  let isEverywhere = false;
  const onDeniedEverywhere = (): void => {
    isEverywhere = true;
    repeating.onDeniedEverywhere();
  };
  const scopePath = await deniedPlace({ ...repeating, onDeniedEverywhere }, promised);
  const denial = { scopePath, role, effect: 'deny', propagate: propagate || isEverywhere } as const;
  const { created } = await stores.grants.ensure(holder, denial, null, id);
  return created ? 'done' : 'already';
}

export async function removeAgain(
  { stores }: Repeating,
  { grant_id: id }: Promised<'grant_removed'>,
): Promise<Repeated> {
  const grant = await stores.grants.lockById(id);
  if (grant === null) return 'unknown';
  if (grant.effect === 'deny') return 'already';
  await stores.grants.remove(id);
  return 'done';
}

/** A weaker grant of the same kind may be there already: then this one adds nothing, and goes. */
export async function lowerAgain(
  { stores }: Repeating,
  { grant_id: id, role }: Promised<'grant_lowered'>,
): Promise<Repeated> {
  const grant = await stores.grants.lockById(id);
  if (grant === null) return 'unknown';
  if (grant.effect === 'deny' || roleCovers(role, grant.role)) return 'already';
  const { peer_id: peerId } = grant;
  const twins = peerId === null ? [] : await stores.grants.ofPeer(peerId);
  const isGiven = twins.some(
    (twin) =>
      twin.effect === 'allow' &&
      twin.role === role &&
      twin.scopePath === grant.scope_path &&
      twin.propagate === grant.propagate,
  );
  if (isGiven) await stores.grants.remove(id);
  else await stores.grants.setRole(grant, role);
  return 'done';
}

export async function leaveCircleAgain(
  { stores }: Repeating,
  { circle_id: id, peer_id: peerId }: Promised<'circle_member_removed'>,
): Promise<Repeated> {
  if ((await stores.circles.find(id)) === null) return 'unknown';
  const members = await stores.circles.memberIds(id);
  if (!members.includes(peerId)) return 'already';
  await stores.circles.removeMembers(id, [peerId]);
  return 'done';
}

export async function deleteCircleAgain(
  { stores }: Repeating,
  { circle_id: id }: Promised<'circle_deleted'>,
): Promise<Repeated> {
  if ((await stores.circles.find(id)) === null) return 'unknown';
  await stores.circles.remove(id);
  return 'done';
}

export async function revokeAgain(
  { now, stores }: Repeating,
  { credential_id: id, ends_at: endsAt }: Promised<'key_revoked'>,
): Promise<Repeated> {
  if (!(await stores.credentials.has(id))) return 'unknown';
  const end = endsAt === null ? now : new Date(endsAt);
  if (end > now) {
    await stores.credentials.endAt(id, end);
    return 'done';
  }
  return (await stores.credentials.revoke(id, now)) === 'revoked' ? 'done' : 'already';
}

export async function closeLoginAgain(
  { now, stores }: Repeating,
  { for_good: isForGood, login_id: id }: Promised<'login_closed'>,
): Promise<Repeated> {
  const login = await stores.logins.lockById(id);
  if (login === null) return 'unknown';
  if (isForGood) await stores.logins.remove(id, now);
  else if (login.closed_at !== null) return 'already';
  else await stores.logins.close(id, now);
  return 'done';
}

/** The new password is not known here, and the old one must open nothing: an operator gives another one. */
export async function endPasswordAgain(
  { stores, unknownPassword }: Repeating,
  { login_id: id }: Promised<'password_changed'>,
): Promise<Repeated> {
  const login = await stores.logins.lockById(id);
  if (login === null) return 'unknown';
  await stores.logins.setPassword(id, await unknownPassword());
  return 'done';
}
