/**
 * `kill -9` of an export or an import, wherever it stands, leaves nothing half done: no archive, or a whole one; no row of
 * the account, or all of them; and the next one does its work. A killed command is stopped after each line that it says.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROOT } from '../../measure/root.ts';
import {
  archiveFolder,
  countsOf,
  databaseOf,
  exportTo,
  fillAccount,
  sealed,
} from '../integration/portability/scene.ts';
import { openTestDatabase, type OpenDatabase } from '../support/database.ts';
import { serverVariables, testServers } from '../support/environment.ts';
import { eventually, HANGS_MS, SERVERS_MS } from '../support/patience.ts';
import { sized } from '../support/run.ts';
import { closeWithoutErrors, startService, type Service } from '../support/service.ts';

/** The lines after which a command is killed; in a long run, after each. */
const AFTER_LINES = sized<readonly number[]>({
  short: [1, 12, 30, 38],
  long: Array.from({ length: 45 }, (_, at) => at + 1),
});
const MOST_MS = AFTER_LINES.length * HANGS_MS;

const folder = archiveFolder();
let source: Service;
let target: OpenDatabase;
let key: string;
let withDocument: string;

beforeAll(async () => {
  source = await startService();
  target = await openTestDatabase();
  const plain = await fillAccount(source, 'killed', false);
  const rich = await fillAccount(source, 'killed-rich');
  await sealed(source, plain.account.id);
  await sealed(source, rich.account.id);
  key = plain.account.key;
  withDocument = folder.path('rich.tar.gz');
  await exportTo(source, rich.account.key, withDocument);
}, SERVERS_MS);
afterAll(async () => {
  await target?.close();
  await closeWithoutErrors(source);
  folder.remove();
}, SERVERS_MS);

/** The address of a database as the service reaches it. */
async function appUrl(database: Pick<Service, 'rows'>): Promise<string> {
  const url = new URL(await databaseOf(database));
  url.username = 'vouch_app';
  url.password = testServers().appPassword;
  return url.href;
}

/** Runs `vouch` and kills it after so many lines; null: never. Answers the exit code, null when it was killed. */
async function vouch(
  database: Pick<Service, 'rows'>,
  args: readonly string[],
  killAfter: number | null,
): Promise<number | null> {
  const child = spawn(process.execPath, [join(ROOT, 'bin/vouch.mjs'), ...args], {
    cwd: folder.path('.'),
    env: {
      PATH: process.env['PATH'],
      ...serverVariables(),
      DATABASE_URL: await appUrl(database),
      SERVICE_SECRET_KEY: randomBytes(32).toString('hex'),
      SERVICE_BLOB_STORE: folder.path('blobs'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let lines = 0;
  createInterface({ input: child.stderr }).on('line', () => {
    lines += 1;
    if (lines === killAfter) child.kill('SIGKILL');
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
}

/** Waits until the database has ended the connections of a command that died. */
async function untilAlone(database: OpenDatabase): Promise<void> {
  await eventually(async () => {
    const rows = await database.rows(
      `select from pg_stat_activity
       where datname = current_database() and usename = 'vouch_app' and state <> 'idle'`,
    );
    return rows.length === 0;
  });
}

const checkOf = (path: string) => ['account', 'import', '--input', path, '--validate-only'];

test(
  'an export that is killed leaves no archive, or a whole one, and the next one succeeds',
  async () => {
    for (const killAfter of [...AFTER_LINES, null]) {
      const path = folder.path(`killed-${killAfter ?? 'never'}.tar.gz`);
      const args = ['account', 'export', '--account', key, '--output', path];
      const code = await vouch(source, args, killAfter);
      if (existsSync(path)) expect(await vouch(target, checkOf(path), null)).toBe(0);
      else {
        expect(await vouch(source, args, null)).toBe(0);
        const drafts = readdirSync(folder.path('.')).filter((name) => name.includes('.partial'));
        expect(drafts.filter((name) => name.startsWith(basename(path)))).toEqual([]);
      }
      if (killAfter === null) expect(code).toBe(0);
    }
    const open = await source.rows(
      `select from pipeline_runs where kind = 'portability' and status in ('pending', 'running')`,
    );
    expect(open).toEqual([]);
  },
  MOST_MS,
);

test(
  'an import that is killed leaves no row of the account, or all, and the next one succeeds',
  async () => {
    const before = await countsOf(target);
    const args = ['account', 'import', '--input', withDocument];
    let imported = false;
    for (const killAfter of [...AFTER_LINES, null]) {
      const code = await vouch(target, args, killAfter);
      await untilAlone(target);
      const { accounts } = await countsOf(target);
      if (imported) expect(code).not.toBe(0);
      if (accounts === before['accounts']) {
        expect(await countsOf(target)).toEqual(before);
        expect(code).not.toBe(0);
      } else {
        imported = true;
      }
    }
    expect(imported).toBe(true);
    const [events] = await target.rows(
      `select count(*)::integer as n from audit_events where action = 'account.imported'`,
    );
    expect(events).toEqual({ n: 1 });
  },
  MOST_MS,
);
