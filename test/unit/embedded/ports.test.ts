import { afterEach, describe, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:net';
import {
  choosePorts,
  isFree,
  type PortName,
  type Ports,
  randomPorts,
} from '../../../embedded/port-numbers.ts';

const strangers: Server[] = [];

afterEach(() => {
  for (const stranger of strangers.splice(0)) stranger.close();
});

function occupy(port: number, host = '127.0.0.1'): Promise<void> {
  const server = createServer();
  strangers.push(server);
  return new Promise((resolve) => server.listen(port, host, resolve));
}

async function choose(wanted: readonly PortName[], remembered: Ports, explicit: Ports = {}) {
  const said: string[] = [];
  const ports = await choosePorts({ wanted, remembered, explicit, say: (line) => said.push(line) });
  return { ports, said };
}

async function freePort(): Promise<number> {
  return (await randomPorts(['api'])).api ?? 0;
}

describe('choosing ports', () => {
  test('keeps the remembered port while it is free, without a message', async () => {
    const port = await freePort();
    expect(await choose(['qdrant'], { qdrant: port })).toEqual({
      ports: { qdrant: port },
      said: [],
    });
  });

  test('moves from a taken port to the next free one, with a message', async () => {
    const port = await freePort();
    await occupy(port);
    const { ports, said } = await choose(['qdrant'], { qdrant: port });
    expect(ports.qdrant).toBeGreaterThan(port);
    expect(said).toEqual([`Port ${port} is in use. From now on qdrant uses port ${ports.qdrant}.`]);
  });

  test('a port that another start has looked up is left to it, though nothing listens there yet', async () => {
    const port = await freePort();
    const said: string[] = [];
    const ports = await choosePorts({
      wanted: ['qdrant'],
      remembered: { qdrant: port },
      explicit: {},
      say: (line) => said.push(line),
      reserve: (wanted) => wanted !== port,
    });
    expect(ports.qdrant).toBeGreaterThan(port);
    expect(said).toHaveLength(1);
    const named = { wanted: ['api'], remembered: {}, explicit: { api: port } } as const;
    const taken = choosePorts({ ...named, say: () => undefined, reserve: () => false });
    await expect(taken).rejects.toThrow('is in use');
  });

  test('a port taken on every address is taken on loopback too', async () => {
    const port = await freePort();
    await occupy(port, '0.0.0.0');
    expect(await isFree(port)).toBe(false);
  });

  test('a named port that is taken is an error, never moved', async () => {
    const port = await freePort();
    await occupy(port);
    await expect(choose(['api'], {}, { api: port })).rejects.toThrow(
      `Port ${port} on 127.0.0.1, which the settings name for api, is in use`,
    );
  });

  test('a named port wins over a remembered one, and the other listener moves away', async () => {
    const port = await freePort();
    const { ports } = await choose(
      ['qdrant', 'api'],
      { qdrant: port, api: port - 1 },
      { api: port },
    );
    expect(ports.api).toBe(port);
    expect(ports.qdrant).not.toBe(port);
  });

  test('the same port named twice is an error', async () => {
    const port = await freePort();
    await expect(choose(['api', 'qdrant'], {}, { api: port, qdrant: port })).rejects.toThrow(
      'is in use',
    );
  });

  test('random ports are all different and free', async () => {
    const wanted = ['api', 'postgres', 'temporal', 'qdrant'] as const;
    const ports = Object.values(await randomPorts(wanted));
    expect(new Set(ports).size).toBe(wanted.length);
    expect(await Promise.all(ports.map(isFree))).toEqual(ports.map(() => true));
  });
});
