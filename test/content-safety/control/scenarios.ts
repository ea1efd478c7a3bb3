/** Calls that let each text out, and what became of each call. All of them are bounded. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { v7 as newId } from 'uuid';
import { FAILURE_CODES } from '../../../domain/workflow-history/vocabulary.ts';
import type { ControlProcess } from './layers.ts';
import { leakText, type Leak, type Place } from './leaks.ts';

const BOUND_MS = 12_000;
const lane = defineSearchAttributeKey('Lane', 'KEYWORD');

export interface Scene {
  readonly control: ControlProcess;
  readonly taskQueue: string;
  /** Keeps what was seen for the scanner. */
  keep(place: Place, value: unknown): void;
}

type StartOptions = Partial<Parameters<Client['workflow']['start']>[1]>;

/** Everything that an error holds for the code that catches it. */
export function errorTexts(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { message, stack, cause, ...members } = Object(error);
  return { ...members, text: [message, stack], cause: errorTexts(cause) };
}

/** Of gRPC. */
const DEADLINE_EXCEEDED = 4;
/** How long before the deadline a server may give up. */
const SERVER_GIVES_UP_MS = 1_000;

/** The code an error carries, or how it is called when it carries none. */
function codeOf(error: unknown): string {
  for (let at = error; typeof at === 'object' && at !== null; at = Reflect.get(at, 'cause')) {
    for (const text of [Reflect.get(at, 'type'), Reflect.get(at, 'message')]) {
      if (typeof text === 'string' && FAILURE_CODES.has(text)) return text;
    }
  }
  return 'other';
}

class Stage {
  readonly #scene: Scene;
  constructor(scene: Scene) {
    this.#scene = scene;
  }

  text(leak: Leak): string {
    return leakText(this.#scene.taskQueue, leak);
  }

  start(type: string, options: StartOptions = {}, last = 0): Promise<WorkflowHandle> {
    return this.#scene.control.client.workflow.start(type, {
      workflowId: `ingest/${newId()}/${last}`,
      taskQueue: this.#scene.taskQueue,
      workflowRunTimeout: '2 minutes',
      args: [],
      ...options,
    });
  }

  /** Calls and keeps the answer; answers `done`, the code of the error, or `stuck` when none came. */
  async outcome(call: () => Promise<unknown>): Promise<string> {
    const { client } = this.#scene.control;
    const giveUpAt = Date.now() + BOUND_MS;
    try {
      const answer = await client.withDeadline(giveUpAt, call);
      this.#scene.keep('answer', answer);
      return 'done';
    } catch (error) {
      this.#scene.keep('answer', errorTexts(error));
      // The server is told of the deadline too, and may be the one that gives up, under a code of its own.
      const isOver = Date.now() >= giveUpAt - SERVER_GIVES_UP_MS;
      const code = Reflect.get(Object(Reflect.get(Object(error), 'cause')), 'code');
      return code === DEADLINE_EXCEEDED || isOver ? 'stuck' : codeOf(error);
    }
  }

  /** Runs a workflow to its end, or until one of its tasks has failed: that is tried again without end. */
  async end(type: string, last = 0): Promise<string> {
    const handle = await this.start(type, {}, last);
    const result = this.outcome(() => handle.result());
    const giveUp = new AbortController();
    const failedTask = this.#failedTask(handle, giveUp.signal);
    const outcome = await Promise.race([result, failedTask]);
    giveUp.abort();
    await handle.terminate('CANCELLED').catch(() => undefined);
    await Promise.all([result, failedTask]);
    return outcome;
  }

  async #failedTask(handle: WorkflowHandle, signal: AbortSignal): Promise<string> {
    while (!signal.aborted) {
      const { events } = await handle.fetchHistory();
      for (const event of events ?? []) {
        const failure = event.workflowTaskFailedEventAttributes?.failure;
        if (failure) return `task ${codeOf({ message: failure.message })}`;
      }
      await sleep(200);
    }
    return 'none';
  }

  /** Looks at an activity while it runs or waits for its next attempt, then ends the workflow. */
  async pending(last: number): Promise<string> {
    const handle = await this.start('runsActivity', {}, last);
    const giveUpAt = performance.now() + BOUND_MS;
    while (performance.now() < giveUpAt) {
      const { raw } = await handle.describe();
      const [activity] = raw.pendingActivities ?? [];
      if (activity?.heartbeatDetails ?? activity?.lastFailure) {
        this.#scene.keep('visibility', raw);
        await handle.terminate('CANCELLED');
        return codeOf({ message: activity?.lastFailure?.message });
      }
      if (raw.workflowExecutionInfo?.closeTime) return this.outcome(() => handle.result());
      await sleep(100);
    }
    await handle.terminate('CANCELLED');
    return 'nothing seen';
  }
}

