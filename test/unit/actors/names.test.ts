import { expect, test } from '@jest/globals';
import {
  laneQueue,
  mailboxWorkflowId,
  queuePrefixOf,
  RUN_WORKFLOW_KINDS,
  runWorkflowId,
  SCHEDULE_IDS,
  workflowQueue,
} from '../../../domain/actors/names.ts';
import { isActorId } from '../../../domain/workflow-history/safe-text.ts';

const accountId = '0199b2f0-7a10-7cc2-a5d6-0123456789ab';

test('an actor is named after its mailbox', () => {
  const id = mailboxWorkflowId({ accountId, kind: 'projection', shard: 3 });
  expect(id).toBe(`projection/${accountId}/3`);
  expect(isActorId(id)).toBe(true);
});

test.each(RUN_WORKFLOW_KINDS)('the workflow of a %s is named after the run', (kind) => {
  const id = runWorkflowId(kind, accountId);
  expect(id).toBe(`${kind}/${accountId}`);
  expect(isActorId(id)).toBe(true);
  for (const other of [`${id}/0`, `${kind}/run-7`, `${kind}/`, `${kind}/${accountId}x`]) {
    expect(isActorId(other)).toBe(false);
  }
});

test.each(SCHEDULE_IDS)('what %s starts is named after it and a time', (id) => {
  expect(isActorId(id)).toBe(true);
  expect(isActorId(`${id}-2026-11-21T20:00:00Z`)).toBe(true);
  for (const other of [
    `${id}-`,
    `${id}-anna`,
    `${id}-2026-11-21`,
    `${id}-2026-11-21T20:00:00Z-anna`,
    `${id}/${accountId}`,
    `x${id}`,
    `anna-hourly`,
  ]) {
    expect(isActorId(other)).toBe(false);
  }
});

test('no other workflow id is the id of an actor', () => {
  const id = `regate/${accountId}`;
  for (const other of [`${id}/0`, `ingest/${accountId}`, 'regate/run-7', `campaign/${accountId}`]) {
    expect(isActorId(other)).toBe(false);
  }
});

test('lanes are found from the workflow queue', () => {
  const prefix = queuePrefixOf(workflowQueue('vouch-test'));
  expect(laneQueue(prefix, 'ingest')).toBe('vouch-test-ingest');
  expect(queuePrefixOf('replay')).toBe('replay');
});
