/** The embedded servers for real: what they let through, what they survive, what they leave behind. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { z } from 'zod';
import { type EmbeddedStack, type ServerName, startEmbedded } from '../../embedded/index.ts';
import { readArguments } from '../../embedded/processes/process-table.ts';
import { defaultPorts, type Ports, randomPorts } from '../../embedded/port-numbers.ts';
import { eventually } from '../support/patience.ts';
import { triedAgain } from '../support/tried-again.ts';

triedAgain();

const entry = new URL('../../embedded/index.ts', import.meta.url).href;
const allButPostgres: readonly ServerName[] = ['temporal', 'meilisearch', 'qdrant'];
const isRoot = process.getuid?.() === 0;

const hosts: ChildProcess[] = [];
const stacks: EmbeddedStack[] = [];
const directories: string[] = [];

afterEach(async () => {
  for (const host of hosts.splice(0)) host.kill('SIGKILL');
  for (const stack of stacks.splice(0)) await stack.stop();
  for (const path of directories.splice(0)) {
    const home = homeOf(path);
    await noneLeft(path);
    rmSync(path, { recursive: true, force: true });
    if (home !== undefined) rmSync(home, { recursive: true, force: true });
  }
});

function newRoot(mode = 0o755): string {
  const path = mkdtempSync(join(tmpdir(), 'vouch-fault-'));
  directories.push(path);
  const root = join(path, 'closed');
  mkdirSync(root, { mode });
  return root;
}

/** Where Postgres' data of a test went, when that is outside its directory. */
function homeOf(path: string): string | undefined {
  const file = join(path, 'closed', '.vouch', 'state.json');
  if (!existsSync(file)) return undefined;
  return z
    .object({ postgresHome: z.string().optional() })
    .parse(JSON.parse(readFileSync(file, 'utf8'))).postgresHome;
}

/** Ports away from the defaults, so that a stack that runs on this machine is not in the way. */
async function ownPorts(): Promise<Ports> {
  return randomPorts([
    'api',
    'metrics',
    'workerMetrics',
    'postgres',
    'meilisearch',
    'qdrant',
    'temporal',
    'temporalUi',
    'temporalHttp',
    'temporalMetrics',
  ]);
}

async function start(root: string, ports: Ports, external = allButPostgres, said: string[] = []) {
  const stack = await startEmbedded({
    root,
    ports,
    external,
    env: process.env,
    say: (line) => said.push(line),
  });
  stacks.push(stack);
  return stack;
}

/** A stack in a process of its own, to be killed; resolves when it is up, with its children's pids. */
async function startHost(
  root: string,
  ports: Ports,
): Promise<{ host: ChildProcess; pids: readonly number[] }> {
  const script = `
    import { startEmbedded } from ${JSON.stringify(entry)};
    const [root, ports] = process.argv.slice(1);
    const stack = await startEmbedded({ root, ports: JSON.parse(ports), env: process.env, say: () => {} });
    console.log(JSON.stringify(stack.children().map((child) => child.pid)));
    setInterval(() => {}, 1000);`;
  const host = spawn(
    process.execPath,
    ['--input-type=module', '-e', script, '--', root, JSON.stringify(ports)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  hosts.push(host);
  for await (const line of createInterface({ input: host.stdout })) {
    return { host, pids: z.array(z.int()).parse(JSON.parse(line)) };
  }
  throw new Error('the host ended before its stack was up');
}

async function query(stack: EmbeddedStack, text: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: stack.postgres?.superuserUrl });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function processesNaming(path: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && readArguments(pid).some((argument) => argument.startsWith(path)));
}

/** Waits until no process has a path below this one among its arguments, or they seem to stay; those that do. */
async function noneLeft(path: string): Promise<readonly number[]> {
  await eventually(() => processesNaming(path).length === 0).catch(() => undefined);
  return processesNaming(path);
}

async function status(url: string, headers: Record<string, string> = {}): Promise<number> {
  return (await fetch(url, { headers })).status;
}

describe('an ephemeral stack', () => {
  test('starts four servers that accept only their keys, and removes all processes and files at its stop', async () => {
    const stack = await startEmbedded({ ephemeral: true, env: process.env, say: () => undefined });
    stacks.push(stack);
    const { meilisearch, qdrant, temporal } = stack;
    expect(await query(stack, 'show data_checksums')).toEqual([{ data_checksums: 'on' }]);
    expect(await status(`${meilisearch?.url}/indexes`)).toBe(401);
    expect(
      await status(`${meilisearch?.url}/indexes`, {
        authorization: `Bearer ${meilisearch?.masterKey}`,
      }),
    ).toBe(200);
    expect(await status(`${qdrant?.url}/collections`)).toBe(401);
    expect(await status(`${qdrant?.url}/collections`, { 'api-key': qdrant?.apiKey ?? '' })).toBe(
      200,
    );
    expect(await status(temporal?.uiUrl ?? '')).toBe(200);
    const found = await fetch(`${temporal?.httpUrl}/api/v1/namespaces/vouch/search-attributes`);
    expect(await found.json()).toMatchObject({
      customAttributes: {
        Lane: 'INDEXED_VALUE_TYPE_KEYWORD',
        RunKind: 'INDEXED_VALUE_TYPE_KEYWORD',
        AccountRef: 'INDEXED_VALUE_TYPE_KEYWORD',
        BuildSha: 'INDEXED_VALUE_TYPE_KEYWORD',
      },
    });
    expect(
      stack
        .children()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['meilisearch', 'postgres', 'qdrant', 'temporal']);
    await stack.stop();
    expect(existsSync(stack.directory)).toBe(false);
    expect(processesNaming(stack.directory)).toEqual([]);
  });

  test('writes nothing of a failed statement to the log of Postgres', async () => {
    const stack = await startEmbedded({
      ephemeral: true,
      env: process.env,
      external: allButPostgres,
      say: () => undefined,
    });
    stacks.push(stack);
    await query(stack, 'create table t (id int primary key, name text)');
    await query(stack, `insert into t values (1, 'canary-row')`);
    await expect(query(stack, `insert into t values (1, 'canary-detail')`)).rejects.toThrow(
      'duplicate key',
    );
    await expect(query(stack, `select 'canary-value'::uuid`)).rejects.toThrow(
      'invalid input syntax',
    );
    await expect(
      query(stack, `do $$ begin raise warning 'canary-warning'; raise 'canary-raise'; end $$`),
    ).rejects.toThrow();
    const log = readFileSync(join(stack.directory, 'logs', 'postgres.log'), 'utf8');
    expect(log).toContain('ready to accept connections');
    expect(log).not.toContain('canary');
  });
});

