/**
 * The worker process: workflows, all activity lanes, the schedules, a sweep, the sealer of audit events, and the builder of
 * context cards. Stateless; scales out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { assertDatabaseUsable } from '../../stores/postgres/preconditions.ts';
import { ensureNamespaceAndSearchAttributes } from '../actors/search-attributes.ts';
import type { Config } from '../config/index.ts';
import { buildLaneActivities } from '../container/lanes.ts';
import type { Log } from '../../engine/logging/logger.ts';
import { loadWorkflowBundle } from '../temporal/prebuilt-bundle.ts';
import { installRuntime } from '../temporal/runtime.ts';
import { WorkerKeeper } from '../temporal/worker-keeper.ts';
import { startAuditSealing } from './audit-sealing.ts';
import { openInstrumented, type ProcessOptions } from './instrumented.ts';
import { startIndexMarks } from './index-marks.ts';
import { startUsage } from './usage.ts';
import { startContextCards } from './context-cards.ts';
import type { RunningProcess } from './run.ts';

/** How long a start waits for the workers to poll Temporal before the process counts as started. */
const POLLING_WITHIN_MS = 5_000;

/** What reads English takes a fifth of a second to load: here before work begins, not within it. */
async function loadExtractor(): Promise<void> {
  const { loadTagger } = await import('../../engine/english/tagger.ts');
  loadTagger();
}

export async function startWorker(
  config: Config,
  log: Log,
  options: ProcessOptions = {},
): Promise<RunningProcess> {
  const bundle = loadWorkflowBundle();
  installRuntime(log);
  const stopping = new AbortController();
  const opened = await openInstrumented('worker', config, log, options);
  const { container, telemetry, traces, close } = opened;
  try {
    await assertDatabaseUsable(container.db);
    await container.checkEmbedder();
    if (config.models.ingest_extractor.provider === 'deterministic') await loadExtractor();
    const { drains, pruned } = telemetry;
    const observed = { drains, pruned, tracing: traces?.batches };
    const { temporalAddress, namespace, queuePrefix, buildSha } = container.temporal;
    const { client, schedules, sweep } = container.actors;
    const workers = new WorkerKeeper({
      address: temporalAddress,
      prepare: () => ensureNamespaceAndSearchAttributes(client),
      namespace,
      queuePrefix,
      activities: buildLaneActivities(container, log, stopping.signal, observed),
      onActivityFailure: telemetry.activityFailed,
      bundle,
      log,
      identity: 'worker',
      buildSha,
    });
    sweep.start(() => {
      workers.renew();
      schedules.soon();
    });
    schedules.start();
    // Without Temporal the process runs on, and a signal can stop it.
    await Promise.race([workers.polling, sleep(POLLING_WITHIN_MS, undefined, { ref: false })]);
    const sealing = startAuditSealing({ db: container.db, log, observe: telemetry.auditSealed });
    const contextCards = startContextCards({
      db: container.db,
      gateway: container.gateway,
      log,
      observer: telemetry.contextCards,
    });
    const { environment, marks } = container;
    const indexMarks = startIndexMarks({
      db: container.db,
      marks,
      indexes: environment.indexes,
      log,
    });
    const usage = startUsage({ usage: container.usage, log });
    return {
      stopped: workers.stopped,
      async close() {
        stopping.abort();
        await Promise.all([
          sealing.close(),
          contextCards.close(),
          indexMarks.close(),
          usage.close(),
          workers.close(),
        ]);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
