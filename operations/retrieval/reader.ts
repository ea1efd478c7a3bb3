/**
 * On whose behalf a read happens, and what it may reach: decided once per request, for every read.
 *
 * Scope authorisation is always the caller's own. A path that does not exist or may not be read contributes
 * nothing, its readable ancestors still do, and both cases answer alike. A named reader holds where the caller
 * may name one; in the other scopes of the chain the caller reads as itself.
 */
import { Refusal } from '../../domain/errors.ts';
import type { ChainReader, Reader } from '../../domain/governance/visibility.ts';
import {
  holdsRoleAt,
  mayNameReader,
  readableChain,
  type Caller,
} from '../../domain/identity/caller.ts';
import type { ScopePath } from '../../domain/scopes/path.ts';
import type { ScopeRow } from '../../stores/postgres/scopes.store.ts';
import { auditActor } from '../audit-actor.ts';
import type { RequestContext } from '../operation.ts';

export interface AuthorisedRead {
  /** The path that was asked for, normalised. */
  readonly scopePath: ScopePath;
  /** Existing scopes of the chain that the caller may read, outermost first. */
  readonly scopeIds: readonly string[];
  readonly reader: ChainReader;
  /** The posture in which the path itself is read. */
  readonly posture: Reader['posture'];
  /** Scopes of the chain where the caller reads as curator; none when it reads for another peer. */
  readonly curatedScopeIds: readonly string[];
}

/**
 * Resolves scope chain and reader. `peerKey` null reads as the caller's own peer, or of public statements
 * only when it has none. Refuses with `forbidden` a person who may not name a reader, before the name is
 * looked up, and with `unknown_peer` a name that no peer has.
 */
export async function authoriseRead(
  { caller, inAccount }: RequestContext<Caller>,
  request: {
    readonly scopePath: ScopePath;
    readonly peerKey: string | null;
    /** Whether to read also in scopes that are linked to those of the chain; left out: no. */
    readonly crossLinks?: boolean;
  },
): Promise<AuthorisedRead> {
  const { scopePath, peerKey } = request;
  const named = peerKey !== null && peerKey !== caller.peerKey ? peerKey : null;
  if (named !== null && !mayNameReader(caller, scopePath)) throw new Refusal('forbidden');
  const { scopes, namedPeerId } = await inAccount(caller.accountId, async (stores) => {
    const scopes = await stores.scopes.find(readableChain(caller, scopePath));
    if (named === null) return { scopes, namedPeerId: null };
    const peer = await stores.peers.findByKey(named);
    if (peer === null) throw new Refusal('unknown_peer');
    await stores.audit.record({
      category: 'access',
      action: 'reader.named',
      actor: auditActor(caller),
      resourceType: 'peer',
      resourceId: peer.id,
    });
    return { scopes, namedPeerId: peer.id };
  });
  const own = readerFor(caller.peerId);
  const read = { scopePath, scopeIds: scopes.map((scope) => scope.id) };
  if (namedPeerId === null) {
    const curated = scopes.filter(({ path }) => holdsRoleAt(caller, path, 'curator'));
    return {
      ...read,
      reader: own,
      posture: own.posture,
      curatedScopeIds: curated.map(({ id }) => id),
    };
  }
  const reader = readerFor(namedPeerId);
  return {
    ...read,
    reader: caller.kind === 'machine' ? reader : whereNamed(caller, reader, own, scopes),
    posture: reader.posture,
    curatedScopeIds: [],
  };
}

/** The named reader in those of the scopes where the person may name one, the person in all others. */
function whereNamed(
  caller: Caller,
  named: Reader,
  otherwise: Reader,
  scopes: readonly ScopeRow[],
): ChainReader {
  // As `mayNameReader` says of a person.
  const nameable = scopes.filter(({ path }) => holdsRoleAt(caller, path, 'curator'));
  return { posture: 'named', named, otherwise, scopeIds: nameable.map(({ id }) => id) };
}

function readerFor(peerId: string | null): Reader {
  return peerId === null ? { posture: 'public_only' } : { posture: 'peer', peerId };
}
