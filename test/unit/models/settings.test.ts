/** Every setting of a model role: what it is when it is not set, what it takes, and what it refuses. */
import { describe, expect, test } from '@jest/globals';
import type { ModelRole } from '../../../domain/models/roles.ts';
import { MODEL_ROLES, providersFor } from '../../../domain/models/roles.ts';
import { loadConfig } from '../../../runtime/config/index.ts';
import { SETTING_SUFFIXES, type SettingSuffix } from '../../../runtime/config/model-settings.ts';
import { parseModelRoles } from '../../../runtime/config/models.ts';

const FILES = new Map([
  ['/run/secrets/key', 'sk-from-file\n'],
  ['/run/secrets/two', 'one\ntwo\n'],
  ['/run/secrets/empty', '\n'],
]);

function readFile(path: string): string {
  const content = FILES.get(path);
  if (content === undefined) throw new Error('no such file');
  return content;
}

const nameOf = (role: ModelRole, suffix: SettingSuffix): string =>
  `SERVICE_MODEL_${role.toUpperCase()}${suffix}`;

/** The role in production, which has no defaults of its own, with one setting changed. */
function parsed(role: ModelRole, suffix: SettingSuffix, value: string | undefined) {
  const env = {
    [nameOf(role, '')]: 'openai-compatible:m',
    [nameOf(role, '_BASE_URL')]: 'http://127.0.0.1:1/v1',
    ...(role === 'embedder' ? { [nameOf(role, '_DIMENSIONS')]: '8' } : {}),
    [nameOf(role, suffix)]: value,
  };
  const { roles, problems } = parseModelRoles(env, { production: true, readFile });
  const config = roles[role];
  const key = 'apiKey' in config ? (config.apiKey?.reveal() ?? null) : null;
  return { config: { ...config, key }, problems };
}

interface Setting {
  readonly role: ModelRole;
  /** What the role is without it; null when it cannot do without. */
  readonly unset: Readonly<Record<string, unknown>> | null;
  readonly taken: readonly (readonly [string, Readonly<Record<string, unknown>>])[];
  readonly refused: readonly string[];
}

const SIZES = ['0', '-1', '1.5', '1e3', 'many', '2147483648', '99999999999'];

const SETTINGS: Readonly<Record<SettingSuffix, Setting>> = {
  '': {
    role: 'dream_reasoner',
    unset: { provider: 'none' },
    taken: [
      ['openai-compatible:org/m:tag', { provider: 'openai-compatible', model: 'org/m:tag' }],
      [' none ', { provider: 'none' }],
    ],
    refused: ['openai', 'OPENAI-COMPATIBLE:m', 'openai-compatible:', 'deterministic', ':m'],
  },
  _VERSION: {
    role: 'ingest_extractor',
    unset: { modelVersion: 'unspecified' },
    taken: [['2026-11', { modelVersion: '2026-11' }]],
    refused: ['two words', 'x'.repeat(201)],
  },
  _BASE_URL: {
    role: 'ingest_extractor',
    unset: null,
    taken: [
      ['https://models.example.org/v1//', { baseUrl: 'https://models.example.org/v1' }],
      ['http://[::1]:8080', { baseUrl: 'http://[::1]:8080' }],
    ],
    refused: [
      'models.example.org/v1',
      'ftp://h/v1',
      'https://u@h/v1',
      'https://h/#x',
      'https://h/?x',
    ],
  },
  _API_KEY: {
    role: 'ingest_extractor',
    unset: { key: null },
    taken: [[' sk-own ', { key: 'sk-own' }]],
    refused: ['two words', 'schlüssel', 'a\nb'],
  },
  _API_KEY_FILE: {
    role: 'ingest_extractor',
    unset: { key: null },
    taken: [['/run/secrets/key', { key: 'sk-from-file' }]],
    refused: ['/run/secrets/missing', '/run/secrets/two', '/run/secrets/empty'],
  },
  _DIMENSIONS: {
    role: 'embedder',
    unset: null,
    taken: [['1024', { dimensions: 1_024 }]],
    refused: SIZES,
  },
  _CONTEXT_TOKENS: {
    role: 'ingest_extractor',
    unset: { contextTokens: 32_768 },
    taken: [['8193', { contextTokens: 8_193 }]],
    refused: [...SIZES, '8192'],
  },
  _MAX_OUTPUT_TOKENS: {
    role: 'ingest_extractor',
    unset: { maxOutputTokens: 8_192 },
    taken: [['32767', { maxOutputTokens: 32_767 }]],
    refused: [...SIZES, '32768'],
  },
  _TIMEOUT_MS: {
    role: 'embedder',
    unset: { timeoutMs: 120_000 },
    taken: [
      ['1', { timeoutMs: 1 }],
      ['240000', { timeoutMs: 240_000 }],
    ],
    // A drain would not outlast it with its repairs.
    refused: [...SIZES, '240001'],
  },
  _QUERY_PREFIX: {
    role: 'embedder',
    unset: { embedding: { queryPrefix: '' } },
    taken: [
      // The blank at the end is part of it.
      ['query: ', { embedding: { queryPrefix: 'query: ' } }],
      [
        String.raw`Instruct: find\nQuery: `,
        { embedding: { queryPrefix: 'Instruct: find\nQuery: ' } },
      ],
    ],
    refused: ['a\u0007b', 'x'.repeat(501)],
  },
  _DOCUMENT_PREFIX: {
    role: 'embedder',
    unset: { embedding: { documentPrefix: '' } },
    taken: [['search_document: ', { embedding: { documentPrefix: 'search_document: ' } }]],
    refused: ['a\tb', 'x'.repeat(501)],
  },
  _BATCH_TEXTS: {
    role: 'embedder',
    unset: { embedding: { batchTexts: 32 } },
    taken: [['256', { embedding: { batchTexts: 256 } }]],
    refused: [...SIZES, '257'],
  },
  _BATCH_TOKENS: {
    role: 'embedder',
    unset: { embedding: { batchTokens: 100_000 } },
    taken: [['8192', { embedding: { batchTokens: 8_192 } }]],
    refused: [...SIZES, '1000001'],
  },
  _SEND_DIMENSIONS: {
    role: 'embedder',
    unset: { embedding: { sendsDimensions: false } },
    taken: [
      ['true', { embedding: { sendsDimensions: true } }],
      ['false', { embedding: { sendsDimensions: false } }],
    ],
    refused: ['yes', '1'],
  },
};

