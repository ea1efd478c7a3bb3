/**
 * What a process logs of an uncaught error and of Node's own warnings. Node would print message and stack, which may
 * quote text, straight into the log file that its supervisor keeps.
 */
import { errorFields, type Log } from '../../engine/logging/logger.ts';

/** For an uncaught error: calls `lastWords` and ends the process with exit code 1. */
export function onCrash(lastWords: (error: unknown) => void): void {
  process.on('uncaughtException', (error: unknown) => {
    lastWords(error);
    process.exit(1);
  });
}

/** Replaces Node's own printing of crashes and warnings by lines of `log`. */
export function keepLastWordsSafe(log: Log): void {
  onCrash((error) => log.error('process.crashed', errorFields(error)));
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn('process.warning', errorFields(warning)));
}
