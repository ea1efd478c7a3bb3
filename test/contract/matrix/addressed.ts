/** Rows of circles and audiences, in the account of the matrix. */
import { createHash } from 'node:crypto';
import { BELIEVED_FROM, idAt } from './plan.ts';
import { idOf, type Place, type Rows } from './row-set.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The id of the audience of these keys at the path, which is written with the rows; null for none. */
export function audienceOf(
  rows: Rows,
  { accountId, peerIds, scopeIds }: Place,
  path: string,
  keys: readonly string[] | undefined,
): string | null {
  if (keys === undefined) return null;
  const digest = sha256(JSON.stringify([accountId, path, keys]));
  const id = idAt(AUDIENCE, Number.parseInt(digest.slice(0, 11), 16));
  rows.add('audiences', { id, scope_id: idOf(scopeIds, path), digest: `\\x${digest}` });
  for (const key of keys) {
    rows.add('audience_members', { audience_id: id, principal: idOf(peerIds, key) });
  }
  return id;
}

/** The kind of ids that audiences have. */
const AUDIENCE = 90;

/** What a peer asked to be forgotten at the path; nothing acts by it. */
export function addHold(
  rows: Rows,
  { peerIds, scopeIds }: Pick<Place, 'peerIds' | 'scopeIds'>,
  hold: {
    readonly id: string;
    readonly path: string;
    readonly requester: string;
    readonly state: string;
  },
): void {
  const { id, path, requester, state } = hold;
  rows.add('forget_holds', {
    id,
    scope_id: idOf(scopeIds, path),
    requester_peer_id: idOf(peerIds, requester),
    kind: 'others',
    state,
    is_acting: state === 'upheld',
    sealed_key: `\\x${'00'.repeat(32)}`,
    opened_at: BELIEVED_FROM,
    due_at: BELIEVED_FROM,
    version: 1,
    decided_at: state === 'open' ? null : BELIEVED_FROM,
  });
}

/** A circle of the scope at the path, with the peers of these keys. */
export function addCircle(
  rows: Rows,
  { peerIds, scopeIds }: Pick<Place, 'peerIds' | 'scopeIds'>,
  circle: {
    readonly id: string;
    readonly name: string;
    readonly path: string;
    readonly members: readonly string[];
  },
): void {
  const { id, members, name, path } = circle;
  rows.add('circles', { id, name, scope_id: idOf(scopeIds, path), created_at: BELIEVED_FROM });
  for (const key of members) {
    rows.add('circle_members', {
      circle_id: id,
      peer_id: idOf(peerIds, key),
      added_at: BELIEVED_FROM,
    });
  }
}
