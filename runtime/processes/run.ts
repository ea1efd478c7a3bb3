/** What every long-running process has in common: settings, log, signals, an orderly end. */
import { rmSync } from 'node:fs';
import { ConfigError, loadConfig, type Config, type Environment } from '../config/index.ts';
import { writePrivateFile } from '../embedded/private-files.ts';
import { createLog, errorFields, type Log } from '../logger.ts';
import { keepLastWordsSafe } from './last-words.ts';
import { PreconditionError } from '../../stores/postgres/preconditions.ts';
import { BundleError } from '../temporal/prebuilt-bundle.ts';

/** A started process: `stopped` settles when it ends by itself, which is a failure. */
export interface RunningProcess {
  readonly stopped: Promise<void>;
  close(): Promise<void>;
}

/** Longer than the workers' own grace time. */
const STOP_DEADLINE_MS = 45_000;

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

function reportFailure(log: Log | null, error: unknown): void {
  if (
    error instanceof BundleError ||
    error instanceof ConfigError ||
    error instanceof PreconditionError
  ) {
    process.stderr.write(`${error.message}\n`);
  }
  log?.error('process.failed', errorFields(error));
  process.exitCode = 1;
}

/**
 * Runs `start` until a signal, then closes what it started. The exit code is 1 when it could not start, or
 * ended by itself, and the ready file exists exactly while the process works.
 */
export async function runProcess(
  name: 'api' | 'worker',
  environment: Environment,
  start: (config: Config, log: Log) => Promise<RunningProcess>,
): Promise<void> {
  let log: Log | null = null;
  try {
    const config = loadConfig(environment);
    const { SERVICE_READY_FILE: readyFile, SERVICE_LOG_LEVEL: level } = config.settings;
    log = createLog({ level, process: name });
    keepLastWordsSafe(log);
    const signalled = untilSignal();
    const running = await start(config, log);
    if (readyFile !== undefined) writePrivateFile(readyFile, String(process.pid));
    log.info('process.ready');
    await Promise.race([signalled, running.stopped]);
    log.info('process.stopping');
    if (readyFile !== undefined) rmSync(readyFile, { force: true });
    const overdue = setTimeout(() => process.exit(1), STOP_DEADLINE_MS);
    overdue.unref();
    await running.close();
    log.info('process.stopped');
  } catch (error) {
    reportFailure(log, error);
  }
}
