/** The check that holds answers to the document: what it lets pass, and what it does not. */
import { expect, test } from '@jest/globals';
import { openApiText } from '../../../api/openapi/index.ts';
import { operations } from '../../../operations/registry.ts';
import { checkAgainst } from '../../support/described.ts';
import type { HttpAnswer, HttpCall } from '../../support/http.ts';

const check = checkAgainst(JSON.parse(openApiText(operations)));
const TRACE = { 'x-trace-id': 'a'.repeat(32) };
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

function answer(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer {
  const text = body === undefined ? '' : JSON.stringify(body);
  return {
    status,
    headers: { ...TRACE, ...(text === '' ? {} : JSON_TYPE), ...headers },
    bytes: Buffer.from(text),
    text,
    json: () => JSON.parse(text),
  };
}

const HEALTH: HttpCall = { path: '/api/health' };
const HEALTHY = {
  status: 'ok',
  app: 'vouch',
  version: 'f5-1',
  campaign_admission: { active: false, status: 'inactive' },
};
const INGEST: HttpCall = {
  path: '/api/v1/ingest',
  token: 't',
  json: { session_id: 's', scope_path: '/', content: 'c' },
};
const ACCEPTED = {
  data: {
    message_id: '01890000-0000-7000-8000-000000000001',
    status: 'accepted',
    occurred_at: '2026-03-02T09:30:00.000Z',
  },
};
const refusal = (code: string, more: object = {}) => ({ error: 'A sentence.', code, ...more });
const KNOWLEDGE: HttpCall = { path: '/api/v1/knowledge?state=active&limit=x', token: 't' };

const RIGHT: readonly (readonly [string, HttpCall, HttpAnswer])[] = [
  ['a probe', HEALTH, answer(200, HEALTHY)],
  ['HEAD of a probe', { ...HEALTH, method: 'HEAD' }, answer(200, undefined)],
  ['an accepted observation', INGEST, answer(202, ACCEPTED)],
  ['an empty list, whatever the limit is', KNOWLEDGE, answer(200, { data: [] })],
  [
    'a refusal',
    INGEST,
    answer(422, refusal('invalid_request', { fields: [{ path: 'content', message: 'm' }] })),
  ],
  ['401', INGEST, answer(401, refusal('unauthorized'), { 'www-authenticate': 'Bearer' })],
  ['503', INGEST, answer(503, refusal('unavailable'), { 'retry-after': '1' })],
  [
    '405',
    { path: '/api/health', method: 'PUT' },
    answer(405, refusal('method_not_allowed'), { allow: 'GET, HEAD' }),
  ],
  ['404 beside every path', { path: '/api/nothing' }, answer(404, refusal('not_found'))],
];

test.each(RIGHT)('%s passes', (_name, call, given) => {
  expect(() => check(call, given)).not.toThrow();
});

const { data } = ACCEPTED;
const { token: _token, ...ANONYMOUS } = INGEST;
const WRONG: readonly (readonly [string, HttpCall, HttpAnswer, RegExp])[] = [
  ['a stranger served', ANONYMOUS, answer(202, ACCEPTED), /served without a credential/],
  [
    '405 that does not name a method that is there',
    { path: '/api/health', method: 'PUT' },
    answer(405, refusal('method_not_allowed'), { allow: 'HEAD' }),
    /Allow does not name get/,
  ],
  ['an undeclared status', INGEST, answer(418, refusal('teapot')), /status is not declared/],
  ['a missing member', HEALTH, answer(200, { status: 'ok' }), /required property 'app'/],
  ['a member of another type', HEALTH, answer(200, { ...HEALTHY, app: 1 }), /must be string/],
  ['an undeclared member', HEALTH, answer(200, { ...HEALTHY, more: 1 }), /NOT have unevaluated/],
  [
    'an undeclared member deep inside',
    INGEST,
    answer(202, { data: { ...data, more: 1 } }),
    /NOT have unevaluated/,
  ],
  ['no envelope', INGEST, answer(202, data), /required property 'data'/],
  [
    'an id that is none',
    INGEST,
    answer(202, { data: { ...data, message_id: '1' } }),
    /format "uuid"/,
  ],
  [
    'a time that is none',
    INGEST,
    answer(202, { data: { ...data, occurred_at: 'now' } }),
    /format "date-time"/,
  ],
  [
    'a code of another status',
    INGEST,
    answer(422, refusal('conflict')),
    /must be equal to constant/,
  ],
  [
    'a code that the route never gives',
    INGEST,
    answer(422, refusal('unknown_peer')),
    /must be equal to constant/,
  ],
  ['401 without its header', INGEST, answer(401, refusal('unauthorized')), /no WWW-Authenticate/],
  [
    '503 that names no number',
    INGEST,
    answer(503, refusal('unavailable'), { 'retry-after': 'soon' }),
    /Retry-After: /,
  ],
  [
    'a header that is not declared',
    HEALTH,
    answer(200, HEALTHY, { 'retry-after': '1' }),
    /retry-after is not declared/,
  ],
  [
    'another media type',
    HEALTH,
    answer(200, HEALTHY, { 'content-type': 'text/plain' }),
    /text\/plain is not declared/,
  ],
  ['a body for HEAD', { ...HEALTH, method: 'HEAD' }, answer(200, HEALTHY), /body is not declared/],
  ['a trace that is none', HEALTH, answer(200, HEALTHY, { 'x-trace-id': 'x' }), /x-trace-id: /],
  [
    'a request that the document refuses, taken',
    { ...INGEST, json: { content: 1 } },
    answer(202, ACCEPTED),
    /the request was taken/,
  ],
  [
    'a parameter that the document refuses, taken',
    { path: '/api/v1/knowledge?state=odd', token: 't' },
    answer(200, { data: [] }),
    /query state/,
  ],
  [
    'an undeclared path, served',
    { path: '/api/nothing' },
    answer(200, {}),
    /the path is not declared/,
  ],
  [
    'an undeclared method, served',
    { path: '/api/health', method: 'PUT' },
    answer(200, HEALTHY),
    /the method is not declared/,
  ],
];

test.each(WRONG)('%s does not', (_name, call, given, problem) => {
  expect(() => check(call, given)).toThrow(problem);
});
