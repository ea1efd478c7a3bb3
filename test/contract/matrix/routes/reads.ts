/** The tables of what is read of statements and messages. What an answer shows is judged in `shown.ts`. */
import { KNOWLEDGE_STATES } from '../../../../domain/statements/states.ts';
import { rowsOf } from '../../../support/service.ts';
import { documentId, idIn, lineageTarget, read, readFields, wordOf } from '../asking.ts';
import { chainOf, STATUS_TARGETS } from '../aspects.ts';
import {
  BELOW,
  CURSOR,
  field,
  inPath,
  parameter,
  PEER,
  SCOPE,
  SCOPES,
  SESSION,
} from '../borrowed.ts';
import {
  ask,
  context,
  documentStatus,
  lineage,
  profile,
  readiness,
  search,
  sources,
  statementsShown,
  status,
} from '../checks.ts';
import { someOf, STATEMENTS, THEN, WORD } from '../plan.ts';
import { SKILL } from '../rows.ts';
import { listedIn } from '../shown.ts';
import { PLACES } from '../world.ts';
import { answered, ANYBODY, HIDDEN, NAMED_READER, type RouteTable } from './route-table.ts';

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
    request: read('search', ({ cell }) => ({
      query: `"${wordOf(cell)}"`,
      limit: 100,
      as_of: cell['at'] === 'then' ? THEN : null,
      include_cross_links: cell['links'] === 'with',
      profile: cell['at'] === 'then' ? 'balanced' : 'fast',
    })),
    shows: search,
    borrows: [
      SCOPE,
      SCOPES,
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
    request: read('source-search', ({ cell }) => ({
      query: wordOf(cell),
      limit: 100,
      mode: cell['mode'],
      include_cross_links: cell['links'] === 'with',
      include_neighbours: cell['neighbours'] === 'with',
    })),
    shows: sources,
    borrows: [
      SCOPE,
      SCOPES,
      BELOW,
      PEER,
      field('scope_path', 'scope', { beside: { mode: 'semantic' } }),
      field('peer_key', 'peer', { beside: { mode: 'semantic' } }),
    ],
    vary: {
      ...READER,
      sought,
      mode: ['exact', 'semantic'],
      links: ['without', 'with'],
      neighbours: ['without', 'with'],
    },
    rows: [...ANYBODY, ...NAMED_READER, answered(200, 'interface 4: source-search, any identity')],
  },
  {
    route: 'POST /api/v1/ask',
    request: read('ask', ({ cell }) => ({
      question: `What of the ${WORD}?`,
      limit: 100,
      as_of: cell['at'] === 'then' ? THEN : null,
      include_cross_links: cell['links'] === 'with',
      profile: 'fast',
      effort: cell['effort'] === 'none' ? null : cell['effort'],
      include_source_recall: cell['sources'] === 'with',
    })),
    shows: ask,
    borrows: [
      SCOPE,
      SCOPES,
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
    request: read('stable-profile'),
    shows: profile,
    borrows: [SCOPE, PEER],
    vary: READER,
    rows: [...ANYBODY, ...NAMED_READER, answered(200, 'interface 4: stable-profile, any identity')],
  },
  {
    route: 'POST /api/v1/context',
    request: read('context', () => ({
      query: `"${WORD}"`,
      limit: 100,
      budget_chars: 100_000,
    })),
    shows: context,
    borrows: [SCOPE, SCOPES, PEER, SESSION],
    vary: READER,
    rows: [...ANYBODY, ...NAMED_READER, answered(200, 'interface 4: context, any identity')],
  },
  {
    route: 'POST /api/v1/readiness',
    request: read('readiness', () => ({ skill: SKILL })),
    shows: readiness,
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
    request: ({ cell }) => {
      const fields = { ...readFields(cell), state: cell['state'], limit: '100' };
      const query = new URLSearchParams(fields as Record<string, string>).toString();
      return { path: `/api/v1/knowledge?${query}` };
    },
    shows: (answer, asked) =>
      statementsShown(
        rowsOf(answer),
        listedIn(chainOf(asked.cell), asked.cell['state'] ?? ''),
        asked,
      ),
    borrows: [
      ...KNOWLEDGE_STATES.map((state) => parameter('scope_path', 'scope', { beside: { state } })),
      parameter('scope_paths', 'scope', { beside: { scope_path: '' } }),
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
    request: read('lineage', lineageTarget),
    shows: lineage,
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
    request: (asked) => {
      const fact = someOf(STATEMENTS, asked.cell['nth'], STATUS_TARGETS);
      return {
        path: `/api/v1/ingest/${idIn(asked, asked.scene.foreign.messageId, fact.message.id)}`,
      };
    },
    shows: status,
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
    request: (asked) => ({
      path: `/api/v1/documents/${documentId(asked, 'versionId')}`,
    }),
    shows: documentStatus,
    borrows: [inPath('versionId', '?wait_ms=100')],
    vary: { target: ['malformed', 'missing', 'foreign', 'seeded'], nth: ['0', '1', '2', '3', '4'] },
    may: ({ nth, target }) => target === 'seeded' || nth === '0',
    rows: [...ANYBODY, HIDDEN, answered(200, 'decisions 11: documents, mirrors ingest status')],
  },
];