describe('a lasting stack', () => {
  test('refuses a second start beside it, in one line, and does not affect the first', async () => {
    const root = newRoot();
    const stack = await start(root, await ownPorts());
    const second = startEmbedded({
      root,
      env: process.env,
      say: () => undefined,
      external: allButPostgres,
    });
    await expect(second).rejects.toThrow(
      `Vouch already runs here: process ${process.pid} uses ${root}/.vouch.`,
    );
    expect(await query(stack, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('ends when its parent is killed, and the next start has the same ports, passwords and rows', async () => {
    const root = newRoot();
    const ports = await ownPorts();
    const first = await start(root, ports);
    await query(first, 'create table kept (n int)');
    await first.stop();

    const { host, pids } = await startHost(root, ports);
    expect(pids).toHaveLength(4);
    host.kill('SIGKILL');
    // No explicit port: what is used now is what was remembered.
    const next = await start(root, {}, []);
    expect(next.ports).toEqual(ports);
    expect(next.postgres?.superuserUrl).toBe(first.postgres?.superuserUrl);
    await query(next, 'insert into kept values (1)');
    expect(await query(next, 'select n from kept')).toEqual([{ n: 1 }]);
    await next.stop();
    expect(await noneLeft(root)).toEqual([]);
  });

  test('starts each of its servers again with its data after they were killed', async () => {
    const said: string[] = [];
    const stack = await start(newRoot(), await ownPorts(), [], said);
    await query(stack, 'create table kept as select 7 as n');
    for (const { name, pid } of stack.children()) {
      if (pid === undefined) throw new Error(`${name} does not run`);
      process.kill(pid, 'SIGKILL');
    }
    const allBack = () =>
      stack.children().every(({ pid, restarts }) => pid !== undefined && restarts > 0);
    await eventually(allBack);
    const back = () => said.filter((line) => line.includes('runs again')).length;
    await eventually(() => back() >= 4);
    expect(back()).toBe(4);
    expect(await query(stack, 'select n from kept')).toEqual([{ n: 7 }]);
    expect(await status(`${stack.temporal?.httpUrl}/api/v1/namespaces/vouch`)).toBe(200);
  });

  test('in a directory closed to others puts the data of Postgres where its account can reach them', async () => {
    const root = newRoot(0o700);
    const said: string[] = [];
    const ports = await ownPorts();
    const first = await start(root, ports, allButPostgres, said);
    await query(first, 'create table kept as select 7 as n');
    await first.stop();
    const inside = join(root, '.vouch', 'postgres');
    const home = isRoot ? homeOf(join(root, '..')) : inside;
    expect(home === inside).toBe(!isRoot);
    expect(said.some((line) => line.includes(`${home}/data`))).toBe(true);
    expect(existsSync(join(home ?? '', 'data', 'PG_VERSION'))).toBe(true);
    expect(await query(await start(root, ports), 'select n from kept')).toEqual([{ n: 7 }]);
  });

  test('that cannot start one server leaves none running', async () => {
    const root = newRoot();
    const broken = startEmbedded({
      root,
      ports: await ownPorts(),
      env: { ...process.env, TEMPORAL_CLI_PATH: '/nowhere/temporal' },
      say: () => undefined,
    });
    await expect(broken).rejects.toThrow('TEMPORAL_CLI_PATH is set but cannot be used');
    expect(processesNaming(root)).toEqual([]);
  });

  test('starts no server that runs elsewhere', async () => {
    const external: readonly ServerName[] = ['postgres', 'temporal', 'meilisearch', 'qdrant'];
    const stack = await start(newRoot(), {}, external);
    expect(stack.children()).toEqual([]);
    expect(stack).toMatchObject({
      postgres: undefined,
      temporal: undefined,
      meilisearch: undefined,
      qdrant: undefined,
    });
    expect(Object.keys(stack.ports).toSorted()).toEqual(['api', 'metrics', 'workerMetrics']);
    expect(stack.ports.api).toBeGreaterThanOrEqual(defaultPorts.api);
  });
});
