/** Where scenarios play: the large account of the seed, its readers and its places. */
import type { Reader } from '../../../domain/governance/visibility.ts';
import type { KnowledgeState } from '../../../domain/statements/states.ts';
import type { ScopedReader } from '../../../domain/governance/scoped-reader.ts';
import { openingsOf } from '../../../domain/identity/openings.ts';
import { parseScopePath, ROOT_PATH } from '../../../domain/scopes/path.ts';
import type { AuditEvent } from '../../../stores/postgres/audit/audit.store.ts';
import { withAccount } from '../../../stores/postgres/pool.ts';
import { createStores, type Stores } from '../../../stores/postgres/stores.ts';
import { type Scene } from '../observations/scene.ts';
import type { CalledStores } from './stores.ts';
import { PEERS, SCOPES, seedId } from './seed.ts';

export interface Stage {
  readonly scene: Scene;
  readonly called: CalledStores;
  /** Messages of the large account. */
  readonly messages: number;
}

export interface Scenario {
  readonly name: string;
  run(stage: Stage): Promise<unknown>;
}

/** What is promised is on the record: a scenario that takes something from somebody records this. */
export const ON_THE_RECORD = {
  category: 'governance',
  action: 'circle.deleted',
  actor: { kind: 'cli' },
  resourceType: 'circle',
  resourceId: null,
} as const satisfies AuditEvent;

export const ACCOUNT = seedId('account', 0);
export const CREDENTIAL = seedId('credential', 0);
export const HOT = [seedId('scope', SCOPES.root), seedId('scope', SCOPES.hot)];
export const READERS: Readonly<Record<string, Reader>> = {
  'who submitted everything': { posture: 'peer', peerId: seedId('peer', PEERS.relay) },
  'whom a tenth is about': { posture: 'peer', peerId: seedId('peer', PEERS.hot) },
  'who may read little': { posture: 'peer', peerId: seedId('peer', 77) },
  'without a peer': { posture: 'public_only' },
  'in process': { posture: 'internal' },
};
/** The reader in the hot chain and, as its grants say, in nearly all other scopes: each message's scope is looked up. */
export const everywhere = (reader: Reader): ScopedReader => ({
  reader,
  scopeIds: HOT,
  openings: openingsOf(
    [
      { scopePath: ROOT_PATH, role: 'reader', effect: 'allow', propagate: true },
      {
        scopePath: parseScopePath('/wide/3') ?? ROOT_PATH,
        role: 'reader',
        effect: 'deny',
        propagate: true,
      },
    ],
    null,
  ),
});
export const PLACES: Readonly<Record<string, readonly string[]>> = {
  'the hot scope': HOT,
  'a scope of few readers': [seedId('scope', SCOPES.root), seedId('scope', SCOPES.secret)],
  'several chains of scopes': [
    ...HOT,
    ...Array.from({ length: 30 }, (_, n) => seedId('scope', SCOPES.expired + 1 + n)),
  ],
  'a scope that ran out': [seedId('scope', SCOPES.root), seedId('scope', SCOPES.expired)],
};
export const STATES: readonly KnowledgeState[] = [
  'active',
  'provisional',
  'proposed',
  'held',
  'superseded',
  'rejected',
];
export const RECENT = { olderThanMs: 300_000, limit: 100 } as const;
export const NOW = new Date().toISOString();
export const PAST = new Date(Date.now() - 20 * 86_400_000).toISOString();

/** Works with the stores of the large account, noting what is called of them. */
export const inLarge = <T>({ called, scene }: Stage, work: (stores: Stores) => Promise<T>) =>
  withAccount(scene.pool, ACCOUNT, (tx) => work(called.notingAll(createStores(tx, ACCOUNT))));

export function someIds(kind: 'message' | 'statement', stage: Stage, count = 50): string[] {
  return Array.from({ length: count }, (_, n) => seedId(kind, 1 + ((n * 7_919) % stage.messages)));
}
