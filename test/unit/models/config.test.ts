/** Model roles from the environment. */
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { MODEL_ROLES } from '../../../domain/models/roles.ts';
import { Secret } from '../../../domain/models/secret.ts';
import { loadConfig } from '../../../runtime/config/index.ts';
import { parseModelRoles } from '../../../runtime/config/models.ts';

const CANARY = 'sk-canary-4711';
const noFiles = (): string => {
  throw new Error('no such file');
};
const development = { production: false, readFile: noFiles };
const production = { production: true, readFile: noFiles };
const ENDPOINT = {
  SERVICE_MODEL_INGEST_EXTRACTOR: 'openai-compatible:qwen3:8b',
  SERVICE_MODEL_INGEST_EXTRACTOR_BASE_URL: 'http://127.0.0.1:11434/v1/',
};

describe('defaults', () => {
  test('outside production extractor and embedder are the built-in ones, and other roles are none', () => {
    const { roles, problems } = parseModelRoles({}, development);
    expect(problems).toEqual([]);
    expect(MODEL_ROLES.map((role) => roles[role].provider)).toEqual([
      'deterministic',
      'none',
      'deterministic',
      'none',
      'none',
    ]);
    expect(roles.embedder).toMatchObject({ dimensions: 384 });
  });

  test('the built-in answerer answers only where it is chosen, and in production where that is allowed', () => {
    const chosen = { SERVICE_MODEL_DIALECTIC_AGENT: 'deterministic' };
    expect(parseModelRoles(chosen, development).roles.dialectic_agent).toEqual({
      provider: 'deterministic',
      model: 'rules',
      modelVersion: '1',
      dimensions: null,
    });
    expect(parseModelRoles(chosen, production).problems).toHaveLength(1);
    const allowed = { ...chosen, SERVICE_ALLOW_DETERMINISTIC_MODELS: 'true' };
    expect(parseModelRoles(allowed, production)).toMatchObject({
      problems: [],
      roles: { dialectic_agent: { provider: 'deterministic' } },
    });
  });
});

describe('the built-in provider', () => {
  test.each(['EMBEDDER', 'INGEST_EXTRACTOR', 'DREAM_REASONER', 'DIALECTIC_AGENT'])(
    'can be chosen for %s',
    (role) => {
      const chosen = { [`SERVICE_MODEL_${role}`]: 'deterministic' };
      expect(parseModelRoles(chosen, development).problems).toEqual([]);
    },
  );

  test('cannot be chosen for the reranker: it ranks nothing again', () => {
    const chosen = { SERVICE_MODEL_RERANKER: 'deterministic' };
    expect(parseModelRoles(chosen, development).problems).toHaveLength(1);
  });
});

describe('an endpoint', () => {
  test('is read with its defaults, and a model name may hold colons', () => {
    const { roles, problems } = parseModelRoles(ENDPOINT, production);
    expect(problems).toEqual([]);
    expect(roles.ingest_extractor).toEqual({
      provider: 'openai-compatible',
      model: 'qwen3:8b',
      modelVersion: 'unspecified',
      baseUrl: 'http://127.0.0.1:11434/v1',
      apiKey: null,
      dimensions: null,
      contextTokens: 32_768,
      maxOutputTokens: 8_192,
      timeoutMs: 120_000,
    });
  });

  test('takes key and address from the plain names when it says nothing itself', () => {
    const env = {
      SERVICE_MODEL_DIALECTIC_AGENT: 'openai-compatible:m',
      OPENAI_API_KEY: CANARY,
      OPENAI_BASE_URL: 'https://example.org/v1',
    };
    const role = parseModelRoles(env, production).roles.dialectic_agent;
    expect(role).toMatchObject({ baseUrl: 'https://example.org/v1' });
    expect('apiKey' in role && role.apiKey?.reveal()).toBe(CANARY);
  });

  test('a key file that cannot be read never falls back to the shared key', () => {
    const env = {
      ...ENDPOINT,
      SERVICE_MODEL_INGEST_EXTRACTOR_API_KEY_FILE: '/missing',
      OPENAI_API_KEY: CANARY,
    };
    const { roles, problems } = parseModelRoles(env, production);
    expect(problems).toEqual([
      'SERVICE_MODEL_INGEST_EXTRACTOR_API_KEY_FILE names a file that cannot be read',
    ]);
    expect(roles.ingest_extractor).toMatchObject({ apiKey: null });
  });
});

