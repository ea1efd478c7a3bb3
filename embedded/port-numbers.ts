/**
 * Which port each listener gets, on 127.0.0.1 only.
 *
 * A port that the operator named is used or refused, never moved, because other programs expect the
 * server there. Any other port starts from its default (or from the port of the last start) and moves
 * to the next free one; the move is printed, and the caller remembers the port.
 */
import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { EmbeddedError } from './errors.ts';
import type { Say } from './names.ts';

export const defaultPorts = {
  api: 4000,
  metrics: 9464,
  workerMetrics: 9465,
  postgres: 5433,
  meilisearch: 7700,
  qdrant: 6333,
  temporal: 7233,
  temporalUi: 8233,
  temporalHttp: 7243,
  temporalMetrics: 9233,
} as const;

export type PortName = keyof typeof defaultPorts;
export type Ports = Readonly<Partial<Record<PortName, number>>>;

export interface PortRequest {
  /** The listeners that need a port now. */
  readonly wanted: readonly PortName[];
  /** Ports named by the operator. */
  readonly explicit: Ports;
  /** Ports of the last start. */
  readonly remembered: Ports;
  readonly say: Say;
  /** Keeps a free port from other starts, which look for theirs at the same time; false where one of them has it. */
  readonly reserve?: (port: number) => boolean;
}

/**
 * A free port for every wanted listener, no two alike.
 * @throws EmbeddedError when a port named by the operator is taken.
 */
export async function choosePorts(request: PortRequest): Promise<Ports> {
  const chosen: Partial<Record<PortName, number>> = {};
  // Ports that the operator named come first, because only the others may move.
  const order = request.wanted.toSorted((a, b) => rank(request, a) - rank(request, b));
  for (const name of order) chosen[name] = await choosePort(name, request, Object.values(chosen));
  return chosen;
}

/** Below the range that the kernel hands out by itself (32768 and up), above the well-known ones. */
const RANDOM_PORTS: PortRange = { from: 15_000, below: 32_000 };

export interface PortRange {
  readonly from: number;
  /** One past the last port. */
  readonly below: number;
}

/**
 * Random free ports, all different, for a stack whose ports need not be known elsewhere. They are not chosen by the
 * kernel: it may give the same port to another program before the server listens.
 */
export async function randomPorts(
  wanted: readonly PortName[],
  range: PortRange = RANDOM_PORTS,
): Promise<Ports> {
  const chosen: Partial<Record<PortName, number>> = {};
  for (const name of wanted) chosen[name] = await randomPort(Object.values(chosen), range);
  return chosen;
}

async function randomPort(used: readonly number[], { below, from }: PortRange): Promise<number> {
  for (;;) {
    const port = randomInt(from, below);
    if (!used.includes(port) && (await isFree(port))) return port;
  }
}

/** Whether a server could listen on this port of 127.0.0.1 now. */
export async function isFree(port: number): Promise<boolean> {
  try {
    await close(await listen(port));
    return true;
  } catch {
    return false;
  }
}

function rank(request: PortRequest, name: PortName): number {
  if (request.explicit[name] !== undefined) return 0;
  return request.remembered[name] === undefined ? 2 : 1;
}

async function choosePort(
  name: PortName,
  request: PortRequest,
  used: readonly number[],
): Promise<number> {
  const explicit = request.explicit[name];
  const isMine = async (port: number): Promise<boolean> =>
    !used.includes(port) && (await isFree(port)) && request.reserve?.(port) !== false;
  if (explicit !== undefined) {
    if (await isMine(explicit)) return explicit;
    throw new EmbeddedError(
      `Port ${explicit} on 127.0.0.1, which the settings name for ${name}, is in use. Stop the program that listens there, or name another port.`,
    );
  }
  const first = request.remembered[name] ?? defaultPorts[name];
  if (await isMine(first)) return first;
  const moved = await nextFree(first, isMine);
  request.say(`Port ${first} is in use. From now on ${name} uses port ${moved}.`);
  return moved;
}

async function nextFree(
  after: number,
  isMine: (port: number) => Promise<boolean>,
): Promise<number> {
  const usual: readonly number[] = Object.values(defaultPorts);
  for (let port = after + 1; port <= 65_535; port++) {
    if (!usual.includes(port) && (await isMine(port))) return port;
  }
  throw new EmbeddedError(`There is no free port above ${after} on 127.0.0.1.`);
}

function listen(port: number): Promise<Server> {
  const { promise, resolve, reject } = Promise.withResolvers<Server>();
  const server = createServer();
  server.once('error', reject);
  server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server));
  return promise;
}

function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  return promise;
}
