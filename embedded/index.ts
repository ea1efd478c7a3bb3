/**
 * The four servers of the service as children of this process, on loopback, with their data below
 * `.vouch/`: Postgres, Temporal with its UI, Meilisearch and Qdrant.
 *
 * A server that runs elsewhere is named as external and not started. All others start side by side.
 * When the start fails, every server that was started is stopped again.
 */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepChildList } from './processes/child-list.ts';
import { type DataDirectory, layOut, openDataDirectory } from './data-dir.ts';
import { EmbeddedError } from './errors.ts';
import { ephemeralFolder } from './ephemeral-folder.ts';
import { stopLeftovers } from './processes/leftovers.ts';
import { tryLock } from './lock.ts';
import { type EnvironmentVariables, type Say, type ServerName, serverNames } from './names.ts';
import { requirePackages, requirePlatform, thisPlatform } from './platform.ts';
import { portLock } from './port-lock.ts';
import { choosePorts, isFree, type PortName, type Ports, randomPorts } from './port-numbers.ts';
import { placePostgres, type PostgresHome } from './servers/postgres-home.ts';
import { assertNoRestore } from './restore-mark.ts';
import { identify } from './processes/process-identity.ts';
import { planServer, serverPorts, type StackPlan, type StackSettings } from './server-plan.ts';
import { type EmbeddedState, loadState, newState, saveState } from './state.ts';
import { type ServiceProcess, serviceServer } from './processes/service-process.ts';
import {
  type ChildStatus,
  type SupervisedServer,
  superviseServer,
  type SupervisorOptions,
} from './processes/supervisor.ts';
import { termThenKill } from './processes/terminate.ts';
import { type UndoStack, undoStack } from './undo.ts';
import { startWatchdog, type Watchdog } from './processes/watchdog-link.ts';

export { EmbeddedError } from './errors.ts';
export type { ServerName } from './names.ts';
export { defaultPorts } from './port-numbers.ts';

interface CommonOptions {
  /** PATH, HOME, XDG_CACHE_HOME, TEMPORAL_CLI_PATH and, for a build, Go's own names and the proxies. */
  readonly env: EnvironmentVariables;
  /** Takes the lines of progress. */
  readonly say: Say;
  /** Servers that run elsewhere and are not started here. */
  readonly external?: readonly ServerName[];
  /** Temporal's namespace; `vouch` unless given. */
  readonly namespace?: string;
  /** Gives up a start that is under way, such as a build that takes minutes. */
  readonly signal?: AbortSignal;
}

export interface LastingOptions extends CommonOptions {
  readonly ephemeral?: false;
  /** The directory below which `.vouch/` lives: absolute. */
  readonly root: string;
  /** Ports that the operator named; they are used or refused, never moved. */
  readonly ports?: Ports;
  /** Set by the restore itself: no other start may begin before it has ended. */
  readonly restoring?: boolean;
}

/** For tests: a temporary directory, in memory where there is room, random ports, nothing flushed to disk, removed at the end. */
export interface EphemeralOptions extends CommonOptions {
  readonly ephemeral: true;
}

export type EmbeddedOptions = LastingOptions | EphemeralOptions;

export interface EmbeddedStack extends StackSettings {
  /** The data directory. */
  readonly directory: string;
  /** Every port chosen, the service's own (`api`, `metrics`, `workerMetrics`) included. */
  readonly ports: Ports;
  /** The service's own key, generated at the first start and remembered. */
  readonly secretKey: string;
  /** The servers that run here, for display. */
  children(): readonly ChildStatus[];
  /**
   * Runs one of the service's own processes beside the servers: watched and restarted like them, and
   * stopped before them.
   * @throws EmbeddedError when its first start fails.
   */
  run(service: ServiceProcess): Promise<void>;
  /** Stops all servers, side by side, each with its deadline. Safe to call twice. */
  stop(): Promise<void>;
}

const ownPorts: readonly PortName[] = ['api', 'metrics', 'workerMetrics'];

/**
 * Starts the servers and resolves when all of them answer.
 * @throws EmbeddedError with one line for the operator; whatever was started is stopped again.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedStack> {
  requirePlatform(thisPlatform());
  const wanted = serverNames.filter((name) => options.external?.includes(name) !== true);
  requirePackages(wanted);
  for (let attempt = 1; ; attempt++) {
    const undo = undoStack();
    let chosen: Ports = {};
    try {
      return await start(options, wanted, undo, (ports) => (chosen = ports));
    } catch (error) {
      await undo.run().catch((problem: unknown) => {
        options.say(
          problem instanceof EmbeddedError
            ? problem.message
            : 'The start could not stop all servers.',
        );
      });
      if (attempt === START_ATTEMPTS || !(await lostPort(options, chosen))) throw error;
      options.say('Another program took a port in the meantime. Starting again with other ports.');
    }
  }
}

/** A port is checked before its server listens on it, so two starts at the same time may choose the same port. */
const START_ATTEMPTS = 3;

/** Whether another program has taken a port that this start chose; ports that the operator named do not count. */
async function lostPort(options: EmbeddedOptions, chosen: Ports): Promise<boolean> {
  const named = options.ephemeral === true ? {} : (options.ports ?? {});
  const free = await Promise.all(
    Object.entries(chosen)
      .filter(([name]) => !(name in named))
      .map(([, port]) => isFree(port)),
  );
  return free.includes(false);
}

