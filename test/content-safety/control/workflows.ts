/** Workflows that let a text out in every way there is. Test code only; runs in the sandbox. */
import {
  ApplicationFailure,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  log,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { leakyActivities } from './activities.ts';
import { leakText, type Leak } from './leaks.ts';

function text(leak: Leak): string {
  return leakText(workflowInfo().taskQueue, leak);
}

const limits = { startToCloseTimeout: '40s', heartbeatTimeout: '20s' } as const;
const { failsAndIsRetried } = proxyActivities<typeof leakyActivities>(limits);
const once = { ...limits, retry: { maximumAttempts: 1 } };
const activities = proxyActivities<typeof leakyActivities>(once);

/** Takes messages until it is terminated. */
export async function listens(): Promise<void> {
  setHandler(defineSignal<[string]>('told'), () => {});
  setHandler(defineUpdate<void, [string]>('changed'), () => {});
  setHandler(defineUpdate<string>('answers'), () => text('update_result'));
  setHandler(defineUpdate('fails'), () => {
    throw ApplicationFailure.nonRetryable(text('update_failure'), text('update_failure'));
  });
  setHandler(defineQuery<string>('answer'), () => text('query_result'));
  setHandler(defineQuery<string>('failure'), () => {
    throw new Error(text('query_failure'));
  });
  setHandler(defineQuery<string, [string]>('echo'), (asked) => {
    throw new Error(asked);
  });
  await condition(() => false);
}

export async function setsDetails(): Promise<void> {
  setCurrentDetails(text('current_details'));
  await condition(() => false);
}

export async function throwsError(): Promise<void> {
  throw new Error(text('workflow_error'), { cause: new Error(text('workflow_cause')) });
}

export async function throwsObject(): Promise<void> {
  const thrown: unknown = { note: text('workflow_object') };
  throw thrown;
}

export async function throwsFailure(): Promise<void> {
  throw ApplicationFailure.create({
    message: text('workflow_failure_message'),
    type: text('workflow_failure_type'),
    details: [text('workflow_failure_details')],
    cause: new Error(text('workflow_failure_cause')),
    nonRetryable: true,
  });
}

export async function returnsText(): Promise<string> {
  return text('workflow_result');
}

export async function changesMemo(): Promise<void> {
  upsertMemo({ note: text('workflow_memo') });
}

export async function logsText(): Promise<void> {
  log.warn(text('workflow_log_message'), { note: text('workflow_log_field') });
  await activities.logsText();
}

export async function summarisesTimer(): Promise<void> {
  await sleep(1, { summary: text('timer_summary') });
}

export async function summarisesActivity(): Promise<void> {
  const summarised = proxyActivities<typeof leakyActivities>({
    ...once,
    summary: text('activity_summary'),
  });
  await summarised.takesText();
}

export async function givesArgument(): Promise<void> {
  const { takesText } = proxyActivities<{ takesText(given: string): Promise<void> }>(once);
  await takesText(text('activity_argument'));
}

/** Calls the activity of that name and ends as it ends. */
export async function runsActivity(): Promise<unknown> {
  const [name] = workflowInfo().workflowId.split('/').slice(-1);
  const calls = [
    () => activities.throwsError(),
    () => activities.throwsErrorWithCode(),
    () => activities.throwsObject(),
    () => activities.throwsFailure(),
    () => activities.returnsText(),
    () => activities.heartbeatsText(),
    () => failsAndIsRetried(),
  ];
  return calls[Number(name) % 10]?.();
}
