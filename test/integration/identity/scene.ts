/** A database of its own, the identity services on it, and operations called as a door calls them. */
import type { DatabasePool } from 'slonik';
import { Client } from 'pg';
import type { z } from 'zod';
import { buildIdentity } from '../../../runtime/container/identity.ts';
import type { Clock } from '../../../runtime/identity/authenticator.ts';
import { execute } from '../../../operations/execute.ts';
import { bootstrap } from '../../../operations/identity/bootstrap.ts';
import type { Access, Operation, RequestContext } from '../../../operations/operation.ts';
import type { Environment } from '../../../operations/environment.ts';
import { Directory } from '../../../stores/postgres/identity/directory.ts';
import { createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import { openPool } from '../../../stores/postgres/pool.ts';
import { createTestDatabase } from '../../support/database.ts';

export const PASSWORD = 'correct horse battery';

type Members = Pick<
  Environment,
  'authenticate' | 'directory' | 'inAccount' | 'passwords' | 'secrets' | 'settings' | 'signInLimits'
>;

const MEMBERS: Readonly<Record<keyof Environment, true>> = {
  inAccount: true,
  directory: true,
  authenticate: true,
  recordObservation: true,
  isSettled: true,
  blobs: true,
  search: true,
  indexes: true,
  models: true,
  doorbell: true,
  sweep: true,
  text: true,
  passwords: true,
  secrets: true,
  signInLimits: true,
  readiness: true,
  extraction: true,
  settings: true,
};

/** Throws as soon as it is called, or anything of it is read. */
function untouchable(name: string): unknown {
  const touched = (): never => {
    throw new Error(`an operation of this test may not touch ${name}`);
  };
  return new Proxy(touched, { apply: touched, get: touched });
}

/** An environment of which only these members may be touched: any other one throws. Copies of it do the same. */
export function onlyThese(members: Partial<Environment>): Environment {
  const others = Object.keys(MEMBERS).map((name) => [name, untouchable(name)]);
  return { ...(Object.fromEntries(others) as Environment), ...members };
}

export interface Scene {
  readonly pool: DatabasePool;
  readonly environment: Members;
  readonly adminUrl: string;
  readonly appUrl: string;
  /** Epoch milliseconds of the scene's clock, which stands still until moved. */
  clock: number;
  run<O extends Operation>(
    operation: O,
    input: unknown,
    context?: Partial<RequestContext>,
  ): Promise<z.output<O['output']>>;
  /** Rows as the superuser sees them, behind row security. */
  rows(query: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  bootstrap(): Promise<{ accountId: string; token: string; peerId: string }>;
  close(): Promise<void>;
}

export async function createScene(options: { unattended?: boolean } = {}): Promise<Scene> {
  const database = await createTestDatabase();
  const pool = await openPool(database.appUrl, { maxPoolSize: 8 });
  // Slonik tells the pool of a failed query before it throws; a listener is not needed.
  pool.on('error', () => undefined);
  const admin = new Client({ connectionString: database.adminUrl });
  await admin.connect();
  const clock: Clock = { now: () => new Date(scene.clock), monotonicMs: () => scene.clock };
  const environment: Members = {
    ...buildIdentity({ db: pool, attemptHashKey: new Uint8Array(32).fill(7), clock }),
    directory: new Directory(pool),
    inAccount: createRefusingInAccount(pool),
    settings: {
      minimalRecall: false,
      passwordTokenTtlMs: 3_600_000,
      unattended: options.unattended ?? false,
    },
  };
  const scene: Scene = {
    pool,
    environment,
    adminUrl: database.adminUrl,
    appUrl: database.appUrl,
    clock: Date.now(),
    run: <O extends Operation>(operation: O, input: unknown, context?: Partial<RequestContext>) =>
      execute<Access, O['input'], O['output']>(
        operation,
        {
          ...onlyThese(environment),
          caller: null,
          traceId: '0'.repeat(32),
          now: new Date(scene.clock),
          signal: new AbortController().signal,
          clientAddress: null,
          idempotency: null,
          ...context,
        },
        input,
      ),
    rows: async (query, values) => {
      const { rows } = await admin.query<Record<string, unknown>>(query, [...(values ?? [])]);
      return rows;
    },
    bootstrap: async () => {
      const made = await scene.run(bootstrap, { email: 'admin@example.org', password: PASSWORD });
      if (made.account_id === null || made.token === null || made.peer_id === null) {
        throw new Error('bootstrap changed nothing');
      }
      return { accountId: made.account_id, token: made.token, peerId: made.peer_id };
    },
    close: async () => {
      await admin.end();
      await pool.end();
      await database.drop();
    },
  };
  return scene;
}
