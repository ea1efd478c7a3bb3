/** The command line: `vouch <noun> <verb>`. */
import { runCli } from '../cli/program.ts';
import { RECEIPT_KEY_FILE } from '../runtime/config/index.ts';
import { openForCommand } from '../runtime/container/command-line.ts';
import { createContainer } from '../runtime/container/index.ts';
import { knownReceiptKeyPem } from '../runtime/container/receipt-key.ts';
import { createLog } from '../runtime/logger.ts';

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

process.exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  now: () => new Date(),
  signal: interrupted.signal,
  receiptKeyPem: () =>
    knownReceiptKeyPem(process.env['SERVICE_RECEIPT_KEY_FILE'] ?? RECEIPT_KEY_FILE),
  open: async (servers) => {
    const log = createLog({ level: 'silent', process: 'cli' });
    const opened = await openForCommand(
      {
        environment: process.env,
        root: process.cwd(),
        servers,
        say: (line) => process.stderr.write(`${line}\n`),
        signal: interrupted.signal,
      },
      (config) => createContainer(config, log),
    );
    return { environment: opened.container.environment, close: () => opened.close() };
  },
});
