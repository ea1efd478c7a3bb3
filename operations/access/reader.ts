/**
 * On whose behalf a read happens, and what it may reach: decided once per request, for every read.
 *
 * Scope authorisation is always the caller's own. A path that does not exist or may not be read contributes
 * nothing, its readable ancestors still do, and both cases answer alike. A named reader holds where the caller
 * may name one; in the other scopes the caller reads as itself. A linked scope is read like one of the chain.
 */
import { Refusal } from '../../domain/errors.ts';
import type { ScopedReader } from '../../domain/governance/scoped-reader.ts';
import type { ChainReader, Reader } from '../../domain/governance/visibility.ts';
import { holdsRoleAt, mayNameReader, type Caller } from '../../domain/identity/caller.ts';
import type { ProfileOverride } from '../../domain/retrieval/profile-override.ts';
import { openingsOf, type Openings } from '../../domain/identity/openings.ts';
import type { ScopePath } from '../../domain/scopes/path.ts';
import type { AuditEvent } from '../../stores/postgres/audit/audit.store.ts';
import type { ScopeRow } from '../../stores/postgres/scopes/scopes.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { auditActor } from '../audit-actor.ts';
import { membershipsOf } from './memberships.ts';
import { ownReader, peerReader } from './own-reader.ts';
import { pathsOf, scopesOfRead, type AskedScopes, type ReadScopes } from './scopes-of-read.ts';
import type { RequestContext } from '../operation.ts';

export interface AuthorisedRead extends ScopedReader {
  /** The path that was asked for, normalised; the first of several. */
  readonly scopePath: ScopePath;
  /** Existing scopes of the chains that the caller may read, outermost first; then the scopes linked to them. */
  readonly scopeIds: readonly string[];
  readonly openings: Openings;
  /** Those of the chains alone. */
  readonly chainScopeIds: readonly string[];
  /** The scope at the path itself; null where it is missing or not to be read. */
  readonly scopeId: string | null;
  /** The posture in which the path itself is read. */
  readonly posture: Reader['posture'];
  /** Scopes where the caller reads as curator; none when it reads for another peer. */
  readonly curatedScopeIds: readonly string[];
  /** What is set for the profile that the request names, nearest to the (first) path; null without one. */
  readonly profileOverride: ProfileOverride | null;
}

export interface ReadRequest extends AskedScopes {
  readonly peerKey: string | null;
  /** The same peer by its id, which goes before the key. */
  readonly peerId?: string | null;
}

/** Whom the request names as reader; null where it is nobody, or the caller itself. */
function namedBy(
  caller: Caller,
  { peerId = null, peerKey }: ReadRequest,
): { readonly id: string } | { readonly key: string } | null {
  if (peerId !== null) return peerId === caller.peerId ? null : { id: peerId };
  return peerKey === null || peerKey === caller.peerKey ? null : { key: peerKey };
}

/** What decides a read, in the transaction that it is given. */
export interface Authorisation {
  /** Whether it writes that a reader was named: then nothing may be read before its transaction is committed. */
  readonly records: boolean;
  readonly authorise: (stores: Stores) => Promise<AuthorisedRead>;
}

/**
 * Begins to authorise a read whose transaction decides the rest. Refuses with `forbidden` a person who may not name a
 * reader at each path, before the name is looked up. What it answers refuses with `unknown_peer` a name that no peer has.
 */
export function authorisationOf(
  { caller, operationId }: Pick<RequestContext<Caller>, 'caller' | 'operationId'>,
  request: ReadRequest,
): Authorisation {
  const named = namedBy(caller, request);
  const mayName = (): boolean => pathsOf(request).every((path) => mayNameReader(caller, path));
  if (named !== null && !mayName()) throw new Refusal('forbidden');
  const authorise = async (stores: Stores): Promise<AuthorisedRead> => {
    const found = await scopesOfRead(stores, caller, request);
    if (named === null) return readOf(stores, caller, request, found, null);
    const peer =
      'id' in named
        ? await stores.peers.findById(named.id)
        : await stores.peers.findByKey(named.key);
    if (peer === null) throw new Refusal('unknown_peer');
    // The nearest scope of each path that the caller may read; a path is no code.
    const places = new Set(found.nearest.map((scope) => scope?.id ?? null));
    const events = [...places].map((scopeId): AuditEvent => ({
      category: 'access',
      action: 'reader.named',
      actor: auditActor(caller),
      resourceType: 'peer',
      resourceId: peer.id,
      metadata: { operation: operationId ?? null, scope_id: scopeId },
    }));
    await stores.audit.record(...events);
    return readOf(stores, caller, request, found, peer.id);
  };
  return { records: named !== null, authorise };
}

/**
 * Resolves scope chain and reader. Without a named peer it reads as the caller's own peer, or of public statements
 * only when it has none. Naming another reader is recorded before anything is read, and is not answered unrecorded.
 * Refuses with `forbidden` a person who may not name a reader, before the name is
 * looked up, and with `unknown_peer` a name that no peer has.
 */
export async function authoriseRead(
  context: RequestContext<Caller>,
  request: ReadRequest,
): Promise<AuthorisedRead> {
  const { authorise, records } = authorisationOf(context, request);
  return context.inAccount(context.caller.accountId, authorise, { readOnly: !records });
}

/** The caller as its own reader, with what it is in the scopes. */
async function ownReaderIn(
  stores: Stores,
  caller: Caller,
  scopes: readonly ScopeRow[],
): Promise<Reader> {
  const { grants, peerId } = caller;
  if (peerId === null) return ownReader(caller);
  return peerReader(peerId, await membershipsOf(stores, peerId, scopes, grants));
}

async function readOf(
  stores: Stores,
  caller: Caller,
  { scopePath }: ReadRequest,
  found: ReadScopes,
  namedPeerId: string | null,
): Promise<AuthorisedRead> {
  const scopes = [...found.chain, ...found.linked];
  const read = {
    scopePath,
    scopeIds: scopes.map(({ id }) => id),
    openings: openingsOf(caller.grants, caller.pinPath),
    chainScopeIds: found.chain.map(({ id }) => id),
    scopeId: found.chain.find(({ path }) => path === scopePath)?.id ?? null,
    profileOverride: found.profileOverride,
  };
  if (namedPeerId === null) {
    const curated = scopes.filter(({ path }) => holdsRoleAt(caller, path, 'curator'));
    const own = await ownReaderIn(stores, caller, scopes);
    return {
      ...read,
      reader: own,
      posture: own.posture,
      curatedScopeIds: curated.map(({ id }) => id),
    };
  }
  const reader = peerReader(namedPeerId, await membershipsOf(stores, namedPeerId, scopes, null));
  const isWholly = caller.kind === 'machine';
  return {
    ...read,
    reader: isWholly
      ? reader
      : whereNamed(caller, reader, await ownReaderIn(stores, caller, scopes), scopes),
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
