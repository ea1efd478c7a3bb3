/**
 * The frame of a run's workflow: a cancellation or a failure of the work is written into the run's row before the
 * workflow itself ends with it. A terminated workflow runs no code; the reconcile finds its row.
 */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  ContinueAsNew,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type { GovernanceActivities } from '../activities/contracts.ts';
import type { RunRef } from '../domain/pipeline/run-kinds.ts';
import { errorClassOf } from '../domain/actors/run-failure.ts';
import { governanceOptions } from './lanes.ts';

function codeOf(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure ? (cause.type ?? 'INTERNAL') : 'INTERNAL';
}

/** Does the work of the run, or ends its row as cancelled or failed and throws what the work threw. */
export async function withRunEndings<T>(
  { accountId, runId }: RunRef,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // The next run of the workflow goes on with the work.
    if (error instanceof ContinueAsNew) throw error;
    const { cancelRun, failRun } = proxyActivities<GovernanceActivities>(governanceOptions());
    await CancellationScope.nonCancellable(() =>
      isCancellation(error)
        ? cancelRun({ accountId, runId })
        : failRun({ accountId, runId, errorClass: errorClassOf(codeOf(error)) }),
    );
    throw error;
  }
}
