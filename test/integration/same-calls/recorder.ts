/**
 * What a request makes the service ask of its servers: every SQL statement, and every call to the search engines, which
 * pass through a proxy. Of each it keeps the shape: which words, ids and points in vectors it is about is left out.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Interceptor } from 'slonik';
import { z } from 'zod';

/**
 * Calls of one sort. SQL statements stand in the order in which they were sent; calls to an index are sent side by side,
 * so they stand in the order of their shapes.
 */
export type Calls = Readonly<Record<string, readonly string[]>>;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

export class Recorder {
  #calls: [lane: string, shape: string][] | null = null;

  /**
   * Runs the request; answers what it asked for. One request at a time. Of a request with `sideBySide` transactions SQL
   * stands in the order of its shapes as well.
   */
  async during<T>(
    request: () => Promise<T>,
    { sideBySide = false } = {},
  ): Promise<{ readonly answer: T; readonly calls: Calls }> {
    const calls: [string, string][] = [];
    this.#calls = calls;
    try {
      const answer = await request();
      const lanes = Map.groupBy(calls, ([lane]) => lane);
      const shapes = [...lanes].map(([lane, all]) => {
        const sent = all.map(([, shape]) => shape);
        return [lane, lane === 'sql' && !sideBySide ? sent : sent.toSorted()] as const;
      });
      return { answer, calls: Object.fromEntries(shapes) };
    } finally {
      this.#calls = null;
    }
  }

  note(lane: string, shape: string): void {
    this.#calls?.push([lane, shape]);
  }

  /** To be given to the pool. */
  readonly interceptor: Interceptor = {
    name: 'recorder',
    beforeQueryExecution: (_context, query) => {
      // Values are parameters; identifiers and words of closed lists stand in the text.
      this.note('sql', query.sql.replaceAll(/\s+/g, ' '));
      return null;
    },
  };
}

const wordsOf = z.record(z.string(), z.unknown());

/** How many there are of what differs from word to word, and everything else as it is. */
function shapeOf(key: string, value: unknown): unknown {
  if (key === 'has_id' && Array.isArray(value)) return 'ids';
  // The numbers under which an account keeps its words.
  if (key === 'indices' && Array.isArray(value)) return `${value.length} terms`;
  // Their weights stand in the order of those numbers.
  if (key === 'values' && Array.isArray(value)) return value.map(Number).toSorted((a, b) => a - b);
  if (Array.isArray(value) && value.length > 16 && value.every(Number.isFinite)) {
    return `vector of ${value.length}`;
  }
  // Messages that satisfy a phrase or an exclusion.
  if (wordsOf.safeParse(value).data?.['key'] === 'source_id') return 'messages';
  if (typeof value === 'string') return value.replaceAll(UUID, 'uuid');
  return value;
}

function laneOf(engine: string, body: unknown): string {
  const using = wordsOf.safeParse(body).data?.['using'];
  return typeof using === 'string' ? `${engine} ${using}` : engine;
}

async function noted(
  recorder: Recorder,
  engine: string,
  request: IncomingMessage,
): Promise<Buffer> {
  const bytes = await buffer(request);
  const body: unknown = bytes.length === 0 ? null : JSON.parse(bytes.toString('utf8'));
  const shape = JSON.stringify([request.method, request.url, body], shapeOf);
  // The passages of messages are asked for in two requests side by side.
  const isApart = request.url?.endsWith('/query/groups') === true;
  recorder.note(isApart ? shape : laneOf(engine, body), shape);
  return bytes;
}

export interface RecordingProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Stands before an engine, passes everything on and notes it. */
export async function openProxy(
  recorder: Recorder,
  engine: string,
  target: string,
): Promise<RecordingProxy> {
  const server: Server = createServer((request, response) => {
    void (async () => {
      try {
        const body = await noted(recorder, engine, request);
        const { host: _host, connection: _connection, ...headers } = request.headers;
        const answer = await fetch(new URL(request.url ?? '/', target), {
          method: request.method ?? 'GET',
          headers: headers as Record<string, string>,
          ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
        });
        const type = answer.headers.get('content-type') ?? 'application/json';
        response.writeHead(answer.status, { 'content-type': type });
        response.end(Buffer.from(await answer.arrayBuffer()));
      } catch (error) {
        response.writeHead(502).end(String(error));
      }
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
