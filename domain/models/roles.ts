/**
 * The five jobs a model can have, and which providers may be named for each.
 * Naming a provider is the only way to select one: no role falls back to another provider.
 */

export const MODEL_ROLES = [
  'embedder',
  'reranker',
  'ingest_extractor',
  'dream_reasoner',
  'dialectic_agent',
] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

export const MODEL_PROVIDERS = ['openai-compatible', 'anthropic', 'deterministic', 'none'] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** The built-in provider ranks nothing again; vectors cannot come from Anthropic. */
const PROVIDERS_BY_ROLE: Readonly<Record<ModelRole, readonly ModelProvider[]>> = {
  embedder: ['openai-compatible', 'deterministic', 'none'],
  reranker: ['openai-compatible', 'none'],
  ingest_extractor: ['openai-compatible', 'anthropic', 'deterministic', 'none'],
  dream_reasoner: ['openai-compatible', 'anthropic', 'deterministic', 'none'],
  dialectic_agent: ['openai-compatible', 'anthropic', 'deterministic', 'none'],
};

/** Providers that may be configured for a role, in the order to offer them. */
export function providersFor(role: ModelRole): readonly ModelProvider[] {
  return PROVIDERS_BY_ROLE[role];
}

/** Whether the role is answered by the built-in provider where nothing is configured, outside production. */
export function isBuiltInByDefault(role: ModelRole): boolean {
  return role === 'embedder' || role === 'ingest_extractor';
}

/** Narrows a configured word to a provider; null when it names none. */
export function asModelProvider(word: string): ModelProvider | null {
  return MODEL_PROVIDERS.find((provider) => provider === word) ?? null;
}
