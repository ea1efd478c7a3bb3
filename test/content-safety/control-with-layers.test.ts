/** The same leaks behind our converters, interceptors and logs: nothing is found, and the calls fail with codes. */
import { beforeAll, expect, test } from '@jest/globals';
import { parsePrometheus } from '../support/prometheus.ts';
import { withLayers } from './control/layers.ts';
import { runControl, type ControlReport } from './control/run.ts';

let report: ControlReport;

beforeAll(async () => {
  report = await runControl(withLayers);
});

test('no canary is found in any place', () => {
  expect(report.findings).toEqual([]);
  expect(report.scanned).toEqual(
    expect.arrayContaining([
      'history',
      'database',
      'visibility',
      'answer',
      'log',
      'metrics',
      'traces',
    ]),
  );
});

test('requests, calls and failures are counted and traced under words of closed lists', () => {
  const scrape = parsePrometheus(report.metrics);
  const requests = (labels: object) =>
    scrape.sum('vouch_http_request_duration_seconds_count', { ...labels });
  expect(requests({ method: 'GET', route: '/control/:word', status: '500' })).toBe(1);
  expect(requests({ method: 'other', route: 'unmatched', status: '405' })).toBe(1);
  for (const words of [
    { role: 'embedder', provider: 'other' },
    { role: 'other', provider: 'openai-compatible' },
  ]) {
    expect(scrape.sum('vouch_model_attempts_total', words)).toBe(1);
  }
  expect(scrape.sum('vouch_model_circuit_events_total', { event: 'opened' })).toBe(1);
  const failures = (code: string) => scrape.sum('vouch_activity_failures_total', { code });
  expect(failures('other')).toBe(2);
  // Those of the activities that ran on Temporal.
  expect(failures('INTERNAL')).toBeGreaterThan(2);
  for (const name of [
    'GET /control/:word',
    'other',
    'drain ingest',
    'model embedder',
    'model other',
  ]) {
    expect(report.traces).toContain(`"name":"${name}"`);
  }
});

test('a text is refused with a code, or is left out of the call that carried it', () => {
  expect(report.outcomes).toEqual({
    // Refused before the call leaves the process.
    start_argument: 'TEXT_REFUSED',
    static_summary: 'TEXT_REFUSED',
    static_details: 'TEXT_REFUSED',
    signal_argument: 'TEXT_REFUSED',
    update_argument: 'TEXT_REFUSED',
    query_argument: 'TEXT_REFUSED',
    memo: 'NAME_REFUSED',
    search_attribute: 'NAME_REFUSED',
    workflow_id: 'NAME_REFUSED',
    update_id: 'NAME_REFUSED',
    terminate_reason: 'NAME_REFUSED',
    // Headers, log lines and details are dropped, replaced or left empty.
    start_header: 'done',
    signal_header: 'done',
    current_details: 'done',
    workflow_log_message: 'done',
    // Refused where it is made.
    update_result: 'TEXT_REFUSED',
    workflow_memo: 'TEXT_REFUSED',
    activity_argument: 'TEXT_REFUSED',
    activity_summary: 'TEXT_REFUSED',
    timer_summary: 'TEXT_REFUSED',
    activity_result: 'INTERNAL',
    activity_heartbeat: 'INTERNAL',
    // Errors keep a code.
    update_failure: 'INTERNAL',
    query_failure: 'INTERNAL',
    workflow_failure_message: 'INTERNAL',
    activity_error: 'INTERNAL',
    activity_error_code: 'INTERNAL',
    activity_object: 'INTERNAL',
    activity_failure_message: 'INTERNAL',
    activity_last_failure: 'INTERNAL',
    // A workflow that lets text out by itself makes no progress: loud, and nothing is written.
    workflow_error: 'task INTERNAL',
    workflow_object: 'task INTERNAL',
    workflow_result: 'task INTERNAL',
    query_result: 'stuck',
  });
});
