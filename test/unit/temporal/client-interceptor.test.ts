import { describe, expect, test } from '@jest/globals';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import type { CreateScheduleInput, WorkflowSignalWithStartInput } from '@temporalio/client';
import {
  clientInterceptor,
  scheduleInterceptor,
} from '../../../runtime/temporal/client-interceptor.ts';

const accountId = '0199b2f0-7a10-7cc2-a5d6-0123456789ab';
const key = defineSearchAttributeKey('Lane', 'KEYWORD');

const unknownKey = defineSearchAttributeKey('Session', 'KEYWORD');

type Options = WorkflowSignalWithStartInput['options'];

function start(changes: Partial<Options> = {}): WorkflowSignalWithStartInput {
  const options = {
    workflowId: `ingest/${accountId}/0`,
    taskQueue: 'vouch-workflows',
    args: [],
    typedSearchAttributes: new TypedSearchAttributes([{ key, value: 'ingest' }]),
    ...changes,
  } as unknown as Options;
  return {
    workflowType: 'ingestActor',
    signalName: 'ring',
    signalArgs: [],
    headers: { baggage: { data: new Uint8Array([65]) } },
    options,
  };
}

async function sent(input: WorkflowSignalWithStartInput): Promise<WorkflowSignalWithStartInput> {
  let passed = input;
  const answer = await clientInterceptor.signalWithStart?.(input, async (next) => {
    passed = next;
    return 'run';
  });
  expect(answer).toBe('run');
  return passed;
}

function never(): Promise<never> {
  return Promise.reject(new Error('was sent'));
}

describe('the client interceptor', () => {
  test('lets calls of the service pass, without headers', async () => {
    expect(await sent(start())).toMatchObject({ headers: {}, signalName: 'ring' });
  });

  test.each([
    ['a session id as workflow id', { workflowId: 'ingest/session-7/0' }],
    ['a scope path as workflow id', { workflowId: '/sales/emea' }],
    ['an e-mail as queue', { taskQueue: 'anna@example.org' }],
    ['prose in the memo', { memo: { ok: 'Anna moved' } }],
    [
      'prose in a search attribute',
      { typedSearchAttributes: new TypedSearchAttributes([{ key, value: 'Anna moved' }]) },
    ],
    [
      'a chat id that could be a commit, in another attribute',
      { typedSearchAttributes: new TypedSearchAttributes([{ key, value: '1234567890' }]) },
    ],
    [
      'an attribute that is none of ours',
      { typedSearchAttributes: new TypedSearchAttributes([{ key: unknownKey, value: 'ingest' }]) },
    ],
  ])('refuses %s', async (_, changes: Partial<Options>) => {
    await expect(sent(start(changes))).rejects.toThrow('NAME_REFUSED');
  });

  test('refuses reasons and update ids that are prose', async () => {
    const workflowExecution = { workflowId: `ingest/${accountId}/0` };
    await expect(
      clientInterceptor.terminate?.({ workflowExecution, reason: 'Anna asked' }, never),
    ).rejects.toThrow('NAME_REFUSED');
    await expect(
      clientInterceptor.startUpdate?.(
        {
          updateName: 'setPaused',
          args: [],
          workflowExecution,
          headers: {},
          options: { updateId: 'because Anna asked' },
        },
        never,
      ),
    ).rejects.toThrow('NAME_REFUSED');
  });
});

describe('the interceptor of schedules', () => {
  type Schedule = CreateScheduleInput['options'];

  function schedule(changes: Partial<Schedule> = {}, action = {}): CreateScheduleInput {
    const options = {
      scheduleId: 'reconcile-hourly',
      spec: { intervals: [{ every: '1h' }] },
      action: {
        type: 'startWorkflow',
        workflowType: 'reconcileAccounts',
        workflowId: 'reconcile-hourly',
        taskQueue: 'vouch-workflows',
        args: [],
        typedSearchAttributes: [{ key, value: 'reconciler' }],
        ...action,
      },
      ...changes,
    } as unknown as Schedule;
    return { headers: { baggage: { data: new Uint8Array([65]) } }, options };
  }

  async function created(input: CreateScheduleInput): Promise<CreateScheduleInput> {
    let passed = input;
    await scheduleInterceptor.create?.(input, async (next) => {
      passed = next;
      return { conflictToken: new Uint8Array() };
    });
    return passed;
  }

  test('lets the schedule of the service pass, without headers', async () => {
    expect(await created(schedule())).toMatchObject({ headers: {} });
  });

  test.each([
    ['a name of a caller', schedule({ scheduleId: 'anna-hourly' })],
    ['prose in its note', schedule({ state: { note: 'Anna asked' } })],
    ['prose in its memo', schedule({ memo: { ok: 'Anna moved' } })],
    ['a session id as workflow id', schedule({}, { workflowId: 'session-7' })],
    ['an e-mail as queue', schedule({}, { taskQueue: 'anna@example.org' })],
    [
      'prose in a search attribute',
      schedule({}, { typedSearchAttributes: [{ key, value: 'Anna moved' }] }),
    ],
  ])('refuses %s', async (_, input: CreateScheduleInput) => {
    await expect(created(input)).rejects.toThrow('NAME_REFUSED');
  });
});
