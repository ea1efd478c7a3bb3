import { expect, test } from '@jest/globals';
import {
  laneQueue,
  mailboxWorkflowId,
  queuePrefixOf,
  runWorkflowId,
  workflowQueue,
} from '../../../domain/actors/names.ts';
import { isActorId } from '../../../domain/actors/safe-text.ts';

const accountId = '0199b2f0-7a10-7cc2-a5d6-0123456789ab';

test('an actor is named after its mailbox', () => {
  const id = mailboxWorkflowId({ accountId, kind: 'projection', shard: 3 });
  expect(id).toBe(`projection/${accountId}/3`);
  expect(isActorId(id)).toBe(true);
});

test('the workflow of a run is named after the run, and after nothing else', () => {
  const id = runWorkflowId('regate', accountId);
  expect(id).toBe(`regate/${accountId}`);
  expect(isActorId(id)).toBe(true);
  for (const other of [`${id}/0`, `ingest/${accountId}`, 'regate/run-7', `contest/${accountId}`]) {
    expect(isActorId(other)).toBe(false);
  }
});

test('lanes are found from the workflow queue', () => {
  const prefix = queuePrefixOf(workflowQueue('vouch-test'));
  expect(laneQueue(prefix, 'ingest')).toBe('vouch-test-ingest');
  expect(queuePrefixOf('replay')).toBe('replay');
});
