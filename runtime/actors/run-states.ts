/** Asks Temporal for the state of the workflows of runs. */
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { runWorkflowId, type WorkflowKind } from '../../domain/actors/names.ts';
import type { WorkflowState } from '../../domain/pipeline/reconcile.ts';
import { boundedCall } from './actors.ts';

const DESCRIBE_DEADLINE_MS = 2_000;

const STATES: ReadonlyMap<string, WorkflowState> = new Map([
  ['RUNNING', 'open'],
  ['PAUSED', 'open'],
  ['CONTINUED_AS_NEW', 'open'],
  ['COMPLETED', 'completed'],
  ['CANCELLED', 'cancelled'],
  ['FAILED', 'failed'],
  ['TIMED_OUT', 'timed_out'],
  ['TERMINATED', 'terminated'],
]);

/** Asks for the latest execution. Throws when Temporal does not answer, or answers an unknown status. */
export function createWorkflowStates(
  client: Client,
): (kind: WorkflowKind, runId: string) => Promise<WorkflowState> {
  return async (kind, runId) => {
    try {
      const handle = client.workflow.getHandle(runWorkflowId(kind, runId));
      const { status } = await boundedCall(client, DESCRIBE_DEADLINE_MS, () => handle.describe());
      const state = STATES.get(status.name);
      if (state === undefined) throw new TypeError('an execution status of another server');
      return state;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return 'unknown';
      throw error;
    }
  };
}
