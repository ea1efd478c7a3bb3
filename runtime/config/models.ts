/**
 * Model roles from the environment: `SERVICE_MODEL_<ROLE>=<provider>[:<model>]` and the settings beside it.
 * A pure function of its input; it reports every problem at once and repeats no value in a problem's text,
 * because any of them may be a secret pasted into the wrong place.
 */
import type { ModelRoleConfig, ModelRoles } from '../../domain/models/role-config.ts';
import {
  DETERMINISTIC_DIMENSIONS,
  DETERMINISTIC_EMBEDDER_VERSION,
} from '../../domain/models/role-config.ts';
import type { ModelProvider, ModelRole } from '../../domain/models/roles.ts';
import { asModelProvider, isBuiltInByDefault, providersFor } from '../../domain/models/roles.ts';
import { parseRemoteRole } from './model-remote.ts';
import { createModelSettings, type Variables, type ModelSettings } from './model-settings.ts';

const ALLOW_DETERMINISTIC = 'SERVICE_ALLOW_DETERMINISTIC_MODELS';
const NONE: ModelRoleConfig = { provider: 'none' };

export interface ModelRoleOptions {
  readonly production: boolean;
  /** Reads a secret file as text; throws when it cannot. */
  readonly readFile: (path: string) => string;
}

/**
 * Parses the five roles. A role with a problem is answered as `none`; the caller must refuse to start
 * when `problems` is not empty. Each problem is one line that names a variable and what it must be.
 */
export function parseModelRoles(
  env: Variables,
  options: ModelRoleOptions,
): { roles: ModelRoles; problems: string[] } {
  const problems: string[] = [];
  const parse = (role: ModelRole): ModelRoleConfig =>
    parseRole(role, createModelSettings(role, env, options.readFile, problems), env, options);
  const roles: ModelRoles = {
    embedder: parse('embedder'),
    reranker: parse('reranker'),
    ingest_extractor: parse('ingest_extractor'),
    dream_reasoner: parse('dream_reasoner'),
    dialectic_agent: parse('dialectic_agent'),
  };
  return { roles, problems };
}

function parseRole(
  role: ModelRole,
  settings: ModelSettings,
  env: Variables,
  options: ModelRoleOptions,
): ModelRoleConfig {
  const { provider, model } = selection(role, settings, options);
  if (provider === null || provider === 'none') return NONE;
  if (provider === 'deterministic') return deterministicRole(role, model, settings, env, options);
  return parseRemoteRole(role, provider, model, settings, env) ?? NONE;
}

/** The provider asked for, or the default: outside production the two built-in roles, else none. */
function selection(
  role: ModelRole,
  settings: ModelSettings,
  options: ModelRoleOptions,
): { provider: ModelProvider | null; model: string } {
  const value = settings.text('');
  if (value === null) {
    const builtIn = !options.production && isBuiltInByDefault(role);
    return { provider: builtIn ? 'deterministic' : 'none', model: '' };
  }
  const colon = value.indexOf(':');
  const word = colon === -1 ? value : value.slice(0, colon);
  const provider = asModelProvider(word);
  if (provider === null || !providersFor(role).includes(provider)) {
    const offered = providersFor(role).join(', ');
    settings.problem(
      '',
      provider === null
        ? `must name one of the providers ${offered}`
        : `selects ${provider}, which does not support this role; it must name one of ${offered}`,
    );
    return { provider: null, model: '' };
  }
  return { provider, model: colon === -1 ? '' : value.slice(colon + 1).trim() };
}

function deterministicRole(
  role: ModelRole,
  model: string,
  settings: ModelSettings,
  env: Variables,
  options: ModelRoleOptions,
): ModelRoleConfig {
  if (options.production && env[ALLOW_DETERMINISTIC]?.trim() !== 'true') {
    settings.problem(
      '',
      `selects the deterministic provider, which is for trials and tests; set ${ALLOW_DETERMINISTIC}=true to use it in production`,
    );
    return NONE;
  }
  if (model !== '') settings.problem('', 'takes no model name with the deterministic provider');
  const isEmbedder = role === 'embedder';
  const dimensions = settings.integer('_DIMENSIONS');
  if (isEmbedder && dimensions !== null && dimensions !== DETERMINISTIC_DIMENSIONS) {
    settings.problem(
      '_DIMENSIONS',
      `must be ${DETERMINISTIC_DIMENSIONS} with the deterministic provider`,
    );
  }
  return {
    provider: 'deterministic',
    model: isEmbedder ? 'hashed-ngrams' : 'rules',
    modelVersion: isEmbedder ? DETERMINISTIC_EMBEDDER_VERSION : '1',
    dimensions: isEmbedder ? DETERMINISTIC_DIMENSIONS : null,
  };
}
