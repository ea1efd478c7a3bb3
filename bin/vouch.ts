/** The command line: `vouch <noun> <verb>`. */
import type { CliContainer, CliDependencies } from '../cli/dependencies.ts';
import { runCli } from '../cli/program.ts';

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // The first one lets the command stop what it started; the second does not wait for that.
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort();
  });
}
// The program that reads this output through a pipe may end first.
process.stdout.on('error', () => undefined);

/** Where the command works, and how it tells of it. */
const here = {
  environment: process.env,
  root: process.cwd(),
  say: (line: string) => process.stderr.write(`${line}\n`),
  signal: interrupted.signal,
};

/** What speaks to servers is loaded here: a command that needs none starts without it. */
async function open(servers: Parameters<CliDependencies['open']>[0]): Promise<CliContainer> {
  const [{ openForCommand }, { createCommandContainer }, { createLog }] = await Promise.all([
    import('../runtime/command-line.ts'),
    import('../runtime/container/for-command.ts'),
    import('../engine/logging/logger.ts'),
  ]);
  const log = createLog({ level: 'silent', process: 'cli' });
  const opened = await openForCommand({ ...here, servers }, (config, db) =>
    createCommandContainer(config, log, db),
  );
  return { environment: opened.container.environment, close: () => opened.close() };
}

async function receiptKeyPem(): Promise<string> {
  const [{ RECEIPT_KEY_FILE }, { knownReceiptKeyPem }] = await Promise.all([
    import('../runtime/config/index.ts'),
    import('../runtime/container/receipt-key.ts'),
  ]);
  return knownReceiptKeyPem(process.env['SERVICE_RECEIPT_KEY_FILE'] ?? RECEIPT_KEY_FILE);
}

/** What the files of the installation in the working directory are copied to, and put back from. */
const installation: NonNullable<CliDependencies['installation']> = {
  async backUp(output) {
    const { takeBackup } = await import('../runtime/backup/take.ts');
    return takeBackup({ ...here, output });
  },
  async drill(input) {
    const { drill } = await import('../runtime/backup/drill.ts');
    return drill({ ...here, input, now: new Date() });
  },
  async restore(input, lists) {
    const { restoreBackup } = await import('../runtime/backup/restore.ts');
    return restoreBackup({ ...here, input, lists });
  },
};

async function* promiseLines(paths: readonly string[]) {
  const { readPromiseFiles } = await import('../stores/promises/read-file.ts');
  yield* readPromiseFiles(paths);
}

process.exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  now: () => new Date(),
  signal: interrupted.signal,
  receiptKeyPem,
  installation,
  promiseLines,
  open,
});
