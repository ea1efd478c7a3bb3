/**
 * For every route that asks for a credential: what belongs to another account is answered byte for byte like
 * what does not exist.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../api/rest/routes.ts';
import { erasePeer } from '../../operations/identity/erase-peer.ts';
import { operations } from '../../operations/registry.ts';
import type { HttpAnswer } from '../support/http.ts';
import {
  closeWithoutErrors,
  dataOf,
  startService,
  type Service,
  type Settled,
} from '../support/service.ts';
import { exactly, withoutTimes } from './answers.ts';
import { casesOfReads } from './isolation-reads.ts';
import { casesOfSkills, publishThere } from './isolation-skills.ts';
import { askAbout, casesOfDesk, withoutIds, type IsolationCase } from './isolation-desk.ts';

/** Names of the same length: one exists in the other account, one exists nowhere. */
const PEER = { theirs: 'their-speaker', unknown: 'other-speaker' };
const SPEAKER = { theirs: 'their-relayed', unknown: 'other-relayed' };
const SESSION = { theirs: 'their-session', unknown: 'other-session' };
const SCOPE = { theirs: '/their-place', unknown: '/other-place' };
const ONCE = { theirs: 'their-key', unknown: 'other-key' };
const SKILL = { theirs: 'their-skill', unknown: 'other-skill' };
const CORPUS = { theirs: '/their-corpus', unknown: '/other-corpus' };
const RECONCILE = '/api/v1/operations/reconcile';
const BUDGET = '/api/v1/operations/extraction-budget';
const EVIDENCE = '/api/v1/operations/extraction-evidence';
const INSTANT = '2024-05-01T10:00:00Z';

type Whose = 'theirs' | 'unknown';

const DOCUMENT = { theirs: 'their-handbook', unknown: 'no-handbook' } as const;
const BYTES = { theirs: 'VGhlaXJzLg==', unknown: 'Tm9ib2R5cy4=' } as const;

let service: Service;
let theirs: Settled;
let theirToken: string;
let theirDocumentId: string;
let theirVersionId: string;
let their: Awaited<ReturnType<typeof askAbout>>;
let theirErasureId: string;
let theirCardId: string;
let theirPeerId: string;
const unknownIds = { message: randomUUID(), statement: randomUUID() };
const callers = new Map<string, string>();

beforeAll(async () => {
  service = await startService();
  const { home, other } = service;
  theirToken = (await other.agent('their-agent', { role: 'account_admin' })).token;
  theirs = await service.ingestAndWait(theirToken, {
    session_id: SESSION.theirs,
    scope_path: SCOPE.theirs,
    peer_key: PEER.theirs,
    content: 'I keep a secret in the garden shed.',
  });
  await service.ingest(
    theirToken,
    { content: 'Hello.', peer_key: SPEAKER.theirs },
    { 'idempotency-key': ONCE.theirs },
  );
  const submitted = await submit(theirToken, {
    external_id: DOCUMENT.theirs,
    content_base64: BYTES.theirs,
  });
  theirDocumentId = String(dataOf(submitted)['document_id']);
  theirVersionId = String(dataOf(submitted)['document_version_id']);
  await service.call({
    method: 'POST',
    path: RECONCILE,
    token: theirToken,
    headers: { 'idempotency-key': ONCE.theirs },
  });
  await service.ingestAndWait(theirToken, { scope_path: CORPUS.theirs, content: 'I own a boat.' });
  // Used up: an observation that met this budget would be told so.
  await budget(theirToken, CORPUS.theirs, 1);
  await service.ingestAndWait(theirToken, { scope_path: CORPUS.theirs, content: 'I own a ship.' });
  their = await askAbout(service, String(theirs.knowledge[0]?.['id']));
  theirCardId = await publishThere(service, SKILL.theirs, SCOPE.theirs);
  const [peer] = await service.rows('select id from peers where account_id = $1 and key = $2', [
    other.id,
    PEER.theirs,
  ]);
  theirPeerId = String(peer?.['id']);
  const leaver = { peer_key: 'leaver', role: 'assistant', content: 'Hello.' };
  await service.ingestAndWait(theirToken, { scope_path: CORPUS.theirs, ...leaver });
  const erasure = { account: service.other.key, peer: 'leaver' };
  theirErasureId = (await service.operate(erasePeer, erasure)).id;
  callers.set('an agent', (await home.agent('agent')).token);
  callers.set(
    'an administrating agent',
    (await home.agent('boss', { role: 'account_admin' })).token,
  );
  callers.set('a machine without a peer', (await home.agent(null)).token);
  callers.set('a person', await home.person('member'));
  callers.set('a curator', await home.person('curator', { role: 'curator' }));
  callers.set('an administrator', await home.person('head', { role: 'account_admin' }));
});

