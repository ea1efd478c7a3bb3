/** A service of the one-command start that can be broken in its parts, with a superuser's connection to its database. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { z } from 'zod';
import { newInstallation, type Installation } from '../../support/installation.ts';
import { startStubOpenAi, type StubOpenAi } from '../../support/stub-openai.ts';

const state = z.object({
  postgresHome: z.string().optional(),
  ports: z.record(z.string(), z.number()),
  secrets: z.object({ postgresSuperuser: z.string() }),
});

export type Part = 'api' | 'worker' | 'postgres' | 'qdrant' | 'meilisearch';

const PROGRAMS: Readonly<Record<Part, RegExp>> = {
  api: /program\.mjs api\b/,
  worker: /program\.mjs worker\b/,
  postgres: /postgres/,
  qdrant: /qdrant/,
  meilisearch: /meilisearch/,
};

export interface Scene {
  readonly service: Installation;
  readonly provider: StubOpenAi;
  readonly blobs: string;
  readonly port: (name: string) => number;
  sql(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Stops the part where it is, as a machine that hangs does; or lets it go on. */
  signal(part: Part, signal: 'SIGSTOP' | 'SIGCONT'): number;
  restart(settings: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
}

/** Processes of this service: its start names its folder as working directory or in its arguments. */
function processesOf(roots: readonly string[], part: Part): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const place = readlinkSync(`/proc/${pid}/cwd`);
        const isOurs = roots.some((root) => place.startsWith(root) || words.includes(root));
        return isOurs && PROGRAMS[part].test(words);
      } catch {
        return false;
      }
    });
}

export async function openScene(limits: string): Promise<Scene> {
  const provider = await startStubOpenAi();
  const settings: Record<string, string> = {
    SERVICE_MODEL_DIALECTIC_AGENT: 'openai-compatible:stub',
    SERVICE_MODEL_DIALECTIC_AGENT_BASE_URL: provider.baseUrl,
    SERVICE_BUDGET_LIMITS_JSON: limits,
    SERVICE_ERASURE_SETTLE_SECONDS: '5',
  };
  const service = await newInstallation(settings);
  const blobs = join(service.root, 'small-disk');
  mkdirSync(blobs);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', blobs]);
  settings['SERVICE_BLOB_STORE'] = join(blobs, 'kept');
  Object.assign(service.settings, settings);
  await service.start();
  const read = () =>
    state.parse(JSON.parse(readFileSync(join(service.root, '.vouch/state.json'), 'utf8')));
  const connect = async (): Promise<Client> => {
    const { ports, secrets } = read();
    const client = new Client({
      host: '127.0.0.1',
      port: ports['postgres'] ?? 0,
      user: 'postgres',
      password: secrets.postgresSuperuser,
      database: 'vouch',
    });
    // The server is stopped now and then.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  let client = await connect();
  return {
    service,
    provider,
    blobs,
    port: (name) => read().ports[name] ?? 0,
    sql: async (text, values = []) => (await client.query(text, [...values])).rows,
    signal(part, signal) {
      const { postgresHome = service.root } = read();
      const found = processesOf([service.root, postgresHome], part);
      if (found.length === 0) throw new Error(`no process of ${part}`);
      for (const pid of found) process.kill(pid, signal);
      return found.length;
    },
    async restart(changed) {
      await client.end();
      await service.stop();
      Object.assign(service.settings, changed);
      await service.start();
      client = await connect();
    },
    async close() {
      await client.end().catch(() => undefined);
      await service.stop();
      if (existsSync(blobs)) execFileSync('umount', [blobs]);
      await service.remove();
      await provider.close();
    },
  };
}
