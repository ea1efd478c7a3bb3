/**
 * Starts the workflows of runs. A run has one workflow id for ever: one that runs is joined, one that completed
 * counts as started, one that failed or was cancelled may start again.
 */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import {
  RUN_WORKFLOWS,
  runWorkflowId,
  workflowQueue,
  type RunKind,
} from '../../domain/actors/names.ts';
import { counters } from '../../domain/actors/safe-text.ts';
import type { RegateStart } from '../../workflows/governance/messages.ts';
import { boundedCall, type ActorsOptions } from './actors.ts';
import { searchAttributesOf } from './search-attributes.ts';
import type { RunStarter } from './sweep.ts';

const START_DEADLINE_MS = 2_000;

function starterOf(kind: RunKind, { client, queuePrefix, buildSha }: ActorsOptions): RunStarter {
  const { workflowType, lane } = RUN_WORKFLOWS[kind];
  return async ({ accountId, runId }) => {
    const start: RegateStart = { accountId, runId, carried: null };
    try {
      await boundedCall(client, START_DEADLINE_MS, () =>
        client.workflow.start(workflowType, {
          workflowId: runWorkflowId(kind, runId),
          taskQueue: workflowQueue(queuePrefix),
          args: [start],
          workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
          workflowIdConflictPolicy: 'USE_EXISTING',
          staticSummary: counters({ rows: 0 }),
          staticDetails: counters({ rows: 0, placed: 0 }),
          typedSearchAttributes: searchAttributesOf({ lane, runKind: kind, accountId, buildSha }),
        }),
      );
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
}

/** A starter for each kind of run that this build knows. */
export function createRunStarters(options: ActorsOptions): ReadonlyMap<string, RunStarter> {
  return new Map([['regate', starterOf('regate', options)]]);
}
