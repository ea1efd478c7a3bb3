/** Starts an application on a free loopback port and talks to it byte by byte. */
import type Koa from 'koa';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { ApiState } from '../../api/context.ts';
import { startServer } from '../../api/server.ts';
import { checkAgainst, type Check } from './described.ts';
import { kept } from './kept.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body parsed as JSON; throws when it is none. */
  json(): unknown;
}

export interface HttpCall {
  readonly method?: string;
  readonly path: string;
  /** A value may be a list to send the header several times. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as `Authorization: Bearer <token>`. */
  readonly token?: string;
  /** Sent as JSON with its content type. */
  readonly json?: unknown;
  /** Sent as it is; takes precedence over `json`. */
  readonly raw?: string | Buffer;
}

export interface TestHttp {
  readonly url: string;
  readonly port: number;
  call(call: HttpCall): Promise<HttpAnswer>;
  close(): Promise<void>;
}

function headersOf(call: HttpCall, body: Buffer | null): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  if (body !== null) {
    headers['content-type'] = 'application/json';
    headers['content-length'] = String(body.length);
  }
  if (call.token !== undefined) headers['authorization'] = `Bearer ${call.token}`;
  for (const [name, value] of Object.entries(call.headers ?? {})) {
    headers[name] = typeof value === 'string' ? value : [...value];
  }
  return headers;
}

function bodyOf(call: HttpCall): Buffer | null {
  if (call.raw !== undefined) return Buffer.from(call.raw);
  return call.json === undefined ? null : Buffer.from(JSON.stringify(call.json));
}

/** One request to the service at `base`. */
export function send(base: string, call: HttpCall): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const body = bodyOf(call);
  const { hostname, port } = new URL(base);
  const request = httpRequest(
    {
      hostname,
      port,
      path: call.path,
      method: call.method ?? (body === null ? 'GET' : 'POST'),
      headers: headersOf(call, body),
      agent: false,
    },
    (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes,
          text,
          json: (): unknown => JSON.parse(text),
        });
      });
    },
  );
  request.once('error', reject);
  request.end(body ?? undefined);
  return promise;
}

/** A check by the description that the server itself gives. One of the same text is made once in a process. */
export async function describedBy(url: string): Promise<Check> {
  const path = '/api/openapi.json';
  const answer = await send(url, { path });
  const check = kept(`checks by ${answer.text}`, () => checkAgainst(answer.json()));
  check({ path }, answer);
  return check;
}

/** One request to the service at `base`; rejects when the answer is not as described. */
export async function sendChecked(base: string, check: Check, call: HttpCall): Promise<HttpAnswer> {
  const answer = await send(base, call);
  check(call, answer);
  return answer;
}

/**
 * Serves `app` until `close` is called. `described`: every answer is held to the app's own OpenAPI document,
 * and a call whose answer is not as described rejects.
 */
export async function serve(
  app: Koa<ApiState>,
  { described = false }: { readonly described?: boolean } = {},
): Promise<TestHttp> {
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  const check = described ? await describedBy(server.url) : null;
  return {
    url: server.url,
    port: server.port,
    call: (call) =>
      check === null ? send(server.url, call) : sendChecked(server.url, check, call),
    close: () => server.close(1_000),
  };
}