async function start(
  options: EmbeddedOptions,
  wanted: readonly ServerName[],
  undo: UndoStack,
  onPorts: (ports: Ports) => void,
): Promise<EmbeddedStack> {
  const uid = process.getuid?.() ?? 0;
  const directory = openDirectory(options, uid, undo);
  await holdLock(directory, options, undo);
  await stopLeftovers(directory.childrenFile, options.say);
  const watchdog = startWatchdog(options.say);
  undo.push(() => watchdog.close());
  if (options.ephemeral === true) watchdog.removeAfterwards(directory.path);

  const remembered = options.ephemeral === true ? newState() : loadState(directory);
  const ports = await portsFor(options, remembered, wanted, undo);
  onPorts(ports);
  let state: EmbeddedState = { ...remembered, ports: { ...remembered.ports, ...ports } };
  saveState(directory, state);

  const failed = new AbortController();
  const cancelled = AbortSignal.any([failed.signal, ...(options.signal ? [options.signal] : [])]);
  const plan: StackPlan = {
    directory,
    secrets: state.secrets,
    ports,
    durable: options.ephemeral !== true,
    namespace: options.namespace ?? 'vouch',
    env: options.env,
    say: options.say,
    oversight: { cancelled, guard: (pid) => guard(watchdog, pid) },
    async homePostgres() {
      const home = await placePostgres({
        directory,
        remembered: state.postgresHome,
        uid,
        say: options.say,
      });
      undo.push(() => home.release());
      if (home.path !== directory.postgresHome) {
        state = { ...state, postgresHome: home.path };
        saveState(directory, state);
        if (options.ephemeral === true) removeAtEnd(home, watchdog, undo);
      }
      return home;
    },
  };
  const servers: SupervisedServer[] = [];
  undo.push(async () => {
    await Promise.all(servers.map((server) => server.stop()));
  });
  const children = keepChildList(directory.childrenFile);
  const oversight = { watchdog, children, say: options.say };
  const settings = await startAll(wanted, plan, { oversight, servers, failed, cancelled });
  return {
    postgres: undefined,
    temporal: undefined,
    meilisearch: undefined,
    qdrant: undefined,
    ...settings,
    directory: directory.path,
    ports,
    secretKey: state.secrets.service,
    children: () => servers.map((server) => server.status()),
    async run(service) {
      const server = await superviseServer(serviceServer(service, directory), oversight);
      servers.push(server);
      undo.push(() => server.stop());
    },
    stop: () => undo.run(),
  };
}

interface Starting {
  readonly oversight: SupervisorOptions;
  /** Filled as servers come up. */
  readonly servers: SupervisedServer[];
  readonly failed: AbortController;
  readonly cancelled: AbortSignal;
}

/** Starts all servers side by side; the first failure cancels the preparation of the others, such as a download. */
async function startAll(
  wanted: readonly ServerName[],
  plan: StackPlan,
  starting: Starting,
): Promise<Partial<StackSettings>> {
  let cause: { readonly error: unknown } | undefined;
  const startOne = async (name: ServerName) => {
    const startedAt = performance.now();
    const { spec, settings } = await planServer(name, plan);
    starting.cancelled.throwIfAborted();
    const server = await superviseServer(spec, starting.oversight);
    starting.servers.push(server);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    plan.say(`${name} is ready on 127.0.0.1:${plan.ports[name]} (${seconds} s).`);
    return settings;
  };
  const outcomes = await Promise.all(
    wanted.map((name) =>
      startOne(name).catch((error: unknown) => {
        cause ??= { error };
        starting.failed.abort();
        return {};
      }),
    ),
  );
  if (cause !== undefined) throw cause.error;
  return Object.assign({}, ...outcomes);
}

function openDirectory(options: EmbeddedOptions, uid: number, undo: UndoStack): DataDirectory {
  if (options.ephemeral !== true) return openDataDirectory(options.root, uid);
  const path = mkdtempSync(join(ephemeralFolder(), 'vouch-'));
  undo.push(() => rm(path, { recursive: true, force: true }));
  return layOut(path, uid);
}

/** How long to wait for a killed holder of the lock: until it is gone it counts as running. */
const lockPatienceMs = 3_000;

/** Takes the directory for this start. Refuses one in which a restore has not ended, unless this is its own start. */
async function holdLock(
  directory: DataDirectory,
  options: EmbeddedOptions,
  undo: UndoStack,
): Promise<void> {
  const deadline = performance.now() + lockPatienceMs;
  let lock = tryLock(directory.lockFile);
  while (!lock.held && performance.now() < deadline) {
    await sleep(50);
    lock = tryLock(directory.lockFile);
  }
  if (!lock.held) {
    throw new EmbeddedError(
      `Vouch already runs here: process ${lock.holder.pid} uses ${directory.path}. Stop that process first, or start in another directory.`,
    );
  }
  const { release } = lock;
  undo.push(release);
  if (options.ephemeral !== true && options.restoring !== true) assertNoRestore(directory);
}

async function portsFor(
  options: EmbeddedOptions,
  remembered: EmbeddedState,
  servers: readonly ServerName[],
  undo: UndoStack,
): Promise<Ports> {
  const wanted = [...ownPorts, ...servers.flatMap((name) => serverPorts[name])];
  if (options.ephemeral === true) return randomPorts(wanted);
  return choosePorts({
    wanted,
    explicit: options.ports ?? {},
    remembered: remembered.ports,
    say: options.say,
    reserve(port) {
      const lock = tryLock(portLock(port));
      if (lock.held) undo.push(lock.release);
      return lock.held;
    },
  });
}

function removeAtEnd(home: PostgresHome, watchdog: Watchdog, undo: UndoStack): void {
  watchdog.removeAfterwards(home.path);
  undo.push(() => rm(home.path, { recursive: true, force: true }));
}

/** Makes the watchdog stop a long-running helper when this process dies. */
function guard(watchdog: Watchdog, pid: number): () => void {
  const child = identify(pid);
  if (child === undefined) return () => undefined;
  watchdog.watch(child, termThenKill);
  return () => watchdog.forget(child);
}
