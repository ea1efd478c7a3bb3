/** The configuration of each role, after parsing and before any client exists. */
import type { ModelDescription, ModelIdentity } from './identity.ts';
import type { ModelRole } from './roles.ts';
import type { Secret } from './secret.ts';
import type { VectorSpace } from './vector-space.ts';

/** Width of the built-in embedder's vectors. */
export const DETERMINISTIC_DIMENSIONS = 384;
/** Changes whenever the deterministic embedder would give the same text another vector. */
export const DETERMINISTIC_EMBEDDER_VERSION = '1';

/** A role answered over the network. `apiKey` is null for endpoints that ask for none. */
export interface RemoteRoleConfig extends ModelIdentity {
  readonly provider: 'openai-compatible' | 'anthropic';
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  /** Width of the vectors; null for every role but the embedder. */
  readonly dimensions: number | null;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly timeoutMs: number;
  /** Of the embedder; the usual ones where it is absent. */
  readonly embedding?: EmbeddingHabits;
}

/** The form of requests to an embedder. */
export interface EmbeddingHabits {
  /** Put before the text of a query. */
  readonly queryPrefix: string;
  /** Put before every text that is stored. */
  readonly documentPrefix: string;
  /** Texts in one request. */
  readonly batchTexts: number;
  /** Tokens in one request, estimated at four bytes each. A longer text is sent alone. */
  readonly batchTokens: number;
  /** Whether the width is named in the request, for models that can shorten their vectors. */
  readonly sendsDimensions: boolean;
}

/** Of every embedder without settings of its own. 32 is the smallest default limit among the common servers. */
export const USUAL_EMBEDDING: EmbeddingHabits = {
  queryPrefix: '',
  documentPrefix: '',
  batchTexts: 32,
  batchTokens: 100_000,
  sendsDimensions: false,
};

/** The form of requests to the embedder; the usual one without settings of its own. */
export function embeddingHabitsOf(config: ModelRoleConfig): EmbeddingHabits {
  return ('embedding' in config ? config.embedding : undefined) ?? USUAL_EMBEDDING;
}

/** A role answered in process by the built-in provider. */
export interface DeterministicRoleConfig extends ModelIdentity {
  readonly provider: 'deterministic';
  readonly dimensions: number | null;
}

export interface NoRoleConfig {
  readonly provider: 'none';
}

export type ModelRoleConfig = RemoteRoleConfig | DeterministicRoleConfig | NoRoleConfig;

export type ModelRoles = Readonly<Record<ModelRole, ModelRoleConfig>>;

/** The role as readiness and the start-up lines show it: nothing in it is secret. */
export function describeRole(config: ModelRoleConfig): ModelDescription {
  if (config.provider === 'none') {
    return { provider: 'none', model: null, version: null, dimensions: null };
  }
  return {
    provider: config.provider,
    model: config.model,
    version: config.modelVersion,
    dimensions: config.dimensions,
  };
}

/** The vector space of a configured embedder; null when the role is `none` or has no width. */
export function vectorSpaceOf(config: ModelRoleConfig): VectorSpace | null {
  if (config.provider === 'none' || config.dimensions === null) return null;
  const { documentPrefix } = embeddingHabitsOf(config);
  return {
    provider: config.provider,
    model: config.model,
    version: config.modelVersion,
    dimensions: config.dimensions,
    ...(documentPrefix === '' ? {} : { documentPrefix }),
  };
}

/** Whether a provider outside of this process answers for the role. */
export function isRemote(config: ModelRoleConfig): config is RemoteRoleConfig {
  return config.provider === 'openai-compatible' || config.provider === 'anthropic';
}
