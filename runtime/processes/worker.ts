/** The worker process: workflows, all activity lanes, and a sweep. Stateless; scales out. */
import { createIngestActivities } from '../../activities/ingest.ts';
import { createMailboxWatcher } from '../../activities/mailbox-watcher.ts';
import type { BatchTracing, DrainObserver } from '../../activities/observer.ts';
import { createProjectionActivities } from '../../activities/projection.ts';
import { createMailboxStore } from '../../stores/postgres/mailboxes.store.ts';
import { assertDatabaseUsable } from '../../stores/postgres/preconditions.ts';
import type { Config } from '../config/index.ts';
import type { Container } from '../container/index.ts';
import { buildExtractionPipeline } from '../container/extraction.ts';
import { buildGovernanceActivities } from '../container/governance.ts';
import { errorFields, type Log } from '../logger.ts';
import { bundleWorkflows } from '../temporal/bundle.ts';
import { connectWhenServed } from '../temporal/native-connection.ts';
import { installRuntime } from '../temporal/runtime.ts';
import { startWorkers, type LaneActivities } from '../temporal/worker.ts';
import { openInstrumented, type ProcessOptions } from './instrumented.ts';
import type { RunningProcess } from './run.ts';

function laneActivities(
  container: Container,
  observed: { readonly drains: DrainObserver; readonly tracing: BatchTracing | undefined },
  log: Log,
  stopping: AbortSignal,
): LaneActivities {
  const mailboxes = createMailboxStore(container.db);
  const onError = (error: unknown): void => log.warn('drain.refresh_failed', errorFields(error));
  const watcher = createMailboxWatcher({
    withWork: (asked) => mailboxes.withWork(asked),
    onError: (error) => log.warn('watcher.failed', errorFields(error)),
  });
  const { drains: observer, tracing } = observed;
  const shared = { mailboxes, watcher, stopping, onError, observer, tracing };
  return {
    ingest: createIngestActivities({
      ...shared,
      processor: buildExtractionPipeline(container, log),
    }),
    projection: createProjectionActivities({
      ...shared,
      indexer: container.indexer,
    }),
    governance: buildGovernanceActivities({
      db: container.db,
      doorbell: container.actors.doorbell,
    }),
  };
}

export async function startWorker(
  config: Config,
  log: Log,
  options: ProcessOptions = {},
): Promise<RunningProcess> {
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
    const [bundle, connection] = await Promise.all([
      bundleWorkflows(log),
      connectWhenServed(temporalAddress, log, stopping.signal),
    ]);
    const workers = await startWorkers({
      connection,
      namespace,
      queuePrefix,
      activities: laneActivities(container, observed, log, stopping.signal),
      onActivityFailure: telemetry.activityFailed,
      bundle,
      log,
      identity: 'worker',
      buildSha,
    });
    container.actors.sweep.start();
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
