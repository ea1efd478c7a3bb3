/** The worker process: workflows, all activity lanes, the schedules, and a sweep. Stateless; scales out. */
import { assertDatabaseUsable } from '../../stores/postgres/preconditions.ts';
import type { Config } from '../config/index.ts';
import { buildLaneActivities } from '../container/lanes.ts';
import type { Log } from '../logger.ts';
import { connectWhenServed } from '../temporal/native-connection.ts';
import { loadWorkflowBundle } from '../temporal/prebuilt-bundle.ts';
import { installRuntime } from '../temporal/runtime.ts';
import { startWorkers } from '../temporal/worker.ts';
import { openInstrumented, type ProcessOptions } from './instrumented.ts';
import type { RunningProcess } from './run.ts';

export async function startWorker(
  config: Config,
  log: Log,
  options: ProcessOptions = {},
): Promise<RunningProcess> {
  const bundle = loadWorkflowBundle();
  installRuntime(log);
  const stopping = new AbortController();
  const { container, telemetry, traces, close } = await openInstrumented(
    'worker',
    config,
    log,
    options,
  );
  try {
    await assertDatabaseUsable(container.db);
    const observed = { drains: telemetry.drains, tracing: traces?.batches };
    const { temporalAddress, namespace, queuePrefix, buildSha } = container.temporal;
    const connection = await connectWhenServed(temporalAddress, log, stopping.signal);
    const workers = await startWorkers({
      connection,
      namespace,
      queuePrefix,
      activities: buildLaneActivities(container, log, stopping.signal, observed),
      onActivityFailure: telemetry.activityFailed,
      bundle,
      log,
      identity: 'worker',
      buildSha,
    });
    container.actors.sweep.start();
    container.actors.schedules.start();
    return {
      stopped: workers.stopped,
      async close() {
        stopping.abort();
        await workers.close();
        await close();
        await connection.close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
