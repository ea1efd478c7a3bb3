/**
 * The process log: pino, JSON lines, and no content. A line is an event name and fields that are ids, counts,
 * durations and codes; of an error only its name and code are kept, because messages may quote text.
 */
import { pino, type Logger as PinoLogger } from 'pino';

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

function wrap(logger: PinoLogger): Log {
  return {
    info: (event, fields) => logger.info(fields ?? {}, event),
    warn: (event, fields) => logger.warn(fields ?? {}, event),
    error: (event, fields) => logger.error(fields ?? {}, event),
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

/** Class names, system codes and SQLSTATEs. */
const CODE = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** What may be said of an error: its class name and code, never its message or stack. */
export function errorFields(error: unknown): LogFields {
  if (typeof error !== 'object' || error === null) return { error: 'non_error' };
  const code: unknown = Reflect.get(error, 'code');
  // Some libraries leave `name` at Error and tell their errors apart by class only.
  const name = error.constructor.name;
  return {
    error: CODE.test(name) ? name : 'Error',
    ...(typeof code === 'string' && CODE.test(code) ? { code } : {}),
  };
}
