/** Audit events on a real database: written as the service writes them, sealed by its sealer, read as superuser. */
import { randomUUID } from 'node:crypto';
import { createSealer, type Sealer } from '../../../engine/audit/sealer.ts';
import { AuditChainStore } from '../../../stores/postgres/audit/audit-chain.store.ts';
import { AuditStore } from '../../../stores/postgres/audit/audit.store.ts';
import { withAccount } from '../../../stores/postgres/pool.ts';
import { openTestDatabase, type OpenDatabase } from '../../support/database.ts';

export interface AuditScene extends OpenDatabase {
  readonly store: AuditChainStore;
  readonly sealer: Sealer;
  /** What the sealer was told of failures, since the start. */
  readonly failures: unknown[];
  /** A new account, by its key. */
  account(key: string): Promise<string>;
  /** Appends one event in a transaction of its own, as operations do; answers the id that it is about. */
  append(accountId: string): Promise<string>;
  /** Appends many at once, as superuser. */
  appendMany(accountId: string, count: number): Promise<void>;
  /** One pass of the sealer. */
  seal(): Promise<{ readonly sealed: number; readonly failed: number }>;
  /** Positions and ids of what events of the account are about, in the order of the chain; unsealed ones at the end. */
  chain(accountId: string): Promise<readonly { position: number | null; about: string }[]>;
}

const signal = new AbortController().signal;

/** `AuditStore.record` of one event. */
export function record(audit: AuditStore, about: string): Promise<void> {
  return audit.record({
    category: 'access',
    action: 'reader.named',
    actor: { kind: 'cli' },
    resourceType: 'peer',
    resourceId: about,
    metadata: { operation: 'memory.search', scope_id: null, count: 2 },
    contentHash: new Uint8Array(32).fill(7),
  });
}

export async function openAuditScene(): Promise<AuditScene> {
  const database = await openTestDatabase();
  const { pool, rows } = database;
  const store = new AuditChainStore(pool);
  const failures: unknown[] = [];
  const sealer = createSealer({ store, onFailure: (error) => failures.push(error) });
  return {
    ...database,
    store,
    sealer,
    failures,
    async account(key) {
      const id = randomUUID();
      await rows('insert into accounts (id, key, name) values ($1, $2, $2)', [id, key]);
      return id;
    },
    async append(accountId) {
      const about = randomUUID();
      await withAccount(pool, accountId, (tx) => record(new AuditStore(tx, accountId), about));
      return about;
    },
    async appendMany(accountId, count) {
      await rows(
        `insert into audit_events (account_id, id, category, action, actor_kind, resource_type, resource_id, metadata)
         select $1, gen_random_uuid(), 'observation', 'message.accepted', 'pipeline', 'message', gen_random_uuid(),
           jsonb_build_object('n', n) from generate_series(1, $2::integer) n`,
        [accountId, count],
      );
    },
    seal: () => sealer.pass(signal),
    async chain(accountId) {
      const found = await rows(
        `select chain_position::integer as position, resource_id as about from audit_events
         where account_id = $1 order by chain_position nulls last, occurred_at, id`,
        [accountId],
      );
      return found.map(({ about, position }) => ({
        about: String(about),
        position: position === null ? null : Number(position),
      }));
    },
  };
}
