/** Holds the tree to the table of docs/ARCHITECTURE.md: who may import what. */
import { describe, expect, test } from '@jest/globals';
import { importsOf, readFiles, SOURCE_FOLDERS, type Import } from './source-tree.ts';

interface Rule {
  /** The most specific prefix wins. */
  readonly folder: string;
  /** Values may come from these folders and packages; `*` means anything. */
  readonly values: readonly string[];
  readonly types: readonly string[];
}

const CLIENTS = [
  'slonik',
  'pg',
  'meilisearch',
  '@qdrant/js-client-rest',
  'aws4fetch',
  'zod',
  'uuid',
  'node:',
];

const RULES: readonly Rule[] = [
  { folder: 'domain', values: ['domain'], types: [] },
  { folder: 'stores', values: ['stores', 'domain', ...CLIENTS], types: [] },
  {
    folder: 'engine/models',
    values: [
      'engine/models',
      'engine/secrets',
      'engine/behalf.ts',
      'engine/offload-failure.ts',
      'engine/semaphore.ts',
      'domain',
      'lru-cache',
      'zod',
      'uuid',
      'node:',
      'ai',
      '@ai-sdk/',
    ],
    types: ['engine/extraction'],
  },
  // Parsers of documents are used there and nowhere else.
  {
    folder: 'engine/documents',
    values: ['engine', 'domain', 'node:', 'parse5', 'marked', 'mammoth', 'yauzl', 'unpdf'],
    types: ['stores'],
  },
  // Threads are started there and nowhere else.
  { folder: 'engine/offload', values: ['engine', 'domain', 'node:', 'piscina'], types: [] },
  { folder: 'engine/secrets', values: ['engine/secrets', '@secretlint/'], types: [] },
  // Receipts are signed there and nowhere else.
  {
    folder: 'engine/erasure',
    values: ['engine', 'domain', 'canonicalize', 'zod', 'node:'],
    types: ['stores'],
  },
  // Audit events are hashed there and nowhere else.
  {
    folder: 'engine/audit',
    values: ['engine', 'domain', 'canonicalize', 'node:'],
    types: ['stores'],
  },
  // The manifest of an archive carries its own hash.
  {
    folder: 'engine/portability',
    values: ['engine', 'domain', 'canonicalize', 'zod', 'node:'],
    types: ['stores'],
  },
  // Log lines are written there and nowhere else.
  {
    folder: 'engine/logging',
    values: ['engine/logging', 'domain', 'pino', 'meilisearch', 'node:'],
    types: [],
  },
  {
    folder: 'engine',
    values: [
      'engine',
      'domain',
      'zod',
      'uuid',
      'node:',
      'stemmer',
      'chrono-node',
      'wink-nlp',
      'wink-eng-lite-web-model',
    ],
    types: ['stores'],
  },
  {
    folder: 'operations',
    values: ['operations', 'domain', 'engine', 'stores/blobs/sha256.ts', 'zod', 'uuid', 'node:'],
    types: ['stores', 'runtime/actors'],
  },
  {
    folder: 'activities',
    values: [
      'activities',
      'domain',
      'engine',
      '@temporalio/activity',
      '@temporalio/common',
      'node:',
    ],
    types: ['stores'],
  },
  {
    folder: 'workflows',
    values: ['workflows', 'domain', '@temporalio/workflow', '@temporalio/common'],
    types: ['activities/contracts.ts'],
  },
  // The SDK of the protocol is used there and nowhere else.
  {
    folder: 'api/mcp',
    values: ['api', 'operations', 'domain', '@modelcontextprotocol/sdk', '@koa/', 'zod', 'node:'],
    types: ['engine/logging'],
  },
  // The door of the console: the only part of the API that knows its pages.
  {
    folder: 'api/console',
    values: ['api', 'console', 'operations', 'domain', 'engine/logging', '@koa/', 'node:'],
    types: [],
  },
  {
    folder: 'api',
    values: [
      'api',
      'operations',
      'domain',
      'engine/logging',
      'koa',
      '@koa/',
      '@fastify/busboy',
      'lru-cache',
      'zod',
      'node:',
    ],
    types: [],
  },
  {
    folder: 'console',
    values: ['console', 'operations', 'domain', 'koa', '@koa/', 'node:'],
    types: [],
  },
  // Faults of pasted JSON are looked for there and nowhere else.
  {
    folder: 'console/pages/skills',
    values: ['console', 'operations', 'domain', 'jsonc-parser'],
    types: [],
  },
  {
    folder: 'cli',
    values: [
      'cli',
      'operations',
      'domain',
      'embedded',
      'engine/logging',
      'commander',
      'zod',
      'node:',
    ],
    types: [],
  },
  {
    folder: 'runtime',
    values: ['*'],
    types: ['*'],
  },
  // Servers of one machine: knows nothing of the product.
  { folder: 'embedded', values: ['embedded', 'pg', 'zod', 'node:'], types: [] },
  // Measures from outside: starts the service, and asks it and its servers.
  {
    folder: 'measure',
    values: ['measure', 'embedded', 'autocannon', 'pg', 'stemmer', 'zod', 'node:'],
    types: [],
  },
  // Reads the history of a workflow.
  {
    folder: 'measure/bench/erasure',
    values: ['measure', '@temporalio/client', 'pg', 'zod', 'node:'],
    types: [],
  },
  // Sends texts through the service's own functions, which it finds in the sources.
  {
    folder: 'measure/bench/linearity',
    values: ['measure', 'domain', 'engine', 'acorn', 'scslre', 'node:'],
    types: [],
  },
  // Sends the request to Qdrant that the service itself would send.
  {
    folder: 'measure/bench/search',
    values: ['measure', 'domain', 'engine', 'stores', 'zod', 'node:'],
    types: [],
  },
  // The list of irregular forms is a fact about English.
  {
    folder: 'measure/eval',
    values: ['measure', 'domain/text/irregular.ts', 'stemmer', 'zod', 'node:'],
    types: [],
  },
  // Scores the ranking itself, as the service computes it, without a service.
  {
    folder: 'measure/eval/rank',
    values: ['measure', 'domain', 'engine', 'stemmer', 'zod', 'node:'],
    types: [],
  },
  // Judges the statements of the built-in extractor without a service.
  {
    folder: 'measure/eval/judged',
    values: ['measure', 'domain', 'engine', 'zod', 'node:'],
    types: [],
  },
  // Asks the built-in answerer without a service.
  {
    folder: 'measure/eval/answers',
    values: ['measure', 'domain', 'engine', 'node:'],
    types: [],
  },
  // Runs the recall of an answer without a service.
  { folder: 'measure/eval/recall', values: ['measure', 'domain', 'engine'], types: [] },
  { folder: 'bin', values: ['*'], types: ['*'] },
];