afterAll(() => closeWithoutErrors(service));

type Case = IsolationCase<Whose>;

const messageId = (whose: Whose) => (whose === 'theirs' ? theirs.messageId : unknownIds.message);
const erasureId = (whose: Whose) => (whose === 'theirs' ? theirErasureId : unknownIds.statement);
const consentId = (whose: Whose) => (whose === 'theirs' ? their.consentId : unknownIds.statement);
const validationId = (whose: Whose) =>
  whose === 'theirs' ? their.validationId : unknownIds.statement;
const statementId = (whose: Whose) =>
  whose === 'theirs' ? String(theirs.knowledge[0]?.['id']) : unknownIds.statement;

function withoutPath(answer: HttpAnswer): unknown {
  const text = JSON.stringify(withoutTimes(answer));
  const paths = [SCOPE, CORPUS].flatMap(({ theirs: their, unknown }) => [their, unknown]);
  return paths.reduce((rest, path) => rest.replaceAll(path, 'path'), text);
}

const observation = (token: string, body: Record<string, unknown>, headers = {}) =>
  service.ingest(
    token,
    { content: 'Hello.', peer_key: 'somebody', occurred_at: INSTANT, ...body },
    headers,
  );

const submit = (token: string, body: Record<string, unknown>, headers = {}) =>
  service.call({
    path: '/api/v1/documents',
    token,
    headers,
    json: {
      scope_path: '/team',
      media_type: 'text/plain',
      content_base64: 'SGVsbG8u',
      occurred_at: INSTANT,
      ...body,
    },
  });

const versionStatus = (token: string, whose: Whose, query = '') =>
  service.call({
    path: `/api/v1/documents/${whose === 'theirs' ? theirVersionId : unknownIds.message}${query}`,
    token,
  });

const withdraw = (token: string, id: string) =>
  service.call({ method: 'DELETE', path: `/api/v1/documents/${id}`, token });

const budget = (token: string, root: string, cap: number) =>
  service.call({
    method: 'PUT',
    path: BUDGET,
    token,
    json: {
      scope_root: root,
      request_cap: cap,
      token_cap: 1_000,
      usd_micros_cap: 1_000,
      deadline_at: '2090-01-01T00:00:00Z',
      input_usd_micros_per_million: 1,
      output_usd_micros_per_million: 1,
    },
  });

const requeue = (token: string, id: string) =>
  service.call({ method: 'POST', path: `/api/v1/operations/ingest/${id}/requeue`, token });

const get = (token: string, path: string) => service.call({ path, token });

const put = (token: string, path: string, json: Record<string, unknown>) =>
  service.call({ method: 'PUT', path, token, json });

const post = (token: string, path: string, json: Record<string, unknown> = {}) =>
  service.call({ method: 'POST', path, token, json });

const reviewId = (whose: Whose) => (whose === 'theirs' ? their.reviewId : unknownIds.message);

const deskCases = casesOfDesk<Whose>({
  scope: SCOPE,
  corpus: CORPUS,
  peer: PEER,
  statementId,
  reviewId,
  consentId,
  validationId,
  erasureId,
  get,
  post,
  put,
});

const readCases = casesOfReads<Whose>({
  scope: SCOPE,
  peer: PEER,
  statementId,
  messageId,
  documentId: (whose) => (whose === 'theirs' ? theirDocumentId : unknownIds.message),
  versionId: (whose) => (whose === 'theirs' ? theirVersionId : unknownIds.message),
  post,
  withoutPath,
});

const skillCases = casesOfSkills<Whose>({
  scope: SCOPE,
  peer: PEER,
  skill: SKILL,
  cardId: (whose) => (whose === 'theirs' ? theirCardId : unknownIds.message),
  peerId: (whose) => (whose === 'theirs' ? theirPeerId : unknownIds.message),
  get,
  post,
});

