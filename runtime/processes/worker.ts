/** The worker process: workflows, all activity lanes, and a sweep. Stateless; scales out. */
import { createIngestActivities } from '../../activities/ingest.ts';
import { createMailboxWatcher } from '../../activities/mailbox-watcher.ts';
import { createProjectionActivities } from '../../activities/projection.ts';
import { createMailboxStore } from '../../stores/postgres/mailboxes.store.ts';
import { assertDatabaseUsable } from '../../stores/postgres/preconditions.ts';
import type { Config } from '../config/index.ts';
import { createContainer, type Container } from '../container/index.ts';
import { buildExtractionPipeline } from '../container/extraction.ts';
import { buildGovernanceActivities } from '../container/governance.ts';
import { errorFields, type Log } from '../logger.ts';
import { connectWhenServed } from '../temporal/native-connection.ts';
import { loadWorkflowBundle } from '../temporal/prebuilt-bundle.ts';
import { installRuntime } from '../temporal/runtime.ts';
import { startWorkers, type LaneActivities } from '../temporal/worker.ts';
import type { RunningProcess } from './run.ts';

function laneActivities(container: Container, log: Log, stopping: AbortSignal): LaneActivities {
  const mailboxes = createMailboxStore(container.db);
  const onError = (error: unknown): void => log.warn('drain.refresh_failed', errorFields(error));
  const watcher = createMailboxWatcher({
    withWork: (asked) => mailboxes.withWork(asked),
    onError: (error) => log.warn('watcher.failed', errorFields(error)),
  });
  const shared = { mailboxes, watcher, stopping, onError };
  return {
    ingest: createIngestActivities({
      ...shared,
      processor: buildExtractionPipeline(container, log),
    }),
    projection: createProjectionActivities({ ...shared, indexer: container.indexer }),
    governance: buildGovernanceActivities({
      db: container.db,
      doorbell: container.actors.doorbell,
    }),
  };
}

export async function startWorker(config: Config, log: Log): Promise<RunningProcess> {
  const bundle = loadWorkflowBundle();
  installRuntime(log);
  const stopping = new AbortController();
  const container = await createContainer(config, log, { identity: 'worker' });
  try {
    await assertDatabaseUsable(container.db);
    const { temporalAddress, namespace, queuePrefix, buildSha } = container.temporal;
    const connection = await connectWhenServed(temporalAddress, log, stopping.signal);
    const workers = await startWorkers({
      connection,
      namespace,
      queuePrefix,
      activities: laneActivities(container, log, stopping.signal),
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
        await container.close();
        await connection.close();
      },
    };
  } catch (error) {
    await container.close();
    throw error;
  }
}
