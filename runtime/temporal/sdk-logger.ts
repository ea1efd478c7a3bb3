/**
 * Writes the log of the Temporal SDK to the process log. The SDK's sentences and fields may quote errors of workflows
 * and activities. So a line keeps only the part of the SDK it came from, known ids and, of an error, name and code.
 */
import type { Logger, LogLevel, LogMetadata } from '@temporalio/worker';
import { isActorId, isUuid } from '../../domain/workflow-history/safe-text.ts';
import { errorFields, type Log, type LogFields } from '../../engine/logging/logger.ts';

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Text fields that help an operator to find the execution, and what each must look like. */
const KEPT: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['workflowId', isActorId],
  ['runId', isUuid],
  ['workflowType', (text: string) => NAME.test(text)],
  ['activityType', (text: string) => NAME.test(text)],
  ['taskQueue', (text: string) => NAME.test(text)],
  ['sdkComponent', (text: string) => NAME.test(text)],
]);

function fieldsOf(meta: LogMetadata | undefined): LogFields {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(meta ?? {})) {
    if (typeof value === 'string' && KEPT.get(name)?.(value) === true) fields[name] = value;
  }
  const error: unknown = meta?.['error'];
  return error === undefined ? fields : { ...fields, ...errorFields(error) };
}

/** Events for fixed sentences of the SDK, which quote nothing. Other sentences become `temporal.message`. */
const EVENTS: ReadonlyMap<string, string> = new Map([
  ['Activity failed', 'temporal.activity_failed'],
  ['Workflow failed', 'temporal.workflow_failed'],
  ['Failing workflow task', 'temporal.workflow_task_failed'],
  ['Worker failed', 'temporal.worker_failed'],
  ['Failed to initiate shutdown', 'temporal.shutdown_failed'],
  ['Failed to encode heartbeat details, cancelling Activity', 'temporal.heartbeat_refused'],
]);

/** Sentences that the SDK logs by design, because each worker has either workflows or activities. */
const EXPECTED: ReadonlySet<string> = new Set([
  'No workflows registered, not polling for workflow tasks',
  'No activities registered, not polling for activity tasks',
]);

/** A logger for `Runtime.install`, `Worker` and the bundler. Debug and trace are dropped. */
export function createSdkLogger(log: Log): Logger {
  const write = (level: LogLevel, message: string, meta?: LogMetadata): void => {
    if (EXPECTED.has(message)) return;
    const event = EVENTS.get(message) ?? 'temporal.message';
    if (level === 'ERROR') log.error(event, fieldsOf(meta));
    else if (level === 'WARN') log.warn(event, fieldsOf(meta));
  };
  return {
    log: write,
    trace() {},
    debug() {},
    info() {},
    warn: (message, meta) => write('WARN', message, meta),
    error: (message, meta) => write('ERROR', message, meta),
  };
}
