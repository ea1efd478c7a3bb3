/** Plans the servers to run from the ports, secrets and directories of a stack. */
import { createHash } from 'node:crypto';
import type { DataDirectory } from './data-dir.ts';
import { EmbeddedError } from './errors.ts';
import { type EmbeddedMeilisearch, meilisearchServer } from './servers/meilisearch.ts';
import type { EnvironmentVariables, Say, ServerName } from './names.ts';
import type { PortName, Ports } from './port-numbers.ts';
import type { PostgresHome } from './servers/postgres-home.ts';
import { postgresServer, type PostgresSettings, postgresSettings } from './servers/postgres.ts';
import { qdrantServer, type EmbeddedQdrant } from './servers/qdrant.ts';
import type { ServerSpec } from './processes/server-process.ts';
import type { EmbeddedState } from './state.ts';
import { findTemporal } from './temporal-program/find.ts';
import type { InstallOversight } from './temporal-program/build.ts';
import { temporalServer, type EmbeddedTemporal, temporalSettings } from './servers/temporal.ts';

export interface StackPlan {
  readonly directory: DataDirectory;
  readonly secrets: EmbeddedState['secrets'];
  readonly ports: Ports;
  readonly durable: boolean;
  readonly namespace: string;
  readonly env: EnvironmentVariables;
  readonly say: Say;
  readonly oversight: InstallOversight;
  /** Finds the directory of Postgres; called once, and only if Postgres is one of the servers. */
  homePostgres(): Promise<PostgresHome>;
}

/** How to connect to each server that runs here; undefined for a server that runs elsewhere. */
export interface StackSettings {
  readonly postgres: PostgresSettings | undefined;
  readonly temporal: EmbeddedTemporal | undefined;
  readonly meilisearch: EmbeddedMeilisearch | undefined;
  readonly qdrant: EmbeddedQdrant | undefined;
}

/** A server to run and its part of the settings. */
export interface PlannedServer {
  readonly spec: ServerSpec;
  readonly settings: Partial<StackSettings>;
}

/** The listeners that each server needs a port for. */
export const serverPorts: Readonly<Record<ServerName, readonly PortName[]>> = {
  postgres: ['postgres'],
  temporal: ['temporal', 'temporalUi', 'temporalHttp', 'temporalMetrics'],
  meilisearch: ['meilisearch'],
  qdrant: ['qdrant'],
};

/** Prepares one server: program found and checked, data in place, command line complete. */
export function planServer(name: ServerName, plan: StackPlan): Promise<PlannedServer> {
  return planners[name](plan);
}

const planners: Readonly<Record<ServerName, (plan: StackPlan) => Promise<PlannedServer>>> = {
  async postgres(plan) {
    const port = portOf(plan, 'postgres');
    const spec = await postgresServer({
      home: await plan.homePostgres(),
      logFile: plan.directory.logFile('postgres'),
      port,
      password: plan.secrets.postgresSuperuser,
      durable: plan.durable,
      env: plan.env,
      say: plan.say,
    });
    return { spec, settings: { postgres: postgresSettings(port, plan.secrets) } };
  },

  async temporal(plan) {
    const program = await findTemporal({ env: plan.env, say: plan.say, ...plan.oversight });
    const options = {
      program: program.path,
      databaseFile: plan.directory.temporalDatabase,
      logFile: plan.directory.logFile('temporal'),
      namespace: plan.namespace,
      proof: proofOf(plan.secrets.service),
      ports: {
        grpc: portOf(plan, 'temporal'),
        ui: portOf(plan, 'temporalUi'),
        http: portOf(plan, 'temporalHttp'),
        metrics: portOf(plan, 'temporalMetrics'),
      },
      durable: plan.durable,
      env: plan.env,
    };
    return { spec: temporalServer(options), settings: { temporal: temporalSettings(options) } };
  },

  async meilisearch(plan) {
    const port = portOf(plan, 'meilisearch');
    const masterKey = plan.secrets.meilisearchMasterKey;
    const spec = await meilisearchServer({
      directory: plan.directory.meilisearch,
      logFile: plan.directory.logFile('meilisearch'),
      port,
      masterKey,
      durable: plan.durable,
      env: plan.env,
    });
    return { spec, settings: { meilisearch: { url: `http://127.0.0.1:${port}`, masterKey } } };
  },

  async qdrant(plan) {
    const port = portOf(plan, 'qdrant');
    const apiKey = plan.secrets.qdrantApiKey;
    const spec = await qdrantServer({
      directory: plan.directory.qdrant,
      logFile: plan.directory.logFile('qdrant'),
      port,
      apiKey,
      durable: plan.durable,
      env: plan.env,
    });
    return { spec, settings: { qdrant: { url: `http://127.0.0.1:${port}`, apiKey } } };
  },
};

/** A name that nobody has who does not have the secret, and that tells nothing of it. */
function proofOf(secret: string): string {
  return `installation-${createHash('sha256').update(`temporal ${secret}`).digest('hex').slice(0, 32)}`;
}

function portOf(plan: StackPlan, name: PortName): number {
  const port = plan.ports[name];
  if (port === undefined) throw new EmbeddedError(`The start chose no port for ${name}.`);
  return port;
}
