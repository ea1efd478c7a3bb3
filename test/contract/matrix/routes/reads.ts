/** The tables of what is read of statements and messages. What an answer shows is judged in `shown.ts`. */
import { KNOWLEDGE_STATES } from '../../../../domain/governance/visibility.ts';
import { PLACES } from '../world.ts';
import { ANYBODY, answered, HIDDEN, NAMED_READER, type RouteTable } from './route-table.ts';

/** Whom the request names as reader: nobody, the caller itself, a member, or somebody the account does not know. */
const names = ['nobody', 'itself', 'a member', 'somebody unknown'];
const READER = { place: PLACES, names };
/** What is sought: what statements and messages say, or what documents say. */
const sought = ['what was said', 'what was uploaded'];

export const READS: readonly RouteTable[] = [
  {
    route: 'POST /api/v1/search',
    vary: { ...READER, sought, at: ['now', 'then'], links: ['without', 'with'] },
    rows: [...ANYBODY, ...NAMED_READER, answered(200, 'interface 4: search, any identity')],
  },
  {
    route: 'POST /api/v1/source-search',
    vary: { ...READER, sought, mode: ['exact', 'semantic'], links: ['without', 'with'] },
    rows: [...ANYBODY, ...NAMED_READER, answered(200, 'interface 4: source-search, any identity')],
  },
  {
    route: 'POST /api/v1/ask',
    vary: {
      ...READER,
      at: ['now', 'then'],
      links: ['without', 'with'],
      effort: ['none', 'low'],
      sources: ['without', 'with'],
    },
    rows: [...ANYBODY, ...NAMED_READER, answered(200, 'interface 4: ask, any identity')],
  },
  {
    route: 'POST /api/v1/stable-profile',
    vary: READER,
    rows: [...ANYBODY, ...NAMED_READER, answered(200, 'interface 4: stable-profile, any identity')],
  },
  {
    route: 'POST /api/v1/context',
    vary: READER,
    rows: [...ANYBODY, ...NAMED_READER, answered(200, 'interface 4: context, any identity')],
  },
  {
    route: 'POST /api/v1/readiness',
    vary: READER,
    rows: [
      ...ANYBODY,
      {
        when: { hasPeer: ['no'], names: ['nobody', 'itself'] },
        answer: ['422 invalid_request'],
        from: 'decisions 14: readiness, a peerless caller who names nobody',
      },
      ...NAMED_READER,
      answered(200, 'interface 4: readiness, any identity'),
    ],
  },
  {
    route: 'GET /api/v1/knowledge',
    vary: { ...READER, state: [...KNOWLEDGE_STATES, 'unknown'] },
    rows: [
      ...ANYBODY,
      {
        when: { state: ['unknown'] },
        answer: ['422 invalid_request'],
        from: 'decisions 2: an unknown state',
      },
      ...NAMED_READER,
      answered(200, 'interface 4: knowledge, any identity'),
    ],
  },
  {
    route: 'POST /api/v1/lineage',
    vary: {
      ...READER,
      type: ['knowledge', 'message'],
      target: ['malformed', 'missing', 'foreign', 'seeded'],
      nth: ['0', '1', '2', '3', '4', '5', '6', '7'],
    },
    rows: [
      ...ANYBODY,
      ...NAMED_READER,
      { ...HIDDEN, from: 'interface 4: lineage, the same opaque 404' },
      answered(200, 'interface 4: lineage, any identity'),
    ],
  },
  {
    route: 'GET /api/v1/ingest/:message_id',
    vary: {
      target: ['malformed', 'missing', 'foreign', 'seeded'],
      nth: Array.from({ length: 12 }, (_, nth) => String(nth)),
    },
    may: ({ nth, target }) => target === 'seeded' || nth === '0',
    rows: [
      ...ANYBODY,
      { ...HIDDEN, from: 'interface 4: an unauthorised message id, the same opaque 404' },
      answered(200, 'decisions 5: the status of a message is visible to'),
    ],
  },
  {
    route: 'GET /api/v1/documents/:id',
    vary: { target: ['malformed', 'missing', 'foreign', 'seeded'], nth: ['0', '1', '2', '3', '4'] },
    may: ({ nth, target }) => target === 'seeded' || nth === '0',
    rows: [...ANYBODY, HIDDEN, answered(200, 'decisions 11: documents, mirrors ingest status')],
  },
];