describe.each(SETTING_SUFFIXES)('SERVICE_MODEL_<ROLE>%s', (suffix) => {
  const { role, unset, taken, refused } = SETTINGS[suffix];

  test.each([undefined, '', '   '])('as %j counts as unset', (value) => {
    const { config, problems } = parsed(role, suffix, value);
    if (unset === null) {
      expect(problems.join()).toMatch(new RegExp(`^${nameOf(role, suffix)} .*must`));
    } else {
      expect(problems).toEqual([]);
      expect(config).toMatchObject(unset);
    }
  });

  test.each(taken)('takes %j', (value, expected) => {
    const { config, problems } = parsed(role, suffix, value);
    expect(problems).toEqual([]);
    expect(config).toMatchObject(expected);
  });

  test.each(refused)('refuses %j by a name of the role', (value) => {
    const { problems } = parsed(role, suffix, value);
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem.startsWith(nameOf(role, ''))).toBe(true);
  });
});

describe('a role', () => {
  test.each(MODEL_ROLES)('%s takes each provider that it may have, and none besides', (role) => {
    const env = (provider: string) => ({
      [nameOf(role, '')]: ['deterministic', 'none'].includes(provider) ? provider : `${provider}:m`,
      [nameOf(role, '_BASE_URL')]: 'http://127.0.0.1:1/v1',
      [nameOf(role, '_API_KEY')]: 'k',
      ...(role === 'embedder' && provider !== 'deterministic'
        ? { [nameOf(role, '_DIMENSIONS')]: '8' }
        : {}),
      SERVICE_ALLOW_DETERMINISTIC_MODELS: 'true',
    });
    for (const provider of ['openai-compatible', 'anthropic', 'deterministic', 'none'] as const) {
      const { roles, problems } = parseModelRoles(env(provider), { production: true, readFile });
      const may = providersFor(role).includes(provider);
      expect([provider, problems.length]).toEqual([provider, may ? 0 : 1]);
      expect(roles[role].provider).toBe(may ? provider : 'none');
    }
  });

  test('of an openai-compatible endpoint may have no key at all', () => {
    expect(parsed('ingest_extractor', '', 'openai-compatible:m')).toMatchObject({
      problems: [],
      config: { apiKey: null },
    });
  });
});

