/** The tables of circles. */
import { circleId, place } from '../asking.ts';
import { field, parameter, SCOPE } from '../borrowed.ts';
import { circles } from '../checks.ts';
import { circleName } from '../fresh.ts';
import { CIRCLE_MEMBERS, pathOf, PLACES } from '../world.ts';
import {
  answered,
  HIDDEN,
  MALFORMED_PATH,
  PEOPLE,
  type HttpAnswers,
  type RouteTable,
  withId,
} from './route-table.ts';
import type { Row } from '../table.ts';

const PATH = '/api/v1/governance/circles';
const TARGET = {
  target: ['malformed', 'missing', 'foreign', 'a circle'],
  place: ['root', 'ancestor', 'own', 'child', 'sibling', 'denied'],
};

const NO_CURATOR_HERE: Row<HttpAnswers> = {
  when: { curatesHere: ['no'] },
  answer: ['403 forbidden'],
  from: 'decisions 29: circles are made by curators',
};

export const CIRCLES: readonly RouteTable[] = [
  {
    route: `GET ${PATH}`,
    request: (asked) => ({ path: `${PATH}?limit=100&scope_path=${place(asked)}` }),
    shows: circles,
    borrows: [parameter('scope_path', 'scope'), parameter('cursor', 'circleId')],
    vary: { place: PLACES },
    rows: [...PEOPLE, MALFORMED_PATH, answered(200, 'decisions 29: circles of a scope')],
  },
  {
    route: `PUT ${PATH}`,
    request: ({ cell, n }) => ({
      method: 'PUT',
      path: PATH,
      json: {
        scope_path: pathOf(cell['place'] ?? ''),
        name: `put-${n % 8}`,
        ...(cell['members'] === 'somebody known' ? { members: CIRCLE_MEMBERS } : {}),
        ...(cell['members'] === 'somebody unknown' ? { members: ['somebody-unknown'] } : {}),
      },
    }),
    borrows: [
      SCOPE,
      field('name', 'circle', { beside: { add: CIRCLE_MEMBERS, members: null } }),
      field('members', 'peer', { as: (key) => [key] }),
    ],
    isLate: true,
    vary: { place: PLACES, members: ['somebody known', 'somebody unknown', 'nothing said'] },
    rows: [
      ...PEOPLE,
      MALFORMED_PATH,
      {
        when: { members: ['nothing said'] },
        answer: ['422 invalid_request'],
        from: 'decisions 2: a missing or invalid field',
      },
      NO_CURATOR_HERE,
      {
        when: { members: ['somebody unknown'] },
        answer: ['422 unknown_peer'],
        from: 'decisions 2: peer_key naming nobody',
      },
      // The administrator of another account knows nobody of those keys either.
      {
        when: { identity: ["another account's administrator"] },
        answer: ['422 unknown_peer'],
        from: 'decisions 2: peer_key naming nobody',
      },
      answered(200, 'decisions 29: circles are put'),
    ],
  },
  {
    route: `GET ${PATH}/:circle_id`,
    request: (asked) => ({ path: `${PATH}/${circleId(asked)}` }),
    isLate: true,
    vary: TARGET,
    rows: [...withId(PEOPLE), HIDDEN, answered(200, 'decisions 29: shown to its members')],
  },
  {
    route: `DELETE ${PATH}`,
    request: (asked) => {
      const name = encodeURIComponent(circleName(circleId(asked)));
      return { method: 'DELETE', path: `${PATH}?scope_path=${place(asked)}&name=${name}` };
    },
    borrows: [parameter('scope_path', 'scope'), parameter('name', 'circle')],
    isLate: true,
    vary: TARGET,
    rows: [
      ...PEOPLE,
      NO_CURATOR_HERE,
      { ...HIDDEN, from: 'decisions 2: a hidden or missing resource' },
      answered(200, 'decisions 29: circles are deleted'),
    ],
  },
];
