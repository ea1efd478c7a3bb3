/** What people do about statements about themselves. */
import type { Route } from '../route.ts';

export const PEOPLE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/self/knowledge',
    operation: 'listOwnKnowledge',
    query: { limit: 'integer', cursor: 'name' },
    status: 200,
    envelope: 'page',
  },
  {
    method: 'POST',
    path: '/api/v1/self/knowledge/:knowledge_id/confirm',
    operation: 'confirmOwnKnowledge',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/self/knowledge/:knowledge_id/contest',
    operation: 'contestOwnKnowledge',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/self/knowledge/:knowledge_id/redact',
    operation: 'redactOwnKnowledge',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/self/knowledge/:knowledge_id/withdraw',
    operation: 'withdrawOwnWord',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/self/consents',
    operation: 'listOwnConsents',
    query: { limit: 'integer', cursor: 'name' },
    status: 200,
    envelope: 'page',
  },
  {
    method: 'POST',
    path: '/api/v1/self/consents/:consent_id',
    operation: 'decideOwnConsent',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'PUT',
    path: '/api/v1/self/ask-preference',
    operation: 'setOwnAskPreference',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/validations/:id',
    operation: 'resolveValidation',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/self/erasure',
    operation: 'eraseSelf',
    status: 202,
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/self/erasure/:erasure_id',
    operation: 'readErasure',
    status: 200,
    envelope: 'data',
  },
];