describe('anthropic', () => {
  const env = { SERVICE_MODEL_INGEST_EXTRACTOR: 'anthropic:claude' };
  const extractorOf = (more: Readonly<Record<string, string>>) => {
    const { roles, problems } = parseModelRoles(
      { ...env, ...more },
      { production: true, readFile },
    );
    const config = roles.ingest_extractor;
    return { config, problems, key: 'apiKey' in config ? config.apiKey?.reveal() : null };
  };

  test('is called at its own address with the key of the environment, unless the role says otherwise', () => {
    expect(extractorOf({ ANTHROPIC_API_KEY: 'k', OPENAI_BASE_URL: 'https://o/v1' })).toMatchObject({
      problems: [],
      key: 'k',
      config: { provider: 'anthropic', model: 'claude', baseUrl: 'https://api.anthropic.com/v1' },
    });
    const own = {
      ANTHROPIC_API_KEY: 'k',
      SERVICE_MODEL_INGEST_EXTRACTOR_API_KEY_FILE: '/run/secrets/key',
      SERVICE_MODEL_INGEST_EXTRACTOR_BASE_URL: 'https://proxy.example.org/v1/',
    };
    expect(extractorOf(own)).toMatchObject({
      problems: [],
      key: 'sk-from-file',
      config: { baseUrl: 'https://proxy.example.org/v1' },
    });
  });

  test('without a key is refused, and no key of another provider will do', () => {
    expect(extractorOf({ OPENAI_API_KEY: 'k' }).problems).toEqual([
      'SERVICE_MODEL_INGEST_EXTRACTOR_API_KEY or ANTHROPIC_API_KEY must hold the key',
    ]);
  });

  test('is refused as embedder at the start, with the providers that could be', () => {
    const start = () =>
      loadConfig({ SERVICE_MODEL_EMBEDDER: 'anthropic:m', ANTHROPIC_API_KEY: 'k' });
    expect(start).toThrow(
      'SERVICE_MODEL_EMBEDDER selects anthropic, which does not support this role; it must name one of openai-compatible, deterministic, none',
    );
  });
});

describe('a reranker', () => {
  const start = (selection: string) => () =>
    loadConfig({
      SERVICE_MODEL_RERANKER: selection,
      SERVICE_MODEL_RERANKER_BASE_URL: 'https://rerank.example.org/v1/',
      SERVICE_MODEL_RERANKER_API_KEY: 'k',
      ANTHROPIC_API_KEY: 'k',
      SERVICE_ALLOW_DETERMINISTIC_MODELS: 'true',
    });

  test.each(['anthropic', 'deterministic'])('cannot be %s: the start refuses', (provider) => {
    expect(start(`${provider}:m`)).toThrow(
      `SERVICE_MODEL_RERANKER selects ${provider}, which does not support this role; it must name one of openai-compatible, none`,
    );
  });

  test('is an endpoint, at its own address with its own key', () => {
    expect(start('openai-compatible:judge')().models.reranker).toMatchObject({
      provider: 'openai-compatible',
      model: 'judge',
      baseUrl: 'https://rerank.example.org/v1',
    });
  });

  test('without a model is refused', () => {
    expect(start('openai-compatible')).toThrow('SERVICE_MODEL_RERANKER must name a model');
  });
});

describe('in production', () => {
  test('an extractor that is not chosen is none, whatever keys there are', () => {
    const keys = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'https://o/v1', ANTHROPIC_API_KEY: 'k' };
    const { models } = loadConfig({ NODE_ENV: 'production', ...keys });
    expect(new Set(Object.values(models).map(({ provider }) => provider))).toEqual(
      new Set(['none']),
    );
  });

  test.each(['embedder', 'ingest_extractor'] as const)(
    'a deterministic %s stops the start and names its flag, which must say true',
    (role) => {
      const env = { NODE_ENV: 'production', [nameOf(role, '')]: 'deterministic' };
      for (const flag of [undefined, 'false', '1', 'yes']) {
        expect(() => loadConfig({ ...env, SERVICE_ALLOW_DETERMINISTIC_MODELS: flag })).toThrow(
          'SERVICE_ALLOW_DETERMINISTIC_MODELS=true',
        );
      }
      const { models } = loadConfig({ ...env, SERVICE_ALLOW_DETERMINISTIC_MODELS: 'true' });
      expect(models[role].provider).toBe('deterministic');
    },
  );
});
