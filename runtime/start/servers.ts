/** Which servers run here and which the environment names, and how the service's processes reach each. */
import { EmbeddedError, startEmbedded, type EmbeddedStack } from '../../embedded/index.ts';
import type { Config, Settings } from '../config/index.ts';
import type { Variables } from '../config/model-settings.ts';
import type { ServerLine } from './banner.ts';
import type { ServiceName } from '../../embedded/names.ts';
import { NAMED_BY, SERVERS } from './named-by.ts';
import { embeddedAccess, prepareDatabase, prepareExternalDatabase } from './database.ts';

export interface StartOptions {
  readonly environment: Variables;
  /** The directory below which `.vouch/` lives. */
  readonly root: string;
  readonly say: (line: string) => void;
  /** Aborted by Ctrl-C while the start is under way. */
  readonly signal: AbortSignal;
  /** Set by a restore, which alone may start servers before it has ended. */
  readonly restoring?: boolean;
}

/** Starts the servers that no variable names. */
export function startServers({ settings }: Config, options: StartOptions): Promise<EmbeddedStack> {
  const ports = {
    api: settings.SERVICE_PORT,
    // 0 switches metrics off; ports are then chosen but not used.
    metrics: settings.SERVICE_METRICS_PORT === 0 ? undefined : settings.SERVICE_METRICS_PORT,
    postgres: settings.SERVICE_POSTGRES_PORT,
    temporal: settings.SERVICE_TEMPORAL_PORT,
    temporalUi: settings.SERVICE_TEMPORAL_UI_PORT,
    meilisearch: settings.SERVICE_MEILI_PORT,
    qdrant: settings.SERVICE_QDRANT_PORT,
  };
  return startEmbedded({
    root: options.root,
    env: options.environment,
    say: options.say,
    signal: options.signal,
    restoring: options.restoring ?? false,
    namespace: settings.TEMPORAL_NAMESPACE,
    external: SERVERS.filter((name) => settings[NAMED_BY[name]] !== undefined),
    ports: Object.fromEntries(Object.entries(ports).filter(([, port]) => port !== undefined)),
  });
}

/** Where each of the service's own processes shows its metrics; 0 for nowhere. */
export type MetricsPorts = Readonly<Record<ServiceName, number>>;

export function metricsPortsOf({ ports }: EmbeddedStack, { settings }: Config): MetricsPorts {
  if (settings.SERVICE_METRICS_PORT === 0) return { api: 0, worker: 0 };
  const { metrics: api, workerMetrics: worker } = ports;
  if (api === undefined || worker === undefined) throw new EmbeddedError('Metrics have no port.');
  return { api, worker };
}

/** The settings by which the service's own processes find every server. */
export async function connectionSettings(
  stack: EmbeddedStack,
  { settings }: Config,
): Promise<Readonly<Record<string, string>>> {
  const secretKey = settings.SERVICE_SECRET_KEY ?? stack.secretKey;
  return {
    SERVICE_SECRET_KEY: secretKey,
    DATABASE_URL: await databaseAddress(stack, settings, secretKey),
    TEMPORAL_ADDRESS: stack.temporal?.address ?? required(settings.TEMPORAL_ADDRESS),
    TEMPORAL_NAMESPACE: settings.TEMPORAL_NAMESPACE,
    ...temporalUi(stack, settings),
    ...indexAddresses(stack, settings),
    SERVICE_PORT: String(stack.ports.api),
  };
}

/** The UI beside our own server; of a server that runs elsewhere only a setting knows it. */
function temporalUi({ temporal }: EmbeddedStack, settings: Settings): Record<string, string> {
  const address = settings.SERVICE_TEMPORAL_UI_URL ?? temporal?.uiUrl;
  return address === undefined ? {} : { SERVICE_TEMPORAL_UI_URL: address };
}

function databaseAddress(
  stack: EmbeddedStack,
  settings: Settings,
  secretKey: string,
): Promise<string> {
  if (stack.postgres) return prepareDatabase(embeddedAccess(stack.postgres));
  return prepareExternalDatabase({
    databaseUrl: required(settings.DATABASE_URL),
    ownerUrl: settings.SERVICE_DATABASE_OWNER_URL,
    secretKey,
  });
}

function indexAddresses(
  { meilisearch, qdrant }: EmbeddedStack,
  settings: Settings,
): Readonly<Record<string, string>> {
  return {
    ...(meilisearch
      ? { MEILI_HOST: meilisearch.url, MEILI_MASTER_KEY: meilisearch.masterKey }
      : { MEILI_HOST: required(settings.MEILI_HOST) }),
    ...(qdrant
      ? { QDRANT_URL: qdrant.url, QDRANT_API_KEY: qdrant.apiKey }
      : { QDRANT_URL: required(settings.QDRANT_URL) }),
  };
}

function required(value: string | undefined): string {
  if (value === undefined)
    throw new EmbeddedError('The start neither runs nor finds a server that it needs.');
  return value;
}

/** Host and port of an address that may hold secrets. */
function publicAddress(address: string): string {
  const url = URL.parse(address);
  return url === null || url.host === '' ? address : url.host;
}

/** One line for each server, for the closing lines of the start. */
export function serverLines(
  stack: EmbeddedStack,
  connections: Readonly<Record<string, string>>,
): readonly ServerLine[] {
  return SERVERS.map((name) => ({
    name: {
      postgres: 'Postgres',
      temporal: 'Temporal',
      meilisearch: 'Meilisearch',
      qdrant: 'Qdrant',
    }[name],
    address: publicAddress(connections[NAMED_BY[name]] ?? ''),
    origin: stack[name] === undefined ? `from ${NAMED_BY[name]}` : 'embedded',
  }));
}
