/** The tables of skill cards. What a report about a peer shows is a read. */
import { cardId, place, post } from '../asking.ts';
import { field, parameter, SCOPE } from '../borrowed.ts';
import { cards } from '../checks.ts';
import { pathOf, PLACES } from '../world.ts';
import {
  answered,
  CURATORS,
  HIDDEN,
  MALFORMED_PATH,
  PEOPLE,
  type RouteTable,
  withId,
} from './route-table.ts';

const CARD = {
  target: ['malformed', 'missing', 'foreign', 'a card'],
  place: ['root', 'ancestor', 'own', 'child', 'sibling', 'denied'],
};

export const SKILLS: readonly RouteTable[] = [
  {
    route: 'GET /api/v1/governance/skills',
    request: (asked) => ({
      path: `/api/v1/governance/skills?limit=100&scope_path=${place(asked)}`,
    }),
    shows: cards,
    borrows: [
      parameter('scope_path', 'scope'),
      parameter('skill', 'skill'),
      parameter('cursor', 'cardId'),
    ],
    vary: { place: PLACES },
    rows: [...PEOPLE, MALFORMED_PATH, answered(200, 'decisions 14: read by readers of the scope')],
  },
  {
    route: 'POST /api/v1/governance/skills',
    request: ({ cell, n }) =>
      post('governance/skills', {
        scope_path: pathOf(cell['place'] ?? ''),
        skill: `published-${n % 8}`,
        requirements: [{ level: 'required', source_policy: 'either', selector: {} }].map((one) =>
          cell['card'] === 'whole' ? { ...one, key: 'anything' } : one,
        ),
      }),
    borrows: [SCOPE, field('skill', 'skill')],
    isLate: true,
    vary: { place: PLACES, card: ['whole', 'without a key'] },
    rows: [
      ...PEOPLE,
      MALFORMED_PATH,
      {
        when: { card: ['without a key'] },
        answer: ['422 invalid_request'],
        from: 'decisions 2: a missing or invalid field',
      },
      {
        when: { curatesHere: ['no'] },
        answer: ['403 forbidden'],
        from: 'decisions 14: written by curators with a password',
      },
      {
        when: {},
        answer: ['200', '201'],
        from: 'decisions 14: equal content answers unchanged',
      },
    ],
  },
  {
    route: 'GET /api/v1/governance/skills/:card_id',
    request: (asked) => ({
      path: `/api/v1/governance/skills/${cardId(asked)}`,
    }),
    isLate: true,
    vary: CARD,
    rows: [...withId(PEOPLE), HIDDEN, answered(200, 'decisions 14: read by readers of the scope')],
  },
  {
    route: 'POST /api/v1/governance/skills/:card_id/retire',
    request: (asked) => post(`governance/skills/${cardId(asked)}/retire`),
    isLate: true,
    vary: CARD,
    rows: [
      ...withId(CURATORS),
      { ...HIDDEN, from: "decisions 17: an item outside of the caller's scopes" },
      answered(200, 'decisions 14: skill cards are retired by curators'),
    ],
  },
];
