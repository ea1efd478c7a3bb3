/** The tables of what is read of statements and messages. What an answer shows is judged in `shown.ts`. */
import { KNOWLEDGE_STATES } from '../../../../domain/governance/visibility.ts';
import { BELOW, CURSOR, field, inPath, parameter, PEER, SCOPE, SESSION } from '../borrowed.ts';
import { PLACES } from '../world.ts';
import { ANYBODY, answered, HIDDEN, NAMED_READER, type RouteTable } from './route-table.ts';

/** Whom the request names as reader: nobody, the caller itself, a member, or somebody the account does not know. */
const names = ['nobody', 'itself', 'a member', 'somebody unknown'];
const READER = { place: PLACES, names };
const OF_MESSAGE = field('source_filters', 'messageId', {
  as: (id) => ({ source_message_id: id }),
});
const THOROUGHLY = { effort: 'high', include_source_recall: true };
/** What is sought: what statements and messages say, or what documents say. */
const sought = ['what was said', 'what was uploaded'];

export const READS: readonly RouteTable[] = [
  {
    route: 'POST /api/v1/search',
    borrows: [
      SCOPE,
      BELOW,
      PEER,
      SESSION,
      field('peer_key', 'peer', { beside: { include_identity_profile: true } }),
      OF_MESSAGE,
      field('source_filters', 'documentId', { as: (id) => ({ source_document_id: id }) }),
    ],
    vary: { ...READER, sought, at: ['now', 'then'], links: ['without', 'with'] },
    examples: [
      // It stood in an ancestor then, and came from a scope outside of the pin.
      {
        identity: 'a pinned agent',
        place: 'own',
        names: 'itself',
        sought: 'what was said',
        at: 'then',
        links: 'without',
      },
    ],
    rows: [...ANYBODY, ...NAMED_READER, answered(200, 'interface 4: search, any identity')],
  },
  {
    route: 'POST /api/v1/source-search',
    borrows: [
      SCOPE,
      BELOW,
      PEER,
      field('scope_path', 'scope', { beside: { mode: 'semantic' } }),
      field('peer_key', 'peer', { beside: { mode: 'semantic' } }),
    ],
    vary: { ...READER, sought, mode: ['exact', 'semantic'], links: ['without', 'with'] },
    rows: [...ANYBODY, ...NAMED_READER, answered(200, 'interface 4: source-search, any identity')],
  },
  {
    route: 'POST /api/v1/ask',
    borrows: [
      SCOPE,
      PEER,
      SESSION,
      OF_MESSAGE,
      field('scope_path', 'scope', { beside: THOROUGHLY }),
      field('peer_key', 'peer', { beside: THOROUGHLY }),
      field('source_filters', 'messageId', {
        beside: THOROUGHLY,
        as: (id) => ({ source_message_id: id }),
      }),
    ],
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
    borrows: [SCOPE, PEER],
    vary: READER,
    rows: [...ANYBODY, ...NAMED_READER, answered(200, 'interface 4: stable-profile, any identity')],
  },
  {
    route: 'POST /api/v1/context',
    borrows: [SCOPE, PEER, SESSION],
    vary: READER,
    rows: [...ANYBODY, ...NAMED_READER, answered(200, 'interface 4: context, any identity')],
  },
  {
    route: 'POST /api/v1/readiness',
    borrows: [SCOPE, PEER, SESSION, field('skill', 'skill'), field('peer_id', 'peerId')],
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
    borrows: [
      ...KNOWLEDGE_STATES.map((state) => parameter('scope_path', 'scope', { beside: { state } })),
      parameter('peer_key', 'peer'),
      parameter('subject_key', 'peer'),
      parameter('session_id', 'session'),
      CURSOR,
    ],
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
    borrows: [
      SCOPE,
      PEER,
      field('target_id', 'statementId', { beside: { target_type: 'knowledge' } }),
      field('target_id', 'messageId', { beside: { target_type: 'message' } }),
      field('target_id', 'versionId', { beside: { target_type: 'document_version' } }),
    ],
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
    borrows: [inPath('messageId', '?wait_ms=100'), inPath('statementId')],
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
    borrows: [inPath('versionId', '?wait_ms=100')],
    vary: { target: ['malformed', 'missing', 'foreign', 'seeded'], nth: ['0', '1', '2', '3', '4'] },
    may: ({ nth, target }) => target === 'seeded' || nth === '0',
    rows: [...ANYBODY, HIDDEN, answered(200, 'decisions 11: documents, mirrors ingest status')],
  },
];
