/**
 * One server that the test holds in its own hands beside a start that is told where it is. Nothing starts it
 * again but the test, so it can be away for as long as a test likes, and come back with its data or without.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded, type EmbeddedStack, type ServerName } from '../../../embedded/index.ts';
import { serverNames } from '../../../embedded/names.ts';
import { randomPorts, type PortRange, type Ports } from '../../../embedded/port-numbers.ts';
import { serverPorts } from '../../../embedded/server-plan.ts';
import { machineEnvironment } from '../../../measure/stack.ts';
import { testSetting } from '../../support/environment.ts';

/** Postgres is not among them: the harness asks the one that a start keeps. */
export type HeldName = Exclude<ServerName, 'postgres'>;

export interface HeldServer {
  /** Settings that name the server to a start, or to the command line. */
  readonly settings: Readonly<Record<string, string>>;
  /** `kill -9`; the server stays away. */
  away(): Promise<void>;
  /** Starts it again, at the same address; resolves when it answers. */
  back(): Promise<void>;
  /** Deletes all that it kept. It must be away. */
  loseData(): void;
  /** Ends it and removes what it left. */
  close(): Promise<void>;
}

function settingsOf({ temporal, meilisearch, qdrant }: EmbeddedStack): Record<string, string> {
  return {
    ...(temporal && { TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: temporal.namespace }),
    ...(meilisearch && { MEILI_HOST: meilisearch.url, MEILI_MASTER_KEY: meilisearch.masterKey }),
    ...(qdrant && { QDRANT_URL: qdrant.url, QDRANT_API_KEY: qdrant.apiKey }),
  };
}

/** What a server keeps, below its `.vouch/`. */
const DATA: Readonly<Record<HeldName, readonly string[]>> = {
  temporal: ['temporal.db', 'temporal.db-wal', 'temporal.db-shm'],
  meilisearch: ['meilisearch'],
  qdrant: ['qdrant'],
};

function start(name: HeldName, root: string, ports: Ports): Promise<EmbeddedStack> {
  return startEmbedded({
    root,
    ports,
    external: serverNames.filter((other) => other !== name),
    env: machineEnvironment(),
    say: () => undefined,
  });
}

const OF_A_WORKER = 20;

/**
 * Ports that nobody else in the run takes while the server is away: below those that other tests draw theirs from, and
 * apart for each process of Jest.
 */
function ownPorts(): PortRange {
  const from = 12_000 + OF_A_WORKER * testSetting('JEST_WORKER_ID', 0);
  return { from, below: from + OF_A_WORKER };
}

/** Starts a server of its own directory and port. */
export async function holdServer(name: HeldName): Promise<HeldServer> {
  const root = mkdtempSync(join(tmpdir(), 'vouch-held-'));
  const ports = await randomPorts(serverPorts[name], ownPorts());
  let stack: EmbeddedStack | null = await start(name, root, ports);
  return {
    settings: settingsOf(stack),
    async away() {
      if (stack === null) return;
      const pid = stack.children()[0]?.pid;
      if (pid === undefined) throw new Error(`${name} does not run`);
      process.kill(pid, 'SIGKILL');
      await stack.stop();
      stack = null;
    },
    async back() {
      stack ??= await start(name, root, ports);
    },
    loseData() {
      if (stack !== null) throw new Error(`${name} runs`);
      for (const path of DATA[name]) {
        rmSync(join(root, '.vouch', path), { recursive: true, force: true });
      }
    },
    async close() {
      await stack?.stop();
      stack = null;
      rmSync(root, { recursive: true, force: true });
    },
  };
}
