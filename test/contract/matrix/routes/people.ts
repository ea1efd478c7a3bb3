/** The tables of what people do about themselves. What becomes of a statement is `desk-tables`' matter. */
import { idIn, post, ownVerdict } from '../asking.ts';
import { consents, own } from '../checks.ts';
import { KNOWLEDGE_STATES } from '../../../../domain/statements/states.ts';
import { field, parameter } from '../borrowed.ts';
import type { Cell, Row } from '../table.ts';
import {
  answered,
  HIDDEN,
  PEOPLE,
  withId,
  type HttpAnswers,
  type RouteTable,
} from './route-table.ts';

const WRONG_STATE: Row<HttpAnswers> = {
  when: {},
  answer: ['409 conflict'],
  from: 'decisions 17: legal states, else 409',
};

/** A statement about the caller, in every state; and such as are none of the caller's. */
const ABOUT = {
  target: [
    'malformed',
    'missing',
    'foreign',
    'about another',
    'about the scope',
    'about the caller',
  ],
  state: KNOWLEDGE_STATES,
  expiry: ['never', 'over'],
  held: ['at peer level', 'for the scope'],
};
/** Each refusal before a statement is looked at, once or twice, and everybody who may have statements of their own. */
const SPEAKERS = [
  'no credential',
  'a revoked key',
  'an agent',
  'a machine without a peer',
  'a reader',
  'a member',
  'a curator',
  'an administrator',
  'a denied member',
  "another account's administrator",
];
const mayBeAbout = ({ held, state }: Cell): boolean => held === 'at peer level' || state === 'held';

const verdict = (word: string, rows: RouteTable['rows']): RouteTable => ({
  route: `POST /api/v1/self/knowledge/:knowledge_id/${word}`,
  request: ownVerdict(word),
  isLate: true,
  identities: SPEAKERS,
  vary: ABOUT,
  may: mayBeAbout,
  rows: [
    ...withId(PEOPLE),
    { ...HIDDEN, from: 'interface 4: self-governance, subject is always the caller' },
    ...rows,
  ],
});

export const SELF: readonly RouteTable[] = [
  {
    route: 'GET /api/v1/self/knowledge',
    request: () => ({ path: '/api/v1/self/knowledge?limit=100' }),
    shows: own,
    borrows: [parameter('cursor', 'statementId')],
    vary: {},
    rows: [...PEOPLE, answered(200, 'interface 4: the own record, human only')],
  },
  verdict('confirm', [
    { ...answered(200, 'decisions 17: confirm, from contested'), when: { state: ['contested'] } },
    {
      ...WRONG_STATE,
      when: { expiry: ['over'] },
      from: 'decisions 17: a passed expires_at counts as expired',
    },
    {
      ...answered(200, 'decisions 17: confirm, from provisional and held at peer level'),
      when: { state: ['provisional', 'held'], held: ['at peer level'] },
    },
    {
      ...answered(200, 'decisions 17: confirm, from active, needs_revalidation and stale'),
      when: { state: ['active', 'needs_revalidation', 'stale'] },
    },
    WRONG_STATE,
  ]),
  verdict('contest', [
    { ...answered(200, 'decisions 8: contested again, the same'), when: { state: ['contested'] } },
    {
      ...WRONG_STATE,
      when: { expiry: ['over'] },
      from: 'decisions 17: a passed expires_at counts as expired',
    },
    {
      ...answered(200, 'decisions 8: contest, from which states'),
      when: {
        state: ['proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale'],
      },
    },
    WRONG_STATE,
  ]),
  verdict('redact', [
    {
      when: { state: ['retracted'] },
      answer: ['200', '404 not_found'],
      from: 'decisions 8: a retracted row is kept without its text',
    },
    answered(200, 'decisions 8: redact, from any state'),
  ]),
  verdict('withdraw', [
    {
      when: { state: ['redacted', 'retracted'] },
      answer: ['404 not_found'],
      from: 'decisions 5: redacted and retracted, nobody here',
    },
    {
      ...WRONG_STATE,
      when: { expiry: ['over'] },
      from: 'decisions 17: a passed expires_at counts as expired',
    },
    {
      ...answered(200, 'decisions 29: withdraw, a speaker of a source'),
      when: {
        state: [
          'proposed',
          'provisional',
          'held',
          'active',
          'needs_revalidation',
          'stale',
          'contested',
        ],
      },
    },
    WRONG_STATE,
  ]),
  {
    route: 'GET /api/v1/self/consents',
    request: () => ({ path: '/api/v1/self/consents?limit=100' }),
    shows: consents,
    borrows: [parameter('cursor', 'consentId')],
    isLate: true,
    vary: {},
    rows: [...PEOPLE, answered(200, 'decisions 17: self, consents')],
  },
  {
    route: 'POST /api/v1/self/consents/:consent_id',
    request: (asked) =>
      post(`self/consents/${idIn(asked, asked.scene.foreign.consentId, asked.fresh?.consentId)}`, {
        decision: asked.cell['decision'],
      }),
    isLate: true,
    vary: {
      target: ['malformed', 'missing', 'foreign', 'of another', 'of the caller'],
      status: ['pending', 'granted', 'denied'],
      decision: ['grant', 'deny', 'something else'],
    },
    rows: [
      ...withId(PEOPLE),
      {
        when: { decision: ['something else'] },
        answer: ['422 invalid_request', '404 not_found'],
        from: 'decisions 2: a missing or invalid field',
      },
      HIDDEN,
      {
        when: { status: ['denied'], decision: ['grant'] },
        answer: ['409 conflict'],
        from: 'decisions 17: consent, denied stays denied',
      },
      answered(200, 'decisions 17: self, consents, grant or deny'),
    ],
  },
  {
    route: 'POST /api/v1/self/erasure',
    request: ({ cell }) =>
      post('self/erasure', cell['mode'] === 'wrong' ? { mode: 'everything' } : {}),
    // Who is erased is the caller: it takes no name.
    borrows: [field('mode', 'corpus')],
    isLate: true,
    // Who asks and is let in is erased: one person is there for that.
    identities: [
      'no credential',
      'a revoked key',
      'an agent',
      'a machine without a peer',
      'a member',
      'a person who leaves',
    ],
    vary: { mode: ['fine', 'wrong'] },
    may: ({ identity, mode }) =>
      (identity !== 'a member' || mode === 'wrong') &&
      (identity !== 'a person who leaves' || mode === 'fine'),
    rows: [
      ...PEOPLE,
      {
        when: { mode: ['wrong'] },
        answer: ['422 invalid_request'],
        from: 'decisions 2: a bad erasure mode',
      },
      answered(202, 'decisions 8: erasure, accepted'),
    ],
  },
  {
    route: 'GET /api/v1/self/erasure/:erasure_id',
    request: (asked) => ({
      path: `/api/v1/self/erasure/${idIn(asked, asked.scene.foreign.erasureId, undefined)}`,
    }),
    // Whose request there is reads it in `matrix.test.ts`, and nobody else does.
    vary: { target: ['malformed', 'missing', 'foreign'] },
    rows: [
      ...withId(PEOPLE),
      {
        when: { target: ['missing', 'foreign'] },
        answer: ['404 not_found'],
        from: "interface 4: an unknown id and another peer's id",
      },
    ],
  },
];
