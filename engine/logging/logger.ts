/**
 * The process log: pino, JSON lines, and no content. A line is an event name and fields that are ids, counts,
 * durations and codes; of an error only its name and code are kept, because messages may quote text. Any other
 * text is replaced before it is written (`log-fields.ts`).
 */
import { pino, type Logger as PinoLogger } from 'pino';
import { safeEvent, safeFields, type LogFields } from './log-fields.ts';

export { errorFields, type LogFields } from './log-fields.ts';

export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

function wrap(logger: PinoLogger): Log {
  return {
    info: (event, fields = {}) => logger.info(safeFields(fields), safeEvent(event)),
    warn: (event, fields = {}) => logger.warn(safeFields(fields), safeEvent(event)),
    error: (event, fields = {}) => logger.error(safeFields(fields), safeEvent(event)),
  };
}

/** A log that writes to standard output, or to the file at `destination`. */
export function createLog(options: {
  readonly level: LogLevel;
  readonly process: string;
  readonly destination?: string;
}): Log {
  const settings = { level: options.level, base: { process: options.process } };
  return wrap(
    options.destination === undefined
      ? pino(settings)
      : pino(settings, pino.destination({ dest: options.destination, mkdir: true, mode: 0o600 })),
  );
}
