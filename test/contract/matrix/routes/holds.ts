/** The tables of requests to forget. */
import { holdId, place, post, versionOf } from '../asking.ts';
import { parameter } from '../borrowed.ts';
import { forgetHolds } from '../checks.ts';
import { PLACES } from '../world.ts';
import {
  answered,
  CURATOR_NOWHERE,
  HIDDEN,
  MALFORMED_PATH,
  PEOPLE,
  type RouteTable,
  withId,
} from './route-table.ts';

const PATH = '/api/v1/governance/holds';
const TARGET = {
  target: ['malformed', 'missing', 'foreign', 'a hold'],
  place: ['own', 'sibling', 'denied'],
};
const decision = (word: 'uphold' | 'lift', already: string): RouteTable => ({
  route: `POST ${PATH}/:hold_id/${word}`,
  request: (asked) =>
    post(`governance/holds/${holdId(asked)}/${word}`, { version: versionOf(asked) }),
  isLate: true,
  vary: { ...TARGET, version: ['as it is', 'another'], hold: ['open', already] },
  rows: [
    ...withId(PEOPLE),
    HIDDEN,
    {
      when: { version: ['another'] },
      answer: ['409 conflict'],
      from: 'decisions 17: wrong state or version',
    },
    {
      when: { hold: [already] },
      answer: ['409 conflict'],
      from: 'decisions 17: wrong state or version',
    },
    answered(200, 'decisions 29: uphold and lift'),
  ],
});

export const HOLDS: readonly RouteTable[] = [
  {
    route: `GET ${PATH}`,
    request: (asked) => ({ path: `${PATH}?limit=100&scope_path=${place(asked)}` }),
    shows: forgetHolds,
    borrows: [parameter('scope_path', 'scope'), parameter('cursor', 'holdId')],
    isLate: true,
    vary: { place: PLACES },
    rows: [
      ...PEOPLE,
      MALFORMED_PATH,
      CURATOR_NOWHERE,
      answered(200, 'decisions 29: curators see requests to forget'),
    ],
  },
  {
    route: `GET ${PATH}/:hold_id`,
    request: (asked) => ({ path: `${PATH}/${holdId(asked)}` }),
    isLate: true,
    vary: TARGET,
    rows: [
      ...withId(PEOPLE),
      HIDDEN,
      answered(200, 'decisions 29: curators see the words of the item they open'),
    ],
  },
  decision('uphold', 'upheld'),
  decision('lift', 'lifted'),
];
