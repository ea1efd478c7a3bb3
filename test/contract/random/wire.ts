/**
 * Sends a request as bytes, so that nothing stands between a test and an odd request, and reads the answer.
 * Texts are Latin-1: one character, one byte.
 */
import { connect } from 'node:net';
import { HANGS_MS } from '../../support/patience.ts';
import type { Framing, WireRequest } from './request.ts';

export interface WireAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  readonly ms: number;
}

function chunked(body: Buffer): Buffer {
  const half = Math.ceil(body.length / 2);
  const parts = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0);
  const chunks = parts.flatMap((part) => [
    Buffer.from(`${part.length.toString(16)}\r\n`),
    part,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}

function framed(framing: Framing, body: Buffer | null): readonly [readonly string[], Buffer] {
  const bytes = body ?? Buffer.alloc(0);
  const length = (value: number | string): string => `Content-Length: ${value}`;
  switch (framing) {
    case 'length':
      return body === null ? [[], bytes] : [[length(bytes.length)], bytes];
    case 'chunked':
      return [['Transfer-Encoding: chunked'], chunked(bytes)];
    case 'bad_chunk':
      return [['Transfer-Encoding: chunked'], Buffer.from('zz\r\nnot a chunk\r\n0\r\n\r\n')];
    case 'too_short':
      return [[length(Math.max(0, bytes.length - 3))], bytes];
    case 'too_long':
      return [[length(bytes.length + 7)], bytes];
    case 'two_lengths':
      return [[length(bytes.length), length(bytes.length + 1)], bytes];
    case 'length_and_chunked':
      return [[length(bytes.length), 'Transfer-Encoding: chunked'], chunked(bytes)];
    case 'no_number':
      return [[length('-1')], bytes];
    case 'unannounced':
      return [[], bytes];
    default:
      return framing satisfies never;
  }
}

export function wireBytes(request: WireRequest): Buffer {
  const [framing, body] = framed(request.framing, request.body);
  const lines = [
    `${request.method} ${request.target} ${request.version}`,
    ...(request.host === null ? [] : [`Host: ${request.host}`]),
    'Connection: close',
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
    ...framing,
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]);
}

interface Head {
  readonly status: number;
  readonly headers: Map<string, string>;
  readonly bodyAt: number;
}

function readHead(text: string, from: number): Head | null {
  const end = text.indexOf('\r\n\r\n', from);
  if (end < 0) return null;
  const [statusLine = '', ...lines] = text.slice(from, end).split('\r\n');
  const status = Number(/^HTTP\/1\.[01] ([1-5]\d\d) /.exec(statusLine)?.[1]);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { status, headers, bodyAt: end + 4 };
}

/** The first answer that is more than "go on", once it is complete; null before. */
function readAnswer(text: string, isHead: boolean, ended: boolean): Omit<WireAnswer, 'ms'> | null {
  for (let from = 0; ;) {
    const head = readHead(text, from);
    if (head === null) return null;
    const { status, headers, bodyAt } = head;
    if (status < 200) {
      from = bodyAt;
      continue;
    }
    const bodyLength = Number(headers.get('content-length') ?? Number.NaN);
    if (isHead || status === 204 || status === 304) {
      return ended ? { status, headers, body: text.slice(bodyAt) } : null;
    }
    if (Number.isNaN(bodyLength))
      return ended ? { status, headers, body: text.slice(bodyAt) } : null;
    if (text.length < bodyAt + bodyLength) return null;
    const body = Buffer.from(text.slice(bodyAt, bodyAt + bodyLength), 'latin1').toString('utf8');
    return { status, headers, body };
  }
}

/** The answer, or null when the connection ended without one. */
export function exchange(port: number, request: WireRequest): Promise<WireAnswer | null> {
  const { promise, resolve } = Promise.withResolvers<WireAnswer | null>();
  const startedAt = performance.now();
  const socket = connect(port, '127.0.0.1');
  const isHead = request.method === 'HEAD';
  let text = '';
  const settle = (ended: boolean): void => {
    const answer = readAnswer(text, isHead, ended);
    if (answer === null && !ended) return;
    resolve(answer === null ? null : { ...answer, ms: performance.now() - startedAt });
    socket.destroy();
  };
  socket.setEncoding('latin1');
  socket.setTimeout(HANGS_MS, () => settle(true));
  socket.on('data', (chunk: string) => {
    text += chunk;
    settle(false);
  });
  // Resets arrive as an error and then as the end; what was read before stands.
  socket.on('error', () => undefined);
  socket.once('close', () => settle(true));
  // A caller that announced more than it sends leaves, instead of keeping the server waiting.
  if (request.framing === 'too_long') socket.end(wireBytes(request));
  else socket.write(wireBytes(request));
  return promise;
}
