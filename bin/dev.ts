/** `npm start`: the whole service on this machine, until Ctrl-C. */
import { onCrash } from '../runtime/processes/last-words.ts';
import { startService } from '../runtime/start/index.ts';
import { operatorText } from '../runtime/start/failures.ts';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
onCrash((error) => process.stderr.write(`${operatorText(error)}\n`));
const interrupted = new AbortController();
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const stopRequested = new Promise<void>((resolve) => {
  for (const signal of stopSignals) {
    process.on(signal, () => {
      interrupted.abort();
      resolve();
    });
  }
});

try {
  const stack = await startService({
    environment: process.env,
    root: process.cwd(),
    say,
    signal: interrupted.signal,
  });
  // The servers are not attached to this process; the timer keeps it alive beside them.
  const alive = setInterval(() => undefined, 1 << 30);
  await stopRequested;
  clearInterval(alive);
  say('Stopping.');
  await stack.stop();
  say('Stopped.');
} catch (error) {
  if (interrupted.signal.aborted) {
    say('Stopped.');
  } else {
    process.stderr.write(`${operatorText(error)}\n`);
    process.exitCode = 1;
  }
}
