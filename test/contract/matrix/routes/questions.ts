/** The tables of what is answered to questions, and of how often a person wants to be asked. */
import { WISHES, idIn, post } from '../asking.ts';
import {
  ANYBODY,
  answered,
  HIDDEN,
  PEOPLE,
  withId,
  type HttpAnswers,
  type RouteTable,
} from './route-table.ts';
import { PEER } from '../borrowed.ts';
import type { Row } from '../table.ts';

const NO_SUCH_WORD: Row<HttpAnswers> = {
  when: { verdict: ['something else'] },
  answer: ['422 invalid_request', '404 not_found'],
  from: 'decisions 2: a missing or invalid field',
};

export const QUESTIONS: readonly RouteTable[] = [
  {
    route: 'PUT /api/v1/self/ask-preference',
    request: ({ cell }) => ({
      method: 'PUT',
      path: '/api/v1/self/ask-preference',
      json: WISHES[cell['wish'] ?? ''] ?? {},
    }),
    borrows: [PEER],
    isLate: true,
    vary: { wish: ['none', 'fewer', 'more than any', 'no number'] },
    rows: [
      ...PEOPLE,
      {
        when: { wish: ['no number'] },
        answer: ['422 invalid_request'],
        from: 'decisions 2: a missing or invalid field',
      },
      answered(200, 'decisions 17: self, people may loosen'),
    ],
  },
  {
    route: 'POST /api/v1/validations/:id',
    request: (asked) =>
      post(`validations/${idIn(asked, asked.scene.foreign.deliveryId, asked.fresh?.deliveryId)}`, {
        verdict: asked.cell['verdict'],
      }),
    isLate: true,
    vary: {
      target: ['malformed', 'missing', 'foreign', 'handed to another', 'handed to the caller'],
      question: ['open', 'over', 'answered'],
      verdict: ['confirm', 'reject', 'unsure', 'skip', 'something else'],
    },
    rows: [
      ...withId(ANYBODY),
      NO_SUCH_WORD,
      { ...HIDDEN, from: 'decisions 17: validations, whoever it was delivered to, else 404' },
      {
        ...HIDDEN,
        when: { question: ['over', 'answered'] },
        from: 'facts 2: resolving with no outstanding delivery',
      },
      answered(200, 'decisions 17: self, validations'),
    ],
  },
];
