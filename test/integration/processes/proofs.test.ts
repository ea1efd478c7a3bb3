/** A start takes a server for its own only when it is: another installation's may stand at the port that it chose. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { meilisearchServer } from '../../../embedded/servers/meilisearch.ts';
import { postgresServer } from '../../../embedded/servers/postgres.ts';
import { qdrantServer } from '../../../embedded/servers/qdrant.ts';
import { temporalServer } from '../../../embedded/servers/temporal.ts';
import { testServers } from '../../support/environment.ts';

const KEY = 'a-key-of-more-than-sixteen-bytes';
const common = { logFile: '/log', durable: true, env: {} } as const;

let stranger: Server | null = null;
const folders: string[] = [];
afterEach(() => {
  stranger?.close();
  stranger = null;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A server that answers 200 where it `takes` the request, and 401 where it does not. */
async function standing(takes: (request: IncomingMessage) => boolean): Promise<number> {
  const server = createServer((request, answer) => {
    answer.writeHead(takes(request) ? 200 : 401).end('{}');
  });
  stranger = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-proof-'));
  folders.push(folder);
  return folder;
}

const now = () => new AbortController().signal;

const KEYED = {
  Meilisearch: async (port: number) =>
    meilisearchServer({ ...common, directory: temporaryFolder(), port, masterKey: KEY }),
  Qdrant: async (port: number) =>
    qdrantServer({ ...common, directory: temporaryFolder(), port, apiKey: KEY }),
} as const;

describe.each(Object.keys(KEYED) as (keyof typeof KEYED)[])('%s', (name) => {
  test('without a key, or with another, is a stranger', async () => {
    const open = await KEYED[name](await standing(() => true));
    expect(await open.isReady(now())).toBe(false);
    stranger?.close();
    const closed = await KEYED[name](await standing(() => false));
    expect(await closed.isReady(now())).toBe(false);
  });

  test('that takes the key of the installation and no other is its own', async () => {
    const takes = ({ headers }: IncomingMessage) =>
      headers['authorization'] === `Bearer ${KEY}` || headers['api-key'] === KEY;
    const own = await KEYED[name](await standing(takes));
    expect(await own.isReady(now())).toBe(true);
  });
});

describe('Temporal', () => {
  const isOwnWith = async (namespaces: readonly string[]) => {
    const port = await standing(({ url }) => namespaces.includes(url?.split('/').at(-1) ?? ''));
    return temporalServer({
      ...common,
      program: '/bin/temporal',
      databaseFile: '/data/temporal.db',
      namespace: 'vouch',
      proof: 'installation-1',
      ports: { grpc: 1, ui: 2, http: port, metrics: 4 },
    }).isReady(now());
  };

  test('is its own with the namespace that only this installation asks for', async () => {
    expect(await isOwnWith(['vouch', 'installation-2'])).toBe(false);
    stranger?.close();
    expect(await isOwnWith(['installation-1'])).toBe(false);
    stranger?.close();
    expect(await isOwnWith(['vouch', 'installation-1'])).toBe(true);
  });
});

describe('Postgres', () => {
  test('with other files is a stranger, also where it takes the password', async () => {
    const data = temporaryFolder();
    writeFileSync(join(data, 'PG_VERSION'), '18\n');
    const { hostname, password, port } = new URL(testServers().postgresAdminUrl);
    expect(hostname).toBe('127.0.0.1');
    const spec = await postgresServer({
      ...common,
      home: { path: data, native: '/native', data, account: undefined, release: () => undefined },
      port: Number(port),
      password: decodeURIComponent(password),
      say: () => undefined,
    });
    expect(await spec.isReady(now())).toBe(false);
  });
});
