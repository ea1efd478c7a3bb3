/** What curators and administrators decide. */
import type { Route } from '../route.ts';

/** A card that says what the one in force says makes no new version: 200 instead of 201. */
function publicationStatus(answer: unknown): number {
  return Reflect.get(Object(answer), 'status') === 'unchanged' ? 200 : 201;
}

export const GOVERNANCE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/governance/rules',
    operation: 'readGateRules',
    query: { scope_path: 'text' },
    status: 200,
    envelope: 'data',
  },
  {
    method: 'PUT',
    path: '/api/v1/governance/rules',
    operation: 'changeGateRules',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/governance/reviews',
    operation: 'listReviews',
    query: {
      scope_path: 'text',
      kind: 'text',
      state: 'text',
      subject_key: 'text',
      order: 'text',
      limit: 'integer',
      cursor: 'name',
    },
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/reviews/bulk',
    operation: 'decideReviews',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/governance/reviews/:review_id',
    operation: 'readReview',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/reviews/:review_id/approve',
    operation: 'approveReview',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/reviews/:review_id/reject',
    operation: 'rejectReview',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/reviews/:review_id/edit',
    operation: 'editReview',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/reviews/:review_id/merge',
    operation: 'mergeReview',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/reviews/:review_id/defer',
    operation: 'deferReview',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/knowledge/:knowledge_id/promote',
    operation: 'promoteKnowledge',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/skills',
    operation: 'publishSkillCard',
    status: { possible: [200, 201], of: publicationStatus },
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/governance/skills',
    operation: 'listSkillCards',
    query: {
      scope_path: 'text',
      skill: 'text',
      include_retired: 'boolean',
      limit: 'integer',
      cursor: 'name',
    },
    status: 200,
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/governance/skills/:card_id',
    operation: 'readSkillCard',
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/governance/skills/:card_id/retire',
    operation: 'retireSkillCard',
    status: 200,
    envelope: 'data',
  },
];
