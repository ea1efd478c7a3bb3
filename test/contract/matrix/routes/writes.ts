/** The tables of what brings observations and documents in, and of the doors without a credential. */
import { randomUUID } from 'node:crypto';
import { documentId, observation, post, SIGN_INS, upload } from '../asking.ts';
import { field, inPath, ONCE } from '../borrowed.ts';
import { asAlone } from '../checks.ts';
import type { Row } from '../table.ts';
import { emailOf, PLACES } from '../world.ts';
import {
  answered,
  ANYBODY,
  HIDDEN,
  type HttpAnswers,
  MALFORMED_PATH,
  type RouteTable,
  withId,
} from './route-table.ts';

const MAY_NOT_WRITE: Row<HttpAnswers> = {
  when: { writes: ['no'] },
  answer: ['403 forbidden'],
  from: 'decisions 3: writing needs member at the path',
};

const AT_AN_INSTANT = { occurred_at: '2024-05-01T10:00:00Z' };
/** Each time another document, of the same bytes. */
const ANEW = field('external_id', 'once', { as: () => randomUUID() });
const GREETING = {
  session_id: 'matrix-greeting',
  scope_path: '/team',
  content: 'Good morning.',
  role: 'assistant',
};
const HEARD = { beside: { ...AT_AN_INSTANT, peer_key: 'somebody' } };

export const OPEN: readonly RouteTable[] = [
  {
    route: 'GET /api/health',
    request: () => ({ path: '/api/health' }),
    vary: {},
    rows: [answered(200, 'interface 4: health, auth none')],
  },
  {
    route: 'GET /api/ready',
    request: () => ({ path: '/api/ready' }),
    vary: {},
    rows: [{ when: {}, answer: ['200', '503'], from: 'interface 4: ready, auth none' }],
  },
  {
    route: 'POST /api/auth/password',
    request: ({ cell }) => ({
      method: 'POST',
      path: '/api/auth/password',
      json: { email: emailOf('stranger'), ...SIGN_INS[cell['says'] ?? ''] },
    }),
    identities: ['no credential', 'an unknown token', 'an agent', 'a member'],
    vary: {
      says: ['the password', 'another password', 'another e-mail', 'no password', 'a number'],
    },
    rows: [
      {
        when: { says: ['another password', 'another e-mail'] },
        answer: ['401 unauthorized'],
        from: 'interface 4: a wrong email and a wrong password, the same opaque 401',
      },
      {
        when: { says: ['no password', 'a number'] },
        answer: ['422 invalid_request'],
        from: 'decisions 3: sign-in, a missing field is 422',
      },
      answered(200, 'interface 4: human sign-in'),
    ],
  },
];

export const WRITES: readonly RouteTable[] = [
  {
    route: 'POST /api/v1/ingest',
    request: (asked) => post('ingest', observation(asked)),
    borrows: [
      field('session_id', 'session', HEARD),
      field('scope_path', 'scope', HEARD),
      // Spent on one call in the other account: an observation that met that budget would be told so.
      field('scope_path', 'corpus', HEARD),
      field('peer_key', 'speaker', { beside: AT_AN_INSTANT }),
      ONCE,
    ],
    isLate: true,
    vary: { place: PLACES, speaker: ['nobody named', 'somebody named'] },
    rows: [
      ...ANYBODY,
      MALFORMED_PATH,
      {
        when: { hasPeer: ['no'], speaker: ['nobody named'] },
        answer: ['422 invalid_request'],
        from: 'interface 4: an internal caller must supply peer_key',
      },
      MAY_NOT_WRITE,
      answered(202, 'interface 4: ingest, any identity'),
    ],
  },
  {
    route: 'POST /api/v1/ingest/batch',
    request: (asked) => post('ingest/batch', { observations: [observation(asked)] }),
    shows: asAlone('/ingest'),
    borrows: [
      field('observations', 'session', {
        as: (session_id) => [{ ...GREETING, ...HEARD.beside, session_id }],
      }),
      field('observations', 'scope', {
        as: (scope_path) => [{ ...GREETING, ...HEARD.beside, scope_path }],
      }),
      field('observations', 'speaker', {
        as: (peer_key) => [{ ...GREETING, ...AT_AN_INSTANT, peer_key }],
      }),
      ONCE,
    ],
    isLate: true,
    vary: { place: PLACES, speaker: ['nobody named', 'somebody named'] },
    rows: [...ANYBODY, answered(202, 'interface 4: ingest, any identity, each for itself')],
  },
  {
    route: 'POST /api/v1/documents',
    request: upload,
    borrows: [
      field('scope_path', 'scope', { beside: AT_AN_INSTANT }),
      field('external_id', 'document', { beside: AT_AN_INSTANT }),
      field('content_base64', 'bytes', { beside: AT_AN_INSTANT }),
      { ...ONCE, put: (request, name) => ONCE.put(ANEW.put(request, name), name) },
    ],
    isLate: true,
    vary: { place: PLACES, bytes: ['new', 'the same', 'none'] },
    rows: [
      ...ANYBODY,
      MALFORMED_PATH,
      {
        when: { bytes: ['none'] },
        answer: ['422 invalid_request'],
        from: 'decisions 2: a missing or invalid field',
      },
      {
        when: { hasPeer: ['no'] },
        answer: ['403 forbidden'],
        from: 'decisions 3: an internal machine credential, ingest needs peer_key',
      },
      MAY_NOT_WRITE,
      {
        when: { bytes: ['the same'] },
        answer: ['200', '202'],
        from: 'decisions 11: documents, unchanged bytes answer 200',
      },
      answered(202, 'decisions 11: documents, API keys with member too'),
    ],
  },
  {
    route: 'DELETE /api/v1/documents/:id',
    request: (asked) => ({
      method: 'DELETE',
      path: `/api/v1/documents/${documentId(asked, 'documentId')}`,
    }),
    borrows: [inPath('versionId')],
    isLate: true,
    vary: { target: ['malformed', 'missing', 'foreign', 'seeded'], nth: ['0', '1', '2', '3', '4'] },
    may: ({ nth, target }) => target === 'seeded' || nth === '0',
    rows: [
      ...withId(ANYBODY),
      {
        when: { hasPeer: ['no'] },
        answer: ['403 forbidden'],
        from: 'decisions 3: an internal machine credential, ingest needs peer_key',
      },
      { ...HIDDEN, when: { writes: ['no'] } },
      answered(202, 'decisions 11: documents, API keys with member too'),
    ],
  },
];