type Act = (stage: Stage) => Promise<string>;

const starting =
  (options: (text: string) => StartOptions, leak: Leak): Act =>
  (stage) =>
    stage.outcome(() => stage.start('listens', options(stage.text(leak))));

const telling =
  (call: (handle: WorkflowHandle, text: string) => Promise<unknown>, leak: Leak): Act =>
  async (stage) => {
    const handle = await stage.start('listens');
    return stage.outcome(() => call(handle, stage.text(leak)));
  };

const asking = (query: string): Act => telling((handle) => handle.query(query), 'query_result');
const ending =
  (type: string, last?: number): Act =>
  (stage) =>
    stage.end(type, last);

/** What is done, by the name of the first text that it lets out. */
export const ACTS: Readonly<Record<string, Act>> = {
  start_argument: starting((text) => ({ args: [text] }), 'start_argument'),
  memo: starting((text) => ({ memo: { ok: text } }), 'memo'),
  search_attribute: starting(
    (value) => ({ typedSearchAttributes: new TypedSearchAttributes([{ key: lane, value }]) }),
    'search_attribute',
  ),
  workflow_id: starting((workflowId) => ({ workflowId }), 'workflow_id'),
  static_summary: starting((staticSummary) => ({ staticSummary }), 'static_summary'),
  static_details: starting((staticDetails) => ({ staticDetails }), 'static_details'),
  start_header: starting(() => ({}), 'start_header'),
  signal_argument: telling((handle, text) => handle.signal('told', text), 'signal_argument'),
  signal_header: telling((handle) => handle.signal('told'), 'signal_header'),
  update_argument: telling(
    (handle, text) => handle.executeUpdate('changed', { args: [text] }),
    'update_argument',
  ),
  update_id: telling(
    (handle, updateId) => handle.executeUpdate('changed', { updateId }),
    'update_id',
  ),
  update_result: telling((handle) => handle.executeUpdate('answers'), 'update_result'),
  update_failure: telling((handle) => handle.executeUpdate('fails'), 'update_failure'),
  query_argument: telling((handle, text) => handle.query('echo', text), 'query_argument'),
  query_result: asking('answer'),
  query_failure: asking('failure'),
  current_details: async (stage) => {
    const handle = await stage.start('setsDetails');
    return stage.outcome(() => handle.query('__temporal_workflow_metadata'));
  },
  terminate_reason: telling((handle, text) => handle.terminate(text), 'terminate_reason'),
  workflow_error: ending('throwsError'),
  workflow_object: ending('throwsObject'),
  workflow_failure_message: ending('throwsFailure'),
  workflow_result: ending('returnsText'),
  workflow_memo: ending('changesMemo'),
  workflow_log_message: ending('logsText'),
  timer_summary: ending('summarisesTimer'),
  activity_summary: ending('summarisesActivity'),
  activity_argument: ending('givesArgument'),
  activity_error: ending('runsActivity', 0),
  activity_error_code: ending('runsActivity', 1),
  activity_object: ending('runsActivity', 2),
  activity_failure_message: ending('runsActivity', 3),
  activity_result: ending('runsActivity', 4),
  activity_heartbeat: (stage) => stage.pending(5),
  activity_last_failure: (stage) => stage.pending(6),
};

/** Does all of it, side by side, and what the process itself writes. Answers what became of each call. */
export async function playAll(scene: Scene): Promise<Readonly<Record<string, string>>> {
  const stage = new Stage(scene);
  const { log } = scene.control;
  log.warn(stage.text('process_log_event'));
  log.warn('control.line', { note: stage.text('process_log_field') });
  log.warn('control.line', { [stage.text('process_log_field_name')]: 1 });
  scene.keep('answer', await scene.control.telemetry.offer((leak) => stage.text(leak)));
  const outcomes = await Promise.all(
    Object.entries(ACTS).map(async ([name, act]) => [name, await act(stage)] as const),
  );
  return Object.fromEntries(outcomes);
}
