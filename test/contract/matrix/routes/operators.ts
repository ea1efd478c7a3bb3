/** The tables of the operator routes. */
import { budget, idIn, place, post } from '../asking.ts';
import { field, inPath, ONCE, parameter } from '../borrowed.ts';
import { PLACES } from '../world.ts';
import { ADMINS, answered, HIDDEN, withId, type RouteTable } from './route-table.ts';

export const OPERATORS: readonly RouteTable[] = [
  {
    route: 'POST /api/v1/operations/reconcile',
    request: () => post('operations/reconcile'),
    borrows: [ONCE],
    isLate: true,
    vary: {},
    rows: [...ADMINS, answered(202, 'interface 4: reconcile, account-admin')],
  },
  {
    route: 'POST /api/v1/operations/ingest/:message_id/requeue',
    request: (asked) =>
      post(
        `operations/ingest/${idIn(asked, asked.scene.foreign.messageId, asked.fresh?.messageId)}/requeue`,
      ),
    borrows: [inPath('statementId')],
    isLate: true,
    vary: {
      target: ['malformed', 'missing', 'foreign', 'a message'],
      place: ['root', 'own', 'sibling'],
      status: ['repairable', 'terminal', 'completed', 'failed'],
    },
    rows: [
      ...withId(ADMINS),
      HIDDEN,
      {
        when: { status: ['completed', 'failed'] },
        answer: ['409 conflict'],
        from: 'interface 3: requeue, 409 if the anchor is in neither state',
      },
      answered(202, 'interface 3: requeue, from repairable or terminal'),
    ],
  },
  {
    route: 'PUT /api/v1/operations/extraction-budget',
    request: budget,
    borrows: [field('scope_root', 'corpus')],
    isLate: true,
    vary: {
      body: [
        'fine',
        'an unknown key',
        'an account key',
        'a bad root',
        'no cap',
        'a deadline that is over',
      ],
    },
    rows: [
      ...ADMINS,
      {
        when: { body: ['an unknown key', 'an account key'] },
        answer: ['422 invalid_request'],
        from: 'decisions 2: the extraction budget refuses every unknown key',
      },
      {
        when: { body: ['a bad root', 'no cap', 'a deadline that is over'] },
        answer: ['422 invalid_request'],
        from: 'interface 4: extraction budget, 422 for',
      },
      answered(200, 'interface 4: extraction budget, 200 returns the limits'),
    ],
  },
  {
    route: 'GET /api/v1/operations/costs',
    request: ({ cell }) => ({ path: `/api/v1/operations/costs?by=${String(cell['by'])}` }),
    borrows: [],
    vary: { by: ['day', 'scope', 'nothing'] },
    rows: [
      ...ADMINS,
      {
        when: { by: ['nothing'] },
        answer: ['422 invalid_request'],
        from: 'decisions 21: costs, a bad value is 422',
      },
      answered(200, 'interface 4: costs, account-admin'),
    ],
  },
  {
    route: 'GET /api/v1/operations/extraction-evidence',
    request: (asked) => ({
      path: `/api/v1/operations/extraction-evidence${asked.cell['place'] === 'absent' ? '' : `?scope_root=${place(asked)}`}`,
    }),
    borrows: [parameter('scope_root', 'corpus')],
    vary: { place: [...PLACES, 'absent'] },
    rows: [
      ...ADMINS,
      {
        when: { exists: ['no'] },
        answer: ['404 not_found'],
        from: 'decisions 2: evidence scope_root, the same 404',
      },
      answered(200, 'interface 4: extraction evidence, account-admin'),
    ],
  },
];
