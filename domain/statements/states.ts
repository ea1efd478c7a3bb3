/** The states of a statement, from its proposal to its end. */
export const KNOWLEDGE_STATES = [
  'proposed',
  'provisional',
  'held',
  'active',
  'needs_revalidation',
  'stale',
  'contested',
  'superseded',
  'expired',
  'rejected',
  'redacted',
  'retracted',
] as const;
export type KnowledgeState = (typeof KNOWLEDGE_STATES)[number];

/** States in which the gates, or a person, have let a statement be believed. */
export const PLACED_STATES = [
  'active',
  'needs_revalidation',
  'stale',
] as const satisfies readonly KnowledgeState[];
