/** The tables of what curators read before they decide: how much waits, and who could read what. */
import { itemId, place, post, versionOf } from '../asking.ts';
import { field, parameter } from '../borrowed.ts';
import { asRefusedAlone, reviewCounts } from '../checks.ts';
import { PLACES } from '../world.ts';
import { ITEM } from './desk.ts';
import {
  answered,
  CURATOR_NOWHERE,
  MALFORMED_PATH,
  PEOPLE,
  type RouteTable,
} from './route-table.ts';

export const DESK_READS: readonly RouteTable[] = [
  {
    route: 'GET /api/v1/governance/reviews/summary',
    request: (asked) => ({
      path: `/api/v1/governance/reviews/summary?scope_path=${place(asked)}`,
    }),
    shows: (answer, asked, { fresh }) => reviewCounts(answer, asked, fresh.values()),
    borrows: [parameter('scope_path', 'scope')],
    isLate: true,
    vary: { place: PLACES },
    rows: [
      ...PEOPLE,
      MALFORMED_PATH,
      CURATOR_NOWHERE,
      answered(200, 'decisions 17: reviews of the subtree'),
    ],
  },
  {
    route: 'POST /api/v1/governance/reviews/preview',
    request: (asked) =>
      post('governance/reviews/preview', {
        decisions: [{ id: itemId(asked), version: versionOf(asked), action: 'defer' }],
      }),
    shows: asRefusedAlone('/defer'),
    borrows: [
      field('decisions', 'itemId', { as: (id) => [{ id, version: 1, action: 'approve' }] }),
    ],
    isLate: true,
    vary: { ...ITEM, target: ['missing', 'foreign', 'an item'] },
    rows: [
      ...PEOPLE,
      CURATOR_NOWHERE,
      answered(200, 'decisions 17: bulk, each decision its own transaction'),
    ],
  },
];
