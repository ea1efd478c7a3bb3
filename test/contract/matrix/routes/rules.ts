/** The tables of the rules of a scope, which its administrators read and change. */
import { place } from '../asking.ts';
import { parameter, field } from '../borrowed.ts';
import type { Row } from '../table.ts';
import { pathOf, PLACES } from '../world.ts';
import {
  answered,
  MALFORMED_PATH,
  PEOPLE,
  type HttpAnswers,
  type RouteTable,
} from './route-table.ts';

const ADMINISTERS: readonly Row<HttpAnswers>[] = [
  MALFORMED_PATH,
  {
    when: { administers: ['no'] },
    answer: ['403 forbidden'],
    from: 'decisions 17: rules, account-admin at that scope',
  },
];

export const RULES: readonly RouteTable[] = [
  {
    route: 'GET /api/v1/governance/rules',
    request: (asked) => ({
      path: `/api/v1/governance/rules?scope_path=${place(asked)}`,
    }),
    borrows: [parameter('scope_path', 'corpus')],
    vary: { place: PLACES },
    rows: [...PEOPLE, ...ADMINISTERS, answered(200, 'decisions 17: rules are read')],
  },
  {
    route: 'PUT /api/v1/governance/rules',
    request: ({ cell }) => ({
      method: 'PUT',
      path: '/api/v1/governance/rules',
      json: { scope_path: pathOf(cell['place'] ?? ''), version: 0 },
    }),
    borrows: [field('scope_path', 'corpus')],
    isLate: true,
    vary: { place: PLACES },
    rows: [...PEOPLE, ...ADMINISTERS, answered(200, 'decisions 17: rules are put')],
  },
];
