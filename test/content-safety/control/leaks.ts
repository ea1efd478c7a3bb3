/**
 * Every way in which code on Temporal can let a text out, and where it is found when nothing holds it back. The
 * control runs all of them twice: without our layers the scanner must find each in each of its places, which
 * shows that it can; with them it must find none.
 */
import { canaryText } from '../../support/canaries/canary.ts';

/** `answer` is what comes back to the caller. */
export type Place = 'history' | 'database' | 'visibility' | 'answer' | 'log' | 'metrics' | 'traces';

const STORED = ['history', 'database'] as const;
const SHOWN = ['history', 'database', 'visibility'] as const;
const ANSWERED = ['history', 'database', 'answer'] as const;
const MEASURED = ['metrics', 'traces'] as const;

export const LEAKS = {
  start_argument: STORED,
  memo: SHOWN,
  search_attribute: SHOWN,
  workflow_id: SHOWN,
  static_summary: SHOWN,
  static_details: SHOWN,
  start_header: STORED,
  signal_argument: STORED,
  signal_header: STORED,
  update_argument: STORED,
  update_id: STORED,
  update_result: ANSWERED,
  update_failure: ANSWERED,
  query_argument: ['answer'],
  query_result: ['answer'],
  query_failure: ['answer'],
  current_details: ['answer'],
  terminate_reason: STORED,
  workflow_error: [...STORED, 'log'],
  workflow_cause: [...STORED, 'log'],
  workflow_object: [...STORED, 'log'],
  workflow_failure_message: ANSWERED,
  workflow_failure_type: ANSWERED,
  workflow_failure_details: ANSWERED,
  workflow_failure_cause: ANSWERED,
  workflow_result: ANSWERED,
  workflow_memo: SHOWN,
  workflow_log_message: ['log'],
  workflow_log_field: ['log'],
  activity_argument: STORED,
  activity_summary: STORED,
  timer_summary: STORED,
  activity_error: [...ANSWERED, 'log'],
  activity_error_code: ['log'],
  activity_object: [...ANSWERED, 'log'],
  activity_failure_message: [...ANSWERED, 'log'],
  activity_failure_type: ANSWERED,
  activity_failure_details: ANSWERED,
  activity_failure_cause: ANSWERED,
  activity_last_failure: ['database', 'visibility', 'log'],
  activity_result: ANSWERED,
  activity_heartbeat: ['database', 'visibility'],
  activity_log_message: ['log'],
  activity_log_field: ['log'],
  process_log_event: ['log'],
  process_log_field: ['log'],
  process_log_field_name: ['log'],
  request_path: MEASURED,
  request_query: ['traces'],
  request_method: MEASURED,
  request_traceparent: ['traces'],
  request_tracestate: ['traces'],
  request_baggage: ['traces'],
  request_error: ['traces', 'answer', 'log'],
  batch_error: ['traces'],
  batch_error_code: MEASURED,
  provider_name: MEASURED,
  provider_role: MEASURED,
  circuit_account: ['metrics', 'log'],
  activity_metric_code: ['metrics'],
} as const satisfies Readonly<Record<string, readonly Place[]>>;

export type Leak = keyof typeof LEAKS;

export const LEAK_NAMES = Object.keys(LEAKS) as readonly Leak[];

const QUEUE = 'control-';

/** The queue carries the seed, because nothing else reaches the sandbox in both runs. */
export function queueOf(seed: string): string {
  return `${QUEUE}${seed}`;
}

/** The canary of a leak, inside the sandbox and outside. */
export function leakText(queue: string, leak: Leak): string {
  return canaryText(queue.slice(QUEUE.length), leak);
}
