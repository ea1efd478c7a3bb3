/**
 * Measures the archive of an account with many statements: time, size and memory of an export, of a check and of an
 * import into a database of its own; writes a page of figures:
 *
 *   npm run bench:archive [-- --statements <number>] [--report <file>]
 *
 * measure/bench/README.md explains the figures. Takes some minutes with 100,000 statements.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { z } from 'zod';
import { ROOT } from '../../root.ts';
import { machineEnvironment } from '../../stack.ts';
import { copyStatements } from '../load/copies.ts';
import { sendObservations } from '../load/http-load.ts';
import { untilDone, untilNothingIsMarked } from '../load/searchable.ts';
import { startLoadedStack, type LoadedStack } from '../load/stack.ts';

const SCOPE = '/bench/archive';
/** Prints the greatest memory of the process at its end. */
const WATCH = `data:text/javascript,process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS+'\\n'))`;

interface Run {
  readonly seconds: number;
  readonly peakMib: number;
  readonly output: Record<string, unknown>;
}

/** Runs `vouch` and measures it. */
async function vouch(
  stack: LoadedStack,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const startedAt = performance.now();
  const command = ['--import', WATCH, join(ROOT, 'bin/vouch.mjs'), ...args, '--json'];
  const child = spawn(process.execPath, command, {
    cwd: stack.path,
    env: { ...machineEnvironment(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`vouch ${args.join(' ')} failed: ${err}`);
  const peaks = [...err.matchAll(/^peak (\d+)$/gm)].map(([, kib]) => Number(kib) / 1024);
  return {
    seconds: (performance.now() - startedAt) / 1000,
    peakMib: Math.max(...peaks),
    output: z.record(z.string(), z.unknown()).parse(JSON.parse(out)),
  };
}

/** Fills the account by SQL, beside a worker that stands still, and leaves the indexes out. */
async function fill(stack: LoadedStack, statements: number): Promise<void> {
  const content = 'I keep the lathe with number 1 in the yard of Ghent.';
  const observation = { scope_path: SCOPE, session_id: SCOPE, peer_key: 'anna', content };
  await sendObservations(stack, () => observation, { clients: 1, amount: 1 });
  await untilDone(stack.admin, SCOPE, 1);
  await untilNothingIsMarked(stack.admin);
  const worker = stack.processes().get('worker');
  if (worker === undefined) throw new Error('no worker runs');
  process.kill(worker, 'SIGSTOP');
  try {
    await copyStatements(stack.admin, SCOPE, statements - 1);
    await stack.admin.query('truncate dirty_marks');
    await stack.admin.query('vacuum analyze');
  } finally {
    process.kill(worker, 'SIGCONT');
  }
}

/** An empty database of the same schema beside the service's; answers its address for the service's role. */
async function emptyDatabase(stack: LoadedStack): Promise<string> {
  const name = `archive_${randomBytes(4).toString('hex')}`;
  const own = new URL(stack.databaseUrlOf('postgres'));
  await stack.admin.query(`create database ${name} owner vouch_owner`);
  own.pathname = `/${name}`;
  // In a process of its own, as a deployment would: what measures imports nothing of the service.
  const script = `import { migrate } from '${ROOT}/stores/postgres/migrate.ts'; await migrate(process.argv[1]);`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script, own.href]);
  const client = new Client({ connectionString: own.href });
  await client.connect();
  await client.query('analyze');
  await client.end();
  const app = new URL(stack.databaseUrlOf('vouch_app'));
  app.pathname = `/${name}`;
  return app.href;
}

const said = (value: number): string => value.toLocaleString('en');
const mib = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;

function row(what: string, { peakMib, seconds }: Run): string {
  return `| ${what} | ${seconds.toFixed(1)} | ${peakMib.toFixed(0)} |`;
}

const { values } = parseArgs({
  options: { statements: { type: 'string' }, report: { type: 'string' } },
});
const statements = z.coerce
  .number()
  .int()
  .min(10)
  .max(10_000_000)
  .default(100_000)
  .parse(values.statements);
const stack = await startLoadedStack({});
try {
  await fill(stack, statements);
  const archive = join(stack.path, 'bench.tar.gz');
  const exported = await vouch(stack, ['account', 'export', '--output', archive]);
  const settings = {
    DATABASE_URL: await emptyDatabase(stack),
    SERVICE_SECRET_KEY: randomBytes(32).toString('hex'),
    SERVICE_BLOB_STORE: join(stack.path, 'blobs-of-the-import'),
  };
  const input = ['account', 'import', '--input', archive];
  const checked = await vouch(stack, [...input, '--validate-only'], settings);
  const imported = await vouch(stack, input, settings);
  const page = [
    `# The archive of an account with ${said(statements)} statements`,
    '',
    `\`npm run bench:archive -- --statements ${statements}\`. ${said(Number(exported.output['rows']))} rows in ${mib(statSync(archive).size)}.`,
    '',
    '| command | seconds | peak memory of its process, MiB |',
    '| --- | --- | --- |',
    row('`vouch account export`', exported),
    row('`vouch account import --validate-only`', checked),
    row('`vouch account import`, without the indexes', imported),
    '',
  ].join('\n');
  process.stdout.write(page);
  if (values.report !== undefined) writeFileSync(values.report, page);
} finally {
  await stack.stop();
}
