/** What is read of statements and messages. */
import type { Route } from '../route.ts';

export const READ_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/v1/search',
    operation: 'search',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/ask',
    operation: 'ask',
    status: 200,
    envelope: 'data',
    streams: true,
  },
  {
    method: 'POST',
    path: '/api/v1/source-search',
    operation: 'searchSources',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/stable-profile',
    operation: 'stableProfile',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/context',
    operation: 'readContext',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/lineage',
    operation: 'readLineage',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/knowledge',
    operation: 'queryKnowledge',
    query: {
      scope_path: 'text',
      peer_key: 'text',
      state: 'text',
      kind: 'text',
      sensitivity: 'text',
      target_level: 'text',
      subject_key: 'text',
      limit: 'integer',
      cursor: 'name',
      session_id: 'name',
    },
    status: 200,
    envelope: 'page',
  },
  {
    method: 'POST',
    path: '/api/v1/readiness',
    operation: 'checkReadiness',
    status: 200,
    envelope: 'data',
  },
];
