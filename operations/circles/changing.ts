/** How a circle changes, behind every door: under a lock of its scope, within its bounds, and on the record. */
import {
  MOST_CIRCLES_OF_SCOPE,
  MOST_MEMBERS_OF_CIRCLE,
  mostCirclesOfPeerAt,
} from '../../domain/circles/bounds.ts';
import { planMembers } from '../../domain/circles/members.ts';
import { invalidField, Refusal, type FieldProblem } from '../../domain/errors.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { ScopePath } from '../../domain/scopes/path.ts';
import type { AuditEvent } from '../../stores/postgres/audit/audit.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { auditActor } from '../audit-actor.ts';
import type { WholeCircle } from './circle-output.ts';

export interface CircleName {
  readonly scopePath: ScopePath;
  readonly name: string;
}

/** Keys of peers. `members` makes the circle if it does not exist; the other two need one that exists. */
export interface CircleChange extends CircleName {
  /** Whether a circle that exists is refused with `conflict`. */
  readonly onlyNew: boolean;
  readonly members: readonly string[] | null;
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** The ids of peers by their keys. The refusal names all unknown keys at once. */
async function peersOf({ peers }: Stores, change: CircleChange) {
  const lists = [
    ['members', change.members ?? []],
    ['add', change.add],
    ['remove', change.remove],
  ] as const;
  const keys = new Set(lists.flatMap(([, list]) => list));
  const found = await peers.findByKeys([...keys]);
  const ids = new Map(found.map(({ id, key }) => [key, id]));
  const fields = lists.flatMap(([name, list]) =>
    list.flatMap((key, place): FieldProblem[] =>
      ids.has(key)
        ? []
        : [{ path: `${name}.${place}`, message: 'must be the key of a peer of this account' }],
    ),
  );
  if (fields.length > 0) throw new Refusal('unknown_peer', { fields });
  return (list: readonly string[]) => list.flatMap((key) => ids.get(key) ?? []);
}

/** The scope of the circle, its row held until the end; null where nothing was written to it yet. */
async function lockedScope({ scopes }: Stores, path: ScopePath): Promise<string | null> {
  const [scope] = await scopes.find([path]);
  if (scope === undefined) return null;
  await scopes.lock(scope.id);
  return scope.id;
}

/** Refuses peers that are members of as many circles of the scope as a peer may be. */
async function refuseFull(
  { circles }: Stores,
  scopeId: string,
  change: CircleChange,
  added: readonly string[],
  idsOf: (keys: readonly string[]) => readonly string[],
): Promise<void> {
  const most = mostCirclesOfPeerAt(change.scopePath);
  const counts = await circles.countsInScope(scopeId, added);
  const full = new Set(counts.filter((row) => row.circles >= most).map((row) => row.peer_id));
  if (full.size === 0) return;
  const [field, keys] =
    change.members === null
      ? (['add', change.add] as const)
      : (['members', change.members] as const);
  throw new Refusal('invalid_request', {
    fields: idsOf(keys).flatMap((id, place): FieldProblem[] =>
      full.has(id)
        ? [
            {
              path: `${field}.${place}`,
              message: `is a member of ${most} circles of this scope, which is the most`,
            },
          ]
        : [],
    ),
  });
}

async function circleToChange(
  stores: Stores,
  { members, name, onlyNew, scopePath }: CircleChange,
): Promise<{ readonly id: string; readonly scopeId: string; readonly isNew: boolean }> {
  const { circles, scopes } = stores;
  if (members !== null) await scopes.ensureChain(scopePath);
  const scopeId = await lockedScope(stores, scopePath);
  if (scopeId === null) throw new Refusal('not_found');
  const [found] = await circles.named([scopeId], [name]);
  if (found !== undefined && onlyNew) {
    throw new Refusal('conflict', {
      fields: [{ path: 'name', message: 'a circle of that name exists at the scope' }],
    });
  }
  if (found !== undefined) return { id: found.id, scopeId, isNew: false };
  if (members === null) throw new Refusal('not_found');
  if ((await circles.countOfScope(scopeId)) >= MOST_CIRCLES_OF_SCOPE) {
    throw invalidField('name', `the scope has ${MOST_CIRCLES_OF_SCOPE} circles, which is the most`);
  }
  return { id: await circles.insert(scopeId, name), scopeId, isNew: true };
}

/** The circle of that id with its members. */
export async function wholeCircle({ circles }: Stores, id: string): Promise<WholeCircle | null> {
  const circle = await circles.find(id);
  return circle === null ? null : { circle, members: await circles.members(id) };
}

/** Makes the change, and says whether it changed anything. Who may make it is for its operation to decide. */
export async function changeCircle(
  caller: Caller | null,
  stores: Stores,
  change: CircleChange,
): Promise<WholeCircle & { readonly changed: boolean }> {
  const { circles } = stores;
  const idsOf = await peersOf(stores, change);
  const { id, isNew, scopeId } = await circleToChange(stores, change);
  const current = isNew ? [] : await circles.memberIds(id);
  const { added, count, removed } = planMembers(current, {
    replace: change.members === null ? null : idsOf(change.members),
    add: idsOf(change.add),
    remove: idsOf(change.remove),
  });
  if (count > MOST_MEMBERS_OF_CIRCLE) {
    throw invalidField('add', `a circle has ${MOST_MEMBERS_OF_CIRCLE} members at most`);
  }
  if (removed.length > 0) await circles.removeMembers(id, removed);
  if (added.length > 0) {
    await refuseFull(stores, scopeId, change, added, idsOf);
    await circles.addMembers(id, added, caller?.peerId ?? null);
  }
  const about = eventsAbout(caller, id);
  await stores.audit.record(
    ...(isNew ? [about('circle.created', { scope_id: scopeId })] : []),
    ...removed.map((peerId) => about('circle.member_removed', { peer_id: peerId })),
    ...added.map((peerId) =>
      about('circle.member_added', { peer_id: peerId, themself: peerId === caller?.peerId }),
    ),
  );
  const whole = await wholeCircle(stores, id);
  if (whole === null) throw new Error('a circle under the lock of its scope is gone');
  return { ...whole, changed: isNew || added.length + removed.length > 0 };
}

/** Events about one circle. Its name is a text that people chose, so the record has its id alone. */
function eventsAbout(caller: Caller | null, circleId: string) {
  return (action: string, metadata: NonNullable<AuditEvent['metadata']>): AuditEvent => ({
    category: 'governance',
    action,
    actor: auditActor(caller),
    resourceType: 'circle',
    resourceId: circleId,
    metadata,
  });
}

/** Deletes the circle, and answers its id. Throws `not_found`. */
export async function deleteCircleOf(
  caller: Caller | null,
  stores: Stores,
  { name, scopePath }: CircleName,
): Promise<string> {
  const scopeId = await lockedScope(stores, scopePath);
  const [circle] = scopeId === null ? [] : await stores.circles.named([scopeId], [name]);
  if (circle === undefined) throw new Refusal('not_found');
  const members = await stores.circles.memberIds(circle.id);
  await stores.circles.remove(circle.id);
  const about = eventsAbout(caller, circle.id);
  await stores.audit.record(
    about('circle.deleted', { scope_id: circle.scope_id, members: members.length }),
  );
  return circle.id;
}