describe('problems', () => {
  test.each([
    [
      'two keys',
      {
        ...ENDPOINT,
        SERVICE_MODEL_INGEST_EXTRACTOR_API_KEY: CANARY,
        SERVICE_MODEL_INGEST_EXTRACTOR_API_KEY_FILE: CANARY,
      },
    ],
    ['a shared key with a space', { ...ENDPOINT, OPENAI_API_KEY: `${CANARY} x` }],
    ['a named built-in model', { SERVICE_MODEL_EMBEDDER: `deterministic:${CANARY}` }],
    ['another width of the built-in embedder', { SERVICE_MODEL_EMBEDDER_DIMENSIONS: '512' }],
    [
      'anthropic with a shared key with a space',
      { SERVICE_MODEL_DREAM_REASONER: 'anthropic:m', ANTHROPIC_API_KEY: `${CANARY} x` },
    ],
  ] as [string, Record<string, string>][])('%s is one, and no value is repeated', (_name, env) => {
    const { problems } = parseModelRoles(env, development);
    expect(problems).toHaveLength(1);
    expect(problems.join()).toMatch(/^SERVICE_MODEL_[A-Z_]+ /);
    expect(problems.join()).not.toContain(CANARY);
  });

  test('all problems are reported at once', () => {
    const env = {
      SERVICE_MODEL_EMBEDDER: 'openai-compatible',
      SERVICE_MODEL_RERANKER: 'magic',
      SERVICE_MODEL_DIALECTIC_AGENT: 'openai-compatible:m',
    };
    expect(parseModelRoles(env, production).problems.length).toBeGreaterThanOrEqual(5);
  });

  test('no value of any variable is ever repeated in a problem', () => {
    const names = MODEL_ROLES.flatMap((role) =>
      ['', '_VERSION', '_BASE_URL', '_API_KEY', '_API_KEY_FILE', '_DIMENSIONS', '_TIMEOUT_MS'].map(
        (suffix) => `SERVICE_MODEL_${role.toUpperCase()}${suffix}`,
      ),
    );
    const value = fc.constantFrom(
      `openai-compatible:${CANARY}`,
      `openai-compatible: ${CANARY}`,
      `anthropic:${CANARY}`,
      `http://${CANARY}@h`,
      `https://example.org/?k=${CANARY}`,
      ` ${CANARY} ${CANARY}`,
      CANARY,
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), value), fc.boolean(), (env, isProd) => {
        const { problems } = parseModelRoles(env, { production: isProd, readFile: noFiles });
        expect(problems.join('\n')).not.toContain(CANARY);
      }),
    );
  });
});

test('a configured key cannot be printed', () => {
  const env = { ...ENDPOINT, SERVICE_MODEL_INGEST_EXTRACTOR_API_KEY: CANARY };
  const { roles } = parseModelRoles(env, production);
  const printed = inspect(roles, { depth: 10, showHidden: true }) + JSON.stringify(roles);
  expect(printed).toContain('[redacted]');
  expect(printed + String(new Secret(CANARY))).not.toContain(CANARY);
});

describe('the circuit of providers', () => {
  test('opens after five failures for thirty seconds unless set', () => {
    expect(loadConfig({}).settings).toMatchObject({
      SERVICE_CIRCUIT_FAILURES: 5,
      SERVICE_CIRCUIT_OPEN_SECONDS: 30,
    });
    const set = { SERVICE_CIRCUIT_FAILURES: '2', SERVICE_CIRCUIT_OPEN_SECONDS: '90' };
    expect(loadConfig(set).settings).toMatchObject({
      SERVICE_CIRCUIT_FAILURES: 2,
      SERVICE_CIRCUIT_OPEN_SECONDS: 90,
    });
  });

  test.each([
    { SERVICE_CIRCUIT_FAILURES: '0' },
    { SERVICE_CIRCUIT_FAILURES: '2.5' },
    { SERVICE_CIRCUIT_FAILURES: 'five' },
    { SERVICE_CIRCUIT_OPEN_SECONDS: '0' },
    { SERVICE_CIRCUIT_OPEN_SECONDS: '86400' },
  ])('refuses %j by the name of the setting', (env) => {
    expect(() => loadConfig(env)).toThrow(Object.keys(env)[0]);
  });
});
