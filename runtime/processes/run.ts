/** The common part of every long-running process: settings, log, signals, an orderly end. */
import { rmSync } from 'node:fs';
import { ConfigError, loadConfig, type Config } from '../config/index.ts';
import type { Variables } from '../config/model-settings.ts';
import { writePrivateFile } from '../../embedded/private-files.ts';
import { createLog, errorFields, type Log } from '../../engine/logging/logger.ts';
import { keepLastWordsSafe } from './last-words.ts';
import { PreconditionError } from '../../stores/postgres/precondition-error.ts';
import { BundleError } from '../temporal/prebuilt-bundle.ts';

/** A started process. */
export interface RunningProcess {
  /** Settles when the process ends by itself, which is a failure whether it resolves or rejects. */
  readonly stopped: Promise<void>;
  close(): Promise<void>;
}

/** The longest that an orderly end may take; longer than the workers' own grace time. */
const STOP_DEADLINE_MS = 45_000;

export interface RunOptions {
  /** Milliseconds that an orderly end may take; `STOP_DEADLINE_MS` unless given. */
  readonly stopDeadlineMs?: number;
}

function untilSignal(): Promise<'signal'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => resolve('signal'));
    }
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
}

/** The ready file, which holds the id of the process for as long as the process works. */
function readyFile(path: string | undefined): { write(): void; remove(): void } {
  return {
    write() {
      if (path !== undefined) writePrivateFile(path, String(process.pid));
    },
    remove() {
      if (path !== undefined) rmSync(path, { force: true });
    },
  };
}

/** Waits for the end; 0 when a signal asked for it, 1 when the process ended by itself. */
async function untilEnd(running: RunningProcess, signalled: Promise<'signal'>): Promise<0 | 1> {
  const ended = running.stopped.then(() => 'by itself' as const);
  return (await Promise.race([signalled, ended])) === 'signal' ? 0 : 1;
}

/**
 * Runs `start` until a signal, closes what it started, and ends the process. The exit code is 1 when it could not
 * start, ended by itself, or could not be closed in time, so that its supervisor starts another. The ready file exists
 * exactly while the process works. A failed process ends even when parts of it still run.
 */
export async function runProcess(
  name: 'api' | 'worker',
  environment: Variables,
  start: (config: Config, log: Log) => Promise<RunningProcess>,
  { stopDeadlineMs = STOP_DEADLINE_MS }: RunOptions = {},
): Promise<never> {
  let log: Log | null = null;
  let code: 0 | 1 = 1;
  try {
    const config = loadConfig(environment);
    const { SERVICE_READY_FILE: path, SERVICE_LOG_LEVEL: level } = config.settings;
    log = createLog({ level, process: name });
    keepLastWordsSafe(log);
    if (config.settings.SERVICE_DATABASE_OWNER_URL !== undefined) log.warn('process.holds_owner');
    const signalled = untilSignal();
    const running = await start(config, log);
    const ready = readyFile(path);
    ready.write();
    log.info('process.ready');
    try {
      code = await untilEnd(running, signalled);
    } catch (error) {
      reportFailure(log, error);
    }
    ready.remove();
    log.info('process.stopping');
    setTimeout(() => process.exit(1), stopDeadlineMs).unref();
    await running.close();
    log.info('process.stopped');
  } catch (error) {
    code = 1;
    reportFailure(log, error);
  }
  return process.exit(code);
}
