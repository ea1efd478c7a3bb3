/** Parses a role that is answered over the network: address, key, sizes. */
import { LONGEST_CALL_MS } from '../../domain/extraction/effort.ts';
import { withoutEnding } from '../../domain/text/ending.ts';
import type { RemoteRoleConfig } from '../../domain/models/role-config.ts';
import type { ModelRole } from '../../domain/models/roles.ts';
import { Secret } from '../../domain/models/secret.ts';
import { parseEmbedding } from './model-embedding.ts';
import type { Variables, ModelSettings } from './model-settings.ts';
import { KEY_RULE, blankAsNull, isKey } from './model-settings.ts';

const DEFAULT_CONTEXT_TOKENS = 32_768;
const DEFAULT_MAX_OUTPUT_TOKENS = 8_192;
const DEFAULT_TIMEOUT_MS = 120_000;
const UNSPECIFIED_VERSION = 'unspecified';
const ANTHROPIC_BASE_URL = 'https://api.anthropic.com/v1';

/** The ecosystem's variables that are used where the role sets none of its own. */
const PLAIN_NAMES = {
  'openai-compatible': { key: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL' },
  anthropic: { key: 'ANTHROPIC_API_KEY', baseUrl: null },
} as const;

type RemoteProvider = RemoteRoleConfig['provider'];

/** The role's configuration; null when a reported problem makes it unusable. */
export function parseRemoteRole(
  role: ModelRole,
  provider: RemoteProvider,
  model: string,
  settings: ModelSettings,
  env: Variables,
): RemoteRoleConfig | null {
  const apiKey = parseKey(provider, settings, env);
  const baseUrl = parseBaseUrl(provider, settings, env);
  const dimensions = parseDimensions(role, settings);
  const contextTokens = settings.integer('_CONTEXT_TOKENS') ?? DEFAULT_CONTEXT_TOKENS;
  const maxOutputTokens = settings.integer('_MAX_OUTPUT_TOKENS') ?? DEFAULT_MAX_OUTPUT_TOKENS;
  const timeoutMs = parseTimeout(settings);
  const version = settings.text('_VERSION') ?? UNSPECIFIED_VERSION;

  if (!isModelName(model)) {
    settings.problem('', `must name a model after the provider, as in ${provider}:<model>`);
  }
  if (!isModelName(version)) {
    settings.problem('_VERSION', 'must be at most 200 characters without spaces');
  }
  if (role !== 'embedder' && role !== 'reranker' && maxOutputTokens >= contextTokens) {
    settings.problem(
      '_MAX_OUTPUT_TOKENS',
      `must be smaller than ${settings.name('_CONTEXT_TOKENS')}`,
    );
  }
  if (baseUrl === null || !isModelName(model)) return null;
  return {
    provider,
    model,
    modelVersion: version,
    baseUrl,
    apiKey,
    dimensions,
    contextTokens,
    maxOutputTokens,
    timeoutMs,
    ...(role === 'embedder' ? { embedding: parseEmbedding(settings) } : {}),
  };
}

/** A drain lasts long enough for a call of this limit with its repairs. A longer call is cut off and paid for again. */
function parseTimeout(settings: ModelSettings): number {
  const timeoutMs = settings.integer('_TIMEOUT_MS') ?? DEFAULT_TIMEOUT_MS;
  if (timeoutMs > LONGEST_CALL_MS) {
    settings.problem(
      '_TIMEOUT_MS',
      `must be at most ${LONGEST_CALL_MS}, because a call may be repaired twice`,
    );
  }
  return timeoutMs;
}

function parseKey(
  provider: RemoteProvider,
  settings: ModelSettings,
  env: Variables,
): Secret | null {
  // A role that names a key of its own never uses the shared one, not even when its own key is invalid.
  if (settings.text('_API_KEY') !== null || settings.text('_API_KEY_FILE') !== null) {
    return settings.secret();
  }
  const name = PLAIN_NAMES[provider].key;
  const value = blankAsNull(env[name]);
  if (value === null) {
    if (provider === 'anthropic') settings.problem('_API_KEY', `or ${name} must hold the key`);
    return null;
  }
  if (isKey(value)) return new Secret(value);
  settings.problem('', `takes its key from ${name}, which ${KEY_RULE}`);
  return null;
}

function parseBaseUrl(
  provider: RemoteProvider,
  settings: ModelSettings,
  env: Variables,
): string | null {
  const plainName = PLAIN_NAMES[provider].baseUrl;
  const value =
    settings.text('_BASE_URL') ?? (plainName === null ? null : blankAsNull(env[plainName]));
  if (value === null) {
    if (provider === 'anthropic') return ANTHROPIC_BASE_URL;
    settings.problem(
      '_BASE_URL',
      'or OPENAI_BASE_URL must name the endpoint, as in https://api.openai.com/v1',
    );
    return null;
  }
  if (isPlainHttpAddress(value)) return withoutEnding(value, /\//);
  settings.problem(
    '_BASE_URL',
    'must be an http or https address without user name, query or fragment',
  );
  return null;
}

function isPlainHttpAddress(value: string): boolean {
  const url = URL.parse(value);
  return (
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === ''
  );
}

function parseDimensions(role: ModelRole, settings: ModelSettings): number | null {
  if (role !== 'embedder') return null;
  const dimensions = settings.integer('_DIMENSIONS');
  if (dimensions === null && settings.text('_DIMENSIONS') === null) {
    settings.problem('_DIMENSIONS', 'must be the width of the vectors of the model');
  }
  return dimensions;
}

function isModelName(value: string): boolean {
  return /^[^\s\p{C}]{1,200}$/u.test(value);
}