const CASES: Readonly<Record<string, readonly Case[]>> = {
  'POST /api/v1/ingest': [
    {
      what: 'a session',
      send: (token, whose) => observation(token, { session_id: SESSION[whose] }),
      compare: withoutIds,
    },
    {
      what: 'a scope',
      send: (token, whose) => observation(token, { scope_path: SCOPE[whose] }),
      compare: withoutIds,
    },
    {
      what: 'a speaker',
      send: (token, whose) => observation(token, { peer_key: SPEAKER[whose] }),
      compare: withoutIds,
    },
    {
      what: 'an idempotency key',
      send: (token, whose) => observation(token, {}, { 'idempotency-key': ONCE[whose] }),
      compare: withoutIds,
    },
  ],
  'GET /api/v1/ingest/:message_id': [
    {
      what: 'a message',
      send: (token, whose) => service.status(token, messageId(whose)),
      compare: exactly,
    },
    {
      what: 'a message that is waited for',
      send: (token, whose) => service.status(token, messageId(whose), '?wait_ms=100'),
      compare: exactly,
    },
    {
      what: 'a statement',
      send: (token, whose) => service.status(token, statementId(whose)),
      compare: exactly,
    },
  ],
  'POST /api/v1/documents': [
    {
      what: 'a document',
      send: (token, whose) => submit(token, { external_id: DOCUMENT[whose] }),
      compare: withoutIds,
    },
    {
      what: 'the bytes',
      send: (token, whose) => submit(token, { content_base64: BYTES[whose] }),
      compare: withoutIds,
    },
    {
      what: 'an idempotency key',
      send: (token, whose) =>
        submit(token, { external_id: randomUUID() }, { 'idempotency-key': ONCE[whose] }),
      compare: withoutIds,
    },
  ],
  'DELETE /api/v1/documents/:id': [
    {
      what: 'a document',
      send: (token, whose) =>
        withdraw(token, whose === 'theirs' ? theirDocumentId : unknownIds.message),
      compare: exactly,
    },
    {
      what: 'a version',
      send: (token, whose) =>
        withdraw(token, whose === 'theirs' ? theirVersionId : unknownIds.message),
      compare: exactly,
    },
  ],
  'GET /api/v1/documents/:id': [
    {
      what: 'a version',
      send: (token, whose) => versionStatus(token, whose),
      compare: exactly,
    },
    {
      what: 'a version that is waited for',
      send: (token, whose) => versionStatus(token, whose, '?wait_ms=100'),
      compare: exactly,
    },
  ],
  'POST /api/v1/operations/reconcile': [
    {
      what: 'an idempotency key',
      send: (token, whose) =>
        service.call({
          method: 'POST',
          path: RECONCILE,
          token,
          headers: { 'idempotency-key': ONCE[whose] },
        }),
      compare: withoutIds,
    },
  ],
  'POST /api/v1/operations/ingest/:message_id/requeue': [
    {
      what: 'a message',
      send: (token, whose) => requeue(token, messageId(whose)),
      compare: exactly,
    },
    {
      what: 'a statement',
      send: (token, whose) => requeue(token, statementId(whose)),
      compare: exactly,
    },
  ],
  'PUT /api/v1/operations/extraction-budget': [
    {
      what: 'a root',
      send: (token, whose) => budget(token, CORPUS[whose], 7),
      compare: withoutPath,
    },
  ],
  'GET /api/v1/operations/extraction-evidence': [
    {
      what: 'a scope',
      send: (token, whose) =>
        service.call({ path: `${EVIDENCE}?scope_root=${CORPUS[whose]}`, token }),
      compare: exactly,
    },
  ],
  ...deskCases,
  ...readCases,
  ...skillCases,
};

test('the other account can read its own observation and statement', async () => {
  expect(theirs.knowledge).toHaveLength(1);
  expect((await service.status(theirToken, theirs.messageId)).status).toBe(200);
});

test('the table of this test lists every route that requires a credential', () => {
  const mounted = ROUTES.filter(({ operation }) => operations[operation].access !== 'public');
  expect(Object.keys(CASES).toSorted()).toEqual(
    mounted.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
});

describe.each(Object.entries(CASES))('%s', (_, cases) => {
  test.each(cases)(
    '$what of another account is answered like one that does not exist',
    async (entry) => {
      for (const [who, token] of callers) {
        // Unknown first: a name that was sent may exist from then on.
        const unknown = entry.compare(await entry.send(token, 'unknown'));
        const foreign = entry.compare(await entry.send(token, 'theirs'));
        expect({ who, answer: foreign }).toEqual({ who, answer: unknown });
      }
    },
  );
});

test('no request of this test changed the other account', async () => {
  const [row] = await service.rows(
    `select (select count(*)::integer from messages
         where account_id = $1 and document_version_id is null) as messages,
       (select count(*)::integer from document_versions where account_id = $1) as versions,
       (select count(*)::integer from peers where account_id = $1 and key = 'somebody') as strangers,
       (select max(request_cap)::integer from extraction_budgets where account_id = $1) as calls`,
    [service.other.id],
  );
  expect(row).toEqual({ messages: 4, versions: 1, strangers: 0, calls: 1 });
});

test('a foreign, unknown or malformed message id gets one and the same 404', async () => {
  const token = callers.get('an agent') ?? '';
  const answers = await Promise.all(
    [theirs.messageId, unknownIds.message, 'no-uuid', '%00', theirs.messageId.toUpperCase()].map(
      (id) => service.status(token, id),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});
