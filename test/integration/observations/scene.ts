/** An account with people, agents and keys on a database of its own, and the observation operations on it. */
import { createHash, randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import type { DatabasePool } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../../domain/identity/caller.ts';
import type { Role } from '../../../domain/identity/roles.ts';
import { parseScopePath, type ScopePath } from '../../../domain/scopes/path.ts';
import { execute } from '../../../operations/execute.ts';
import { ingestObservation } from '../../../operations/observations/ingest.ts';
import { readIngestStatus } from '../../../operations/observations/status.ts';
import type { RequestContext } from '../../../operations/operation.ts';
import type { Environment } from '../../../operations/environment/environment.ts';
import { buildObserving } from '../../../runtime/container/observations.ts';
import { createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import { Settlements } from '../../../stores/postgres/observations/settlements.ts';
import { openTestDatabase, type OpenDatabase } from '../../support/database.ts';

export interface CallOptions {
  readonly idempotencyKey?: string;
  readonly now?: Date;
  readonly signal?: AbortSignal;
}

export interface Rung {
  readonly accountId: string;
  readonly kind: string;
  readonly shard: number;
}

export function path(text: string): ScopePath {
  const parsed = parseScopePath(text);
  if (parsed === null) throw new Error('no scope path');
  return parsed;
}

export class Scene {
  readonly database: OpenDatabase;
  readonly pool: DatabasePool;
  /** As superuser: sees every account. */
  readonly admin: Client;
  readonly rung: Rung[] = [];
  readonly environment: Environment;
  readonly settlements: Settlements;

  private constructor(database: OpenDatabase) {
    this.database = database;
    this.pool = database.pool;
    this.admin = database.admin;
    const inAccount = createRefusingInAccount(this.pool);
    this.settlements = new Settlements(database.appUrl);
    // Operations about observations use nothing else.
    this.environment = {
      inAccount,
      ...buildObserving(this.pool, inAccount, this.settlements),
      audienceDigest: (names) => createHash('sha256').update(names).digest(),
      doorbell: { ring: (mailbox) => void this.rung.push(mailbox), ringNow: async () => true },
    } as Partial<Environment> as Environment;
  }

  /** `prepare` works on the empty database as superuser, before the service connects. */
  static async open(options?: Parameters<typeof openTestDatabase>[0]): Promise<Scene> {
    return new Scene(await openTestDatabase(options));
  }

  async close(): Promise<void> {
    await this.settlements.close();
    await this.database.close();
  }

  async account(): Promise<string> {
    const id = uuidv7();
    await this.admin.query('insert into accounts (id, key, name) values ($1, $2, $2)', [
      id,
      `account-${id}`,
    ]);
    await this.admin.query(
      "insert into scopes (account_id, id, path) values ($1, $2, '/') on conflict do nothing",
      [id, uuidv7()],
    );
    return id;
  }

  /** A peer with a credential; `key: null` makes a machine credential without a peer. */
  async caller(
    accountId: string,
    options: {
      readonly key: string | null;
      readonly kind?: 'machine' | 'human';
      readonly role?: Role;
      readonly at?: string;
      readonly pin?: string;
    },
  ): Promise<Caller> {
    const { key, kind = 'machine', role = 'member', at = '/' } = options;
    const peerId = key === null ? null : uuidv7();
    const credentialId = uuidv7();
    if (key !== null) {
      await this.admin.query(
        'insert into peers (account_id, id, key, name, kind) values ($1, $2, $3, $3, $4)',
        [accountId, peerId, key, kind === 'machine' ? 'agent' : 'human'],
      );
    }
    await this.admin.query(
      `insert into credentials (account_id, id, kind, secret_hash, peer_id) values ($1, $2, 'api_key', $3, $4)`,
      [accountId, credentialId, randomBytes(32), peerId],
    );
    return {
      accountId,
      credentialId,
      kind,
      peerId,
      peerKey: key,
      pinPath: options.pin === undefined ? null : path(options.pin),
      secretPolicy: 'keep',
      grants: [{ scopePath: path(at), role, effect: 'allow', propagate: true }],
    };
  }

  context(caller: Caller, options: CallOptions = {}): RequestContext {
    const { idempotencyKey } = options;
    return {
      ...this.environment,
      caller,
      traceId: randomBytes(16).toString('hex'),
      now: options.now ?? new Date(),
      signal: options.signal ?? new AbortController().signal,
      clientAddress: null,
      idempotency:
        idempotencyKey === undefined ? null : { key: idempotencyKey, path: '/api/v1/ingest' },
    };
  }

  async ingest(caller: Caller, body: Readonly<Record<string, unknown>>, options?: CallOptions) {
    const input = { session_id: 's1', scope_path: '/team', content: 'I live in Bergen.', ...body };
    return execute(ingestObservation, this.context(caller, options), input);
  }

  async status(caller: Caller, messageId: string, waitMs?: number, options?: CallOptions) {
    const input = { message_id: messageId, wait_ms: waitMs };
    return execute(readIngestStatus, this.context(caller, options), input);
  }

  rows(query: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]> {
    return this.database.rows(query, values);
  }

  async count(query: string, values: readonly unknown[] = []): Promise<number> {
    const [row] = await this.rows(`select count(*)::integer as n from (${query}) counted`, values);
    return Number(row?.['n']);
  }
}
