/**
 * Starts the workflows of runs. A run keeps one workflow id for ever. A workflow of that id that runs counts as started.
 * One that has ended may start again, also when it completed: a restored backup may know less than Temporal, and of a run
 * that is over the first activity finds so in its row and does nothing.
 */
import type { RunRef } from '../../domain/pipeline/run-kinds.ts';
import {
  RUN_WORKFLOW_KINDS,
  RUN_WORKFLOWS,
  runWorkflowId,
  workflowQueue,
  type WorkflowKind,
} from '../../domain/actors/names.ts';
import { zeroCounters } from '../../domain/workflow-history/safe-text.ts';
import { boundedCall, type ActorsOptions } from './actors.ts';
import { searchAttributesOf } from './search-attributes.ts';
import type { RunStarter } from './sweep.ts';

const START_DEADLINE_MS = 2_000;

function starterOf(
  kind: WorkflowKind,
  { client, queuePrefix, buildSha }: ActorsOptions,
): RunStarter {
  const { workflowType, lane, counters } = RUN_WORKFLOWS[kind];
  return async ({ accountId, runId }) => {
    const start: RunRef = { accountId, runId };
    await boundedCall(client, START_DEADLINE_MS, () =>
      client.workflow.start(workflowType, {
        workflowId: runWorkflowId(kind, runId),
        taskQueue: workflowQueue(queuePrefix),
        args: [start],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: zeroCounters(counters.slice(0, 1)),
        staticDetails: zeroCounters(counters),
        typedSearchAttributes: searchAttributesOf({ lane, runKind: kind, accountId, buildSha }),
      }),
    );
  };
}

/** A starter for each kind of run that this build knows. */
export function createRunStarters(options: ActorsOptions): ReadonlyMap<string, RunStarter> {
  return new Map(RUN_WORKFLOW_KINDS.map((kind) => [kind, starterOf(kind, options)]));
}
