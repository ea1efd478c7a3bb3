/** A worker process and its bundle, in a copy of the sources: no worker builds one, or runs another. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ROOT, SOURCE_FOLDERS } from '../../architecture/source-tree.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { serverVariables } from '../../support/environment.ts';

const STALE = 'The workflow bundle is stale. Run npm run bundle.\n';
const copy = mkdtempSync(join(tmpdir(), 'vouch-worker-'));
const build = join(copy, 'build/workflows');
const readyFile = join(copy, 'worker.ready');
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  for (const name of [...SOURCE_FOLDERS, 'package.json', 'package-lock.json']) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});

beforeEach(() => {
  rmSync(build, { recursive: true, force: true });
  cpSync(join(ROOT, 'build/workflows'), build, { recursive: true });
});

afterAll(async () => {
  rmSync(copy, { recursive: true });
  await database.drop();
});

interface Ended {
  readonly exitCode: number | null;
  readonly stderr: string;
}

function environment(): Record<string, string> {
  return {
    DATABASE_URL: database.appUrl,
    ...serverVariables(),
    SERVICE_SECRET_KEY: randomBytes(32).toString('hex'),
    SERVICE_READY_FILE: readyFile,
  };
}

/** Runs an entry point to its end; one that gets to work is told to stop. */
function run(name: string): Promise<Ended & { readonly worked: boolean }> {
  const child = spawn(process.execPath, [join(copy, `bin/${name}.ts`)], {
    cwd: copy,
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  let worked = false;
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const looking = setInterval(() => {
    if (worked || !existsSync(readyFile)) return;
    worked = true;
    child.kill('SIGTERM');
  }, 50);
  return new Promise((resolve) => {
    child.once('close', (exitCode) => {
      clearInterval(looking);
      resolve({ exitCode, stderr, worked });
    });
  });
}

test('a worker starts with a bundle that fits its sources', async () => {
  expect(await run('worker')).toMatchObject({ exitCode: 0, worked: true });
});

test('a worker without a bundle refuses to start in one line, and builds none', async () => {
  rmSync(build, { recursive: true });
  expect(await run('worker')).toEqual({
    exitCode: 1,
    stderr: 'The workflow bundle is missing. Run npm run bundle.\n',
    worked: false,
  });
  expect(existsSync(build)).toBe(false);
});

test('a worker refuses a bundle with a changed code file', async () => {
  appendFileSync(join(build, 'bundle.cjs'), '\n');
  expect(await run('worker')).toEqual({ exitCode: 1, stderr: STALE, worked: false });
});

test('after a change of a workflow a worker refuses to start until the bundle is made again', async () => {
  appendFileSync(join(copy, 'workflows/index.ts'), '\n// Another build.\n');
  expect(await run('worker')).toEqual({ exitCode: 1, stderr: STALE, worked: false });
  expect(await run('bundle')).toMatchObject({ exitCode: 0 });
  expect(await run('worker')).toMatchObject({ exitCode: 0, worked: true });
});
