/** The readers whose sight is recorded: who was there, who was not, whom the statements are about, and nobody. */
import type { ChainReader, Reader } from '../../../domain/governance/visibility.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { membershipsOf } from '../../../operations/access/memberships.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { path, type Scene } from '../observations/scene.ts';

export interface Watcher {
  readonly name: string;
  readonly reader: ChainReader;
  /** The peer as whom the reader reads in a scope; null reads public statements only. */
  readonly peerIn: (scopeId: string) => string | null;
  /** Peers without whom the reader no longer reads. */
  readonly peerIds: readonly string[];
  /** Who asks the service for it, and the reader that is named. */
  readonly caller: Caller;
  readonly peerKey: string | null;
}

/** Who has passed on everything, who is spoken of and speaks, who speak, and who only reads. */
const PEERS = ['agent', 'alice', 'bob', 'carol', 'cura'] as const;

interface Place {
  readonly accountId: string;
  readonly scopeIds: Readonly<Record<'/' | '/team', string>>;
  readonly peerIds: ReadonlyMap<string, string>;
}

async function placeOf(scene: Scene, accountId: string): Promise<Place> {
  const scopes = await scene.rows('select id, path from scopes where account_id = $1', [accountId]);
  const peers = await scene.rows('select id, key from peers where account_id = $1', [accountId]);
  const scopeId = (of: string) => String(scopes.find((scope) => scope['path'] === of)?.['id']);
  return {
    accountId,
    scopeIds: { '/': scopeId('/'), '/team': scopeId('/team') },
    peerIds: new Map(peers.map(({ id, key }) => [String(key), String(id)])),
  };
}

function callerOf({ accountId, peerIds }: Place, peerKey: string | null): Caller {
  return {
    accountId,
    credentialId: accountId,
    kind: 'machine',
    peerId: peerKey === null ? null : (peerIds.get(peerKey) ?? null),
    peerKey,
    pinPath: null,
    secretPolicy: 'keep',
    grants: [{ scopePath: path('/'), role: 'reader', effect: 'allow', propagate: true }],
  };
}

/** Carol, who is a curator of the team only and reads there as Bob, and as herself above it. */
function namer(place: Place): Watcher {
  const [carol, bob] = [place.peerIds.get('carol') ?? '', place.peerIds.get('bob') ?? ''];
  const team = place.scopeIds['/team'];
  const caller = callerOf(place, 'carol');
  const curator = {
    scopePath: path('/team'),
    role: 'curator',
    effect: 'allow',
    propagate: true,
  } as const;
  return {
    name: 'carol who names bob in the team',
    reader: {
      posture: 'named',
      named: { posture: 'peer', peerId: bob },
      scopeIds: [team],
      otherwise: { posture: 'peer', peerId: carol },
    },
    peerIn: (scopeId) => (scopeId === team ? bob : carol),
    peerIds: [bob, carol],
    caller: { ...caller, kind: 'human', grants: [...caller.grants, curator] },
    peerKey: 'bob',
  };
}

export async function watchersOf(scene: Scene, accountId: string) {
  const place = await placeOf(scene, accountId);
  const peers = PEERS.map((key): Watcher => {
    const caller = callerOf(place, key);
    const peerId = caller.peerId ?? '';
    return {
      name: key,
      reader: { posture: 'peer', peerId },
      peerIn: () => peerId,
      peerIds: [peerId],
      caller,
      peerKey: null,
    };
  });
  const nobody: Watcher = {
    name: 'nobody',
    reader: { posture: 'public_only' },
    peerIn: () => null,
    peerIds: [],
    caller: callerOf(place, null),
    peerKey: null,
  };
  return {
    watchers: [...peers, nobody, namer(place)],
    scopeIds: [place.scopeIds['/'], place.scopeIds['/team']],
  };
}

/** The watcher with what its peers are besides by now, as the service reads as it. */
export async function asOfToday(
  scene: Scene,
  accountId: string,
  watcher: Watcher,
): Promise<Watcher> {
  const complete = async (reader: Reader): Promise<Reader> => {
    if (reader.posture !== 'peer') return reader;
    const memberships = await createInAccount(scene.pool)(accountId, async (stores) =>
      membershipsOf(stores, reader.peerId, await stores.scopes.find(['/', '/team']), null),
    );
    return { ...reader, memberships };
  };
  const { reader } = watcher;
  if (reader.posture !== 'named') return { ...watcher, reader: await complete(reader) };
  const [named, otherwise] = [await complete(reader.named), await complete(reader.otherwise)];
  return { ...watcher, reader: { ...reader, named, otherwise } };
}
