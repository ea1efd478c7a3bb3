/** Random requests over every route and beside them. All of a request follows from the seed. */
import * as fc from 'fast-check';
import { ROUTES } from '../../../api/rest/routes.ts';
import type { Route } from '../../../api/rest/route.ts';
import { operations } from '../../../operations/registry.ts';
import { bodiesFor, CANARY } from './bodies.ts';

export const FRAMINGS = [
  'length',
  'chunked',
  'bad_chunk',
  'too_short',
  'too_long',
  'two_lengths',
  'length_and_chunked',
  'no_number',
  'unannounced',
] as const;
export type Framing = (typeof FRAMINGS)[number];

export const CREDENTIALS = [
  'none',
  'garbage',
  'agent',
  'pinned',
  'peerless',
  'expired',
  'revoked',
  'admin',
  'human',
  'foreign',
] as const;
export type Credential = (typeof CREDENTIALS)[number];

export interface WireRequest {
  readonly method: string;
  /** As it stands in the request line. */
  readonly target: string;
  readonly version: string;
  /** Null leaves the header out. */
  readonly host: string | null;
  readonly credential: Credential;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | null;
  readonly framing: Framing;
}

/** Ids that exist, so that some requests find something. */
export interface KnownIds {
  readonly mine: string;
  readonly foreign: string;
}

function pathValues({ mine, foreign }: KnownIds): fc.Arbitrary<string> {
  const strange = [
    'no-uuid',
    '..',
    '%2e%2e',
    'a%2Fb',
    '%00',
    '%',
    '%zz',
    '%ff%fe',
    '*',
    '__proto__',
    '%F0%9F',

    '-1',
    `${mine}%00`,
    `${mine}/`,
    mine.toUpperCase(),
    `%20${mine}`,
    'x'.repeat(3_000),
    CANARY,
  ];
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(mine, foreign) },
    { weight: 2, arbitrary: fc.uuid() },
    { weight: 4, arbitrary: fc.constantFrom(...strange) },
  );
}

const QUERY_VALUES = [
  '',
  '1',
  '5',
  '20',
  '0',
  '-1',
  '999999999999999999999',
  '1e3',
  'many',
  'true',
  'active',

  '%2Fteam',
  '/team',
  '%00',
  '%',
  '%zz',
  '%ff',
  '%ED%A0%80',
  '+',
  '%20',
  CANARY,
  '\xff\xfe',
  'a'.repeat(2_000),
  '__proto__',
  '[object Object]',
  '%F0%9F%98%80',
  "'",
  '%27%3B--',
  '&',
  '=',
];

/** Waits are bounded at ten seconds by the service; here they are short, so that the run is. */
const WAITS = ['0', '1', '30', '-5', 'soon', '1.5', '%00', '', '2147483648a'];

function queryOf(route: Route | null): fc.Arbitrary<string> {
  const names = [...Object.keys(route?.query ?? {}), 'x', '__proto__', 'limit[]', CANARY, ''];
  const pair = fc.constantFrom(...names).chain((name) => {
    const values = name === 'wait_ms' ? WAITS : QUERY_VALUES;
    return fc.constantFrom(...values).map((value) => `${name}=${value}`);
  });
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant('') },
    {
      weight: 5,
      arbitrary: fc.array(pair, { maxLength: 5 }).map((pairs) => `?${pairs.join('&')}`),
    },
    { weight: 1, arbitrary: fc.constantFrom('?', '?&&&', '?=', '?a=b=c', '??', '?#', '#frag') },
  );
}

const NOWHERE = [
  '/',
  '//',
  '/api',
  '/api/',
  '/api/v1',
  '/api/v1/',
  '/api/v2/search',
  '/API/HEALTH',
  '/.env',

  '/api/health/',
  '/api/v1/ingest/',
  '/api/v1/knowledge;x=1',
  '/api/v1/%73earch',
  '/api//health',
  '/api/v1/../health',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/__proto__',
  '/constructor',
  '/%',
  '/%00',

  `/${CANARY}`,
  `/${'a'.repeat(7_000)}`,
  '*',
  '/api/health?x=1#y',
  '/\xe9',
  '/api/v1/ingest/%zz',

  'http://elsewhere.example/api/health',
  'http://[::1/api/health',
  'https://x/',
  'http://',
  'x',
  '/api/v1/ingest/a/b',
  '/favicon.ico',
  '/api/openapi.json',
  '/api/docs',
  '/mcp',
  '/console',
  '',
  '/a b',
  '/\t',
  '//elsewhere.example/api/health',
  '/api/v1/search%20',
  '/api/v1/search/.',
];

function targetOf(route: Route, known: KnownIds): fc.Arbitrary<string> {
  const parts = route.path
    .split('/')
    .map((part) => (part.startsWith(':') ? pathValues(known) : fc.constant(part)));
  return fc
    .tuple(fc.tuple(...parts), queryOf(route))
    .map(([segments, query]) => `${segments.join('/')}${query}`);
}

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PURGE',
  'PROPFIND',
  'get',
  'FOO',
  'G\xe9T',
  'QUERY',
  '',
];

