/** What people's own generators of clients make of the described interface. They run as they come from their registries. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROOT } from '../architecture/source-tree.ts';

const DOCUMENT = join(ROOT, 'docs/openapi.json');

const TSCONFIG = {
  compilerOptions: {
    noEmit: true,
    strict: true,
    module: 'nodenext',
    allowImportingTsExtensions: true,
    types: [],
  },
};

/** A property that is `unknown` takes everything: then the directive has no error to expect, which is one. */
const USE = `
import type { components } from './types.ts';
type Search = components['schemas']['SearchRequest'];
export const good: Search = { query: 'tea', scope_path: '/team', limit: 3 };
// @ts-expect-error a limit is a number
export const bad: Search = { query: 'tea', limit: { text: 'x' } };
`;

let generators: string;
let folder: string;

beforeAll(() => {
  generators = execFileSync(join(import.meta.dirname, 'install.sh'), { encoding: 'utf8' }).trim();
  folder = mkdtempSync(join(tmpdir(), 'vouch-clients-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program; what it wrote is in the error where it fails. */
function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
}

describe('openapi-python-client', () => {
  test('reads the whole document without a warning, and writes modules that compile', () => {
    const client = join(folder, 'python');
    const modules = join(generators, 'python');
    const env = { PYTHONPATH: modules, PATH: `${modules}/bin:${process.env['PATH'] ?? ''}` };
    const args = ['generate', '--path', DOCUMENT, '--output-path', client, '--meta', 'none'];
    run('python3', ['-m', 'openapi_python_client', ...args, '--fail-on-warning'], env);
    run('python3', ['-m', 'compileall', '-q', client]);
    const operations = readdirSync(join(client, 'api'), { recursive: true, encoding: 'utf8' });
    const named = readFileSync(DOCUMENT, 'utf8').match(/"operationId":/g) ?? [];
    const written = operations.filter((file) => /^\w+\/(?!__)\w+\.py$/.test(file));
    expect(written).toHaveLength(named.length);
  });
});

describe('openapi-typescript', () => {
  test('writes types that compile, and knows the type of every property of a request', () => {
    const types = join(folder, 'types.ts');
    const modules = join(generators, 'node/node_modules');
    const generate = [join(modules, 'openapi-typescript/bin/cli.js'), DOCUMENT, '-o', types];
    // Otherwise a field that has a default is one that every request must have.
    run(process.execPath, [...generate, '--default-non-nullable', 'false']);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    writeFileSync(join(folder, 'use.ts'), USE);
    run(process.execPath, [join(modules, 'typescript/bin/tsc'), '--project', folder]);
    const text = readFileSync(types, 'utf8');
    const requests = text.match(/^ {8}\w+Request: \{[\s\S]*?^ {8}\}/gm) ?? [];
    expect(requests.length).toBeGreaterThan(10);
    expect(requests.flatMap((one) => one.match(/\w+\?: unknown;/g) ?? [])).toEqual([]);
  });
});
