/**
 * Answers requests that never reach the application, because they are not valid HTTP or ask for no resource. The
 * answer has the same error shape; it is written to the connection, which is then closed.
 */
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal } from '../domain/errors.ts';
import { errorAnswer } from './errors.ts';
import { LINGER_MS } from './lingering-close.ts';
import { newTraceId } from './middleware/trace.ts';

const STATUS_BY_PARSER_CODE: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);
const MALFORMED = { error: 'The request is not valid HTTP.', code: 'malformed_request' } as const;

/** The status for an error that Node's parser, or its timer, reports for a connection. */
export function statusOfParserError(error: unknown): number {
  return STATUS_BY_PARSER_CODE.get(Reflect.get(Object(error), 'code')) ?? 400;
}

function write(connection: Duplex, status: number, body: object): void {
  const cut = setTimeout(() => connection.destroy(), LINGER_MS);
  connection.once('close', () => clearTimeout(cut));
  connection.resume();
  const text = JSON.stringify(body);
  connection.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      `x-trace-id: ${newTraceId()}`,
      '',
      text,
    ].join('\r\n'),
  );
}

/**
 * Refuses what is not valid HTTP. `answering` is the last answer on that connection. While it is being sent, a
 * second answer would end up in the middle of it, so the connection is cut instead.
 */
export function refuseUnparsable(
  connection: Duplex,
  status = 400,
  answering: ServerResponse | null = null,
): void {
  // The connection was refused already; the bytes that still come belong to no request.
  if (connection.writableEnded) return;
  const isFree = answering === null || !answering.headersSent || answering.writableFinished;
  if (connection.writable && isFree) write(connection, status, MALFORMED);
  else connection.destroy();
}

/** Refuses `CONNECT`: it asks for a tunnel, and there is none. */
export function refuseTunnel(connection: Duplex): void {
  connection.on('error', () => connection.destroy());
  const { status, body } = errorAnswer(new Refusal('method_not_allowed'));
  write(connection, status, body);
}

/**
 * Whether the application can take the request: it names a host, as HTTP/1.1 demands, and a target that can be
 * read. A target in absolute form is replaced by its path, because the server has one site under every host name.
 */
export function prepareTarget(request: IncomingMessage): boolean {
  if (request.headers.host === undefined && request.httpVersion !== '1.0') return false;
  const target = request.url ?? '/';
  if (target.startsWith('/') || target === '*') return true;
  const absolute = URL.parse(target);
  if (absolute === null) return false;
  request.url = `${absolute.pathname}${absolute.search}`;
  return true;
}
