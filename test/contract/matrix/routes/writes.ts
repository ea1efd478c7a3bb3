/** The tables of what brings observations and documents in, and of the doors without a credential. */
import { PLACES } from '../world.ts';
import {
  ANYBODY,
  answered,
  HIDDEN,
  MALFORMED_PATH,
  withId,
  type HttpAnswers,
  type RouteTable,
} from './route-table.ts';
import type { Row } from '../table.ts';

const MAY_NOT_WRITE: Row<HttpAnswers> = {
  when: { writes: ['no'] },
  answer: ['403 forbidden'],
  from: 'decisions 3: writing needs member at the path',
};

export const OPEN: readonly RouteTable[] = [
  {
    route: 'GET /api/health',
    vary: {},
    rows: [answered(200, 'interface 4: health, auth none')],
  },
  {
    route: 'GET /api/ready',
    vary: {},
    rows: [{ when: {}, answer: ['200', '503'], from: 'interface 4: ready, auth none' }],
  },
  {
    route: 'POST /api/auth/password',
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
    route: 'POST /api/v1/documents',
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
