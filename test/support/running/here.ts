/**
 * The whole service in this process: HTTP door, doorbell and worker on the real servers, with a database, search
 * indexes and task queues of its own.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { createApp } from '../../../api/app.ts';
import { startServer } from '../../../api/server.ts';
import { execute } from '../../../operations/execute.ts';
import { bootstrap } from '../../../operations/identity/bootstrap.ts';
import type { Access } from '../../../operations/operation.ts';
import { operations, type OperationTable } from '../../../operations/registry.ts';
import { loadConfig } from '../../../runtime/config/index.ts';
import { parseTrustedProxies } from '../../../runtime/config/trusted-proxies.ts';
import { createContainer, type Container } from '../../../runtime/container/index.ts';
import { buildLaneActivities } from '../../../runtime/container/lanes.ts';
import type { Log, LogFields } from '../../../engine/logging/logger.ts';
import { loadWorkflowBundle } from '../../../runtime/temporal/prebuilt-bundle.ts';
import { installRuntime } from '../../../runtime/temporal/runtime.ts';
import { startWorkers } from '../../../runtime/temporal/worker.ts';
import { adminEmailOf, PASSWORD } from '../account.ts';
import { createTestDatabase } from '../database.ts';
import { serverVariables } from '../environment.ts';
import { dropIndexes } from '../indexes.ts';
import { HANGS_MS } from '../patience.ts';
import type { FirstAccount, Running } from './running.ts';

/** Each connection has memory of its own in the server, and plans what it has not asked yet. */
const POOL_SIZE = 6;

/** The key of the account that a service begins with. */
export const FIRST = 'home';

export interface RunningHere extends Running {
  /** Another door to the same service, with other operations behind it. */
  openDoor(table?: OperationTable): Promise<string>;
}

type Settings = Readonly<Record<string, string>>;
type Steps = (() => Promise<unknown>)[];

function errorLog(errors: string[]): Log {
  return {
    info() {},
    warn() {},
    error: (event: string, fields?: LogFields) =>
      void errors.push(`${event} ${JSON.stringify(fields ?? {})}`),
  };
}

/** Starts a worker and answers how it is stopped. The runtime must be installed. */
async function startWorker(container: Container, log: Log): Promise<() => Promise<void>> {
  const { temporalAddress, namespace, queuePrefix, buildSha } = container.temporal;
  const stopping = new AbortController();
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const workers = await startWorkers({
    connection,
    namespace,
    queuePrefix,
    bundle: loadWorkflowBundle(),
    log,
    identity: 'worker',
    buildSha,
    activities: buildLaneActivities(container, log, stopping.signal),
  });
  return async () => {
    stopping.abort();
    await workers.close();
    await connection.close();
  };
}

/** A folder that goes with the service, or else with the process. */
function temporaryBlobs(steps: Steps): string {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-blobs-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  steps.push(async () => {
    process.off('exit', remove);
    remove();
  });
  return folder;
}

function environmentOf(databaseUrl: string, blobs: string, settings: Settings): Settings {
  return {
    DATABASE_URL: databaseUrl,
    ...serverVariables(),
    SERVICE_SECRET_KEY: randomBytes(32).toString('hex'),
    SERVICE_BLOB_STORE: blobs,
    SERVICE_DATABASE_POOL_SIZE: `${POOL_SIZE}`,
    ...settings,
  };
}

/** A container of a process on the servers, ready to serve. Its end is a step of `steps`. */
async function openContainer(environment: Settings, prefix: string, log: Log, steps: Steps) {
  const container = await createContainer(loadConfig(environment), log, {
    identity: 'api',
    queuePrefix: prefix,
    indexPrefix: prefix,
    // What a deadline drops is tested without a machine: here every part has its time.
    patienceMs: HANGS_MS,
  });
  steps.push(() => container.close());
  container.db.on('error', () => undefined);
  await container.prepare();
  return container;
}

async function bootstrapped(operate: Running['operate']): Promise<FirstAccount> {
  const made = await operate(bootstrap, {
    account: FIRST,
    email: adminEmailOf(FIRST),
    password: PASSWORD,
  });
  const { account_id: accountId, token, expires_at: expiresAt } = made;
  if (accountId === null || token === null || expiresAt === null) {
    throw new Error('bootstrap changed nothing');
  }
  return { accountId, token, expiresAt };
}

/** Undoes the steps of a start, the last one first. */
async function undo(steps: Steps): Promise<void> {
  for (const step of steps.splice(0).toReversed()) await step();
}

async function start(settings: Settings, steps: Steps): Promise<RunningHere> {
  const prefix = `s${randomBytes(5).toString('hex')}`;
  const errors: string[] = [];
  const log = errorLog(errors);
  const database = await createTestDatabase();
  steps.push(
    () => database.drop(),
    () => dropIndexes(prefix),
  );
  const blobs = temporaryBlobs(steps);
  const environment = environmentOf(database.appUrl, blobs, settings);
  const container = await openContainer(environment, prefix, log, steps);
  installRuntime(log);
  steps.push(() => Runtime.instance().shutdown());
  steps.push(await startWorker(container, log));
  const serve = async ({ environment: of }: Container, table: OperationTable = operations) => {
    const trustedProxies = parseTrustedProxies(settings['SERVICE_TRUSTED_PROXIES'] ?? '');
    const config = { ratePerSecond: null, publicHttps: false, trustedProxies };
    const app = createApp({ environment: of, log, operations: table, config });
    const server = await startServer(app, { host: '127.0.0.1', port: 0 });
    steps.push(() => server.close(1_000));
    return server.url;
  };
  const url = await serve(container);
  container.actors.sweep.start();
  const operate: Running['operate'] = (operation, input) =>
    execute<Access, (typeof operation)['input'], (typeof operation)['output']>(
      operation,
      container.operatorContext(),
      input,
    );
  return {
    url,
    adminUrl: database.adminUrl,
    first: await bootstrapped(operate),
    operate,
    openDoor: async (table) =>
      serve(table ? container : await openContainer(environment, prefix, log, steps), table),
    errors: () => Promise.resolve(errors),
    close: () => undo(steps),
  };
}

/** Starts it all. `settings` are environment variables, as an operator would set them. */
export async function startHere(settings: Settings = {}): Promise<RunningHere> {
  const steps: Steps = [];
  try {
    return await start(settings, steps);
  } catch (error) {
    await undo(steps);
    throw error;
  }
}