function ruleFor(path: string): Rule {
  const matching = RULES.filter((rule) => path.startsWith(`${rule.folder}/`));
  const best = matching.toSorted((a, b) => b.folder.length - a.folder.length)[0];
  if (best === undefined) throw new Error(`no rule for ${path}`);
  return best;
}

function allows(list: readonly string[], { specifier, target }: Import): boolean {
  return list.some((entry) => {
    if (entry === '*') return true;
    if (target !== null) return target === entry || target.startsWith(`${entry}/`);
    return entry.endsWith(':') || entry.endsWith('/')
      ? specifier.startsWith(entry)
      : specifier === entry || specifier.startsWith(`${entry}/`);
  });
}

function violations(): string[] {
  return readFiles(SOURCE_FOLDERS, '.ts')
    .flatMap(importsOf)
    .filter((found) => {
      const rule = ruleFor(found.from);
      const permitted = found.typeOnly ? [...rule.values, ...rule.types] : rule.values;
      return !allows(permitted, found);
    })
    .map((found) => `${found.from} -> ${found.specifier}${found.typeOnly ? ' (type)' : ''}`);
}

describe('imports', () => {
  test('point only where the layout allows', () => {
    expect(violations()).toEqual([]);
  });

  test('the reader sees value imports, type imports and bare imports', () => {
    const text = [
      "import { a, type B } from './x.ts';",
      "import type { C } from '../y.ts';",
      "import { type D } from 'zod';",
      "import 'node:fs';",
    ].join('\n');
    const found = importsOf({ path: 'domain/a/b.ts', text });
    expect(found.map(({ target, specifier, typeOnly }) => [target ?? specifier, typeOnly])).toEqual(
      [
        ['domain/a/x.ts', false],
        ['domain/y.ts', true],
        ['zod', true],
        ['node:fs', false],
      ],
    );
  });
});