const TRACE = `${'ab'.repeat(16)}-${'cd'.repeat(8)}`;
const HEADERS: readonly (readonly [string, string])[] = [
  ['traceparent', `00-${TRACE}-01`],
  ['traceparent', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-00`],
  ['traceparent', `ff-${TRACE}-01`],
  ['traceparent', `00-${CANARY}-01`],
  ['tracestate', CANARY],
  ['idempotency-key', 'again'],
  ['idempotency-key', CANARY],
  ['idempotency-key', 'k'.repeat(256)],
  ['idempotency-key', ''],
  ['idempotency-key', 'k\xe9\xff'],
  ['expect', '100-continue'],
  ['expect', CANARY],
  ['authorization', `Bearer ${CANARY}`],
  ['authorization', `Basic ${CANARY}`],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'identity'],
  ['content-type', 'text/plain'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-type', `;;;=${CANARY}`],
  ['accept', 'text/html'],
  ['accept-encoding', 'br, gzip'],
  ['if-none-match', '*'],
  ['if-modified-since', 'Thu, 01 Jan 2099 00:00:00 GMT'],
  ['range', 'bytes=0-1'],
  ['upgrade', 'websocket'],
  ['connection', 'Upgrade, HTTP2-Settings'],
  ['http2-settings', 'AAMAAABkAAQAAP__'],
  ['x-forwarded-for', `${CANARY}, 1.2.3.4`],
  ['x-forwarded-host', CANARY],
  ['x-http-method-override', 'DELETE'],
  ['x-memhouse-account-key', 'other'],
  ['origin', 'null'],
  ['cookie', `a=${CANARY}; __proto__=1`],
  ['te', 'trailers'],
  ['trailer', 'x-late'],
  ['x-long', 'h'.repeat(9_000)],
  ['x-longer', 'h'.repeat(20_000)],
  ['x bad', '1'],
  ['x-control', 'a\x01b'],
  ['__proto__', CANARY],
];

const json = fc.constant(['content-type', 'application/json'] as const);
const headers = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(json) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(json, fc.array(fc.constantFrom(...HEADERS), { minLength: 1, maxLength: 3 }))
      .map(([first, more]) => [first, ...more]),
  },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...HEADERS), { maxLength: 2 }) },
);

const framing: fc.Arbitrary<Framing> = fc.oneof(
  { weight: 16, arbitrary: fc.constant('length' as const) },
  { weight: 3, arbitrary: fc.constant('chunked' as const) },
  { weight: 2, arbitrary: fc.constantFrom(...FRAMINGS) },
);
const credential: fc.Arbitrary<Credential> = fc.oneof(
  { weight: 4, arbitrary: fc.constant('agent' as const) },
  { weight: 6, arbitrary: fc.constantFrom(...CREDENTIALS) },
);
const version = fc.oneof(
  { weight: 60, arbitrary: fc.constant('HTTP/1.1') },
  { weight: 1, arbitrary: fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1.1x', '') },
);
const host = fc.oneof(
  { weight: 60, arbitrary: fc.constant('localhost') },
  { weight: 1, arbitrary: fc.constantFrom(null, '', `${CANARY}:99999`, '[::1', 'a b', '\xff') },
);

function onRoute(route: Route, known: KnownIds): fc.Arbitrary<WireRequest> {
  const hasBody = route.method === 'POST' || route.method === 'PUT';
  const bodies = bodiesFor(operations[route.operation]);
  return fc.record({
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant(route.method) },
      { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
    ),
    target: targetOf(route, known),
    version,
    host,
    credential,
    headers,
    body: hasBody
      ? bodies
      : fc.oneof(
          { weight: 9, arbitrary: fc.constant(null) },
          { weight: 1, arbitrary: fc.constant(Buffer.from('{"a":1}')) },
        ),
    framing,
  });
}

function nowhere(): fc.Arbitrary<WireRequest> {
  return fc.record({
    method: fc.constantFrom(...METHODS),
    target: fc.constantFrom(...NOWHERE),
    version,
    host,
    credential,
    headers,
    body: fc.constantFrom(null, Buffer.from('{}'), Buffer.from(CANARY)),
    framing,
  });
}

/** Nearly every read is carried out, and probes ask each server of ours: fewer of them leave time for the rest. */
function weightOf(route: Route): number {
  if (route.method !== 'GET') return 10;
  return route.envelope === 'bare' ? 2 : 5;
}

/** Requests over the whole table and beside it. */
export function requests(known: KnownIds): fc.Arbitrary<WireRequest> {
  return fc.oneof(
    ...ROUTES.map((route) => ({ weight: weightOf(route), arbitrary: onRoute(route, known) })),
    { weight: 12, arbitrary: nowhere() },
  );
}
