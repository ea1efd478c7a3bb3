/** What a scrape shows of a service in which everything has happened once. */
import type { RunCount } from '../../../stores/postgres/readiness.store.ts';
import { createTelemetry } from '../../../runtime/telemetry/index.ts';
import { parsePrometheus, type Sample } from '../../support/prometheus.ts';
import { SWEEP_KINDS } from '../../../domain/governance/sweeps.ts';

type Watched = Parameters<ReturnType<typeof createTelemetry>['watch']>[0];

const pass = { completedAt: null, waitedSeconds: 30 };
const run: RunCount = { kind: 'regate', status: 'running', total: 1, oldest_age_seconds: 3 };

/** All figures that are read at a scrape, of a service that has work. */
const watched: Watched = {
  db: {
    state: () => ({
      acquiredConnections: 1,
      idleConnections: 1,
      pendingConnections: 0,
      pendingDestroyConnections: 0,
      pendingReleaseConnections: 0,
      state: 'ACTIVE',
      waitingClients: 0,
    }),
  },
  actors: {
    doorbell: { counts: () => ({ rung: 1, awake: 1, unanswered: 0, failed: 0 }) },
    sweep: { counts: () => ({ passes: 1, failed: 0, rung: 1, dispatched: 1 }) },
  },
  environment: {
    readiness: {
      anchors: async () => [],
      marks: async () => [],
      runs: async () => [run],
      overdueReviews: async () => [],
      oldestErasureSeconds: async () => 0,
      lastSweeps: async () => ({
        passes: Object.fromEntries(SWEEP_KINDS.map((kind) => [kind, pass])) as Record<
          (typeof SWEEP_KINDS)[number],
          typeof pass
        >,
        failedAccounts: 0,
        setAside: 0,
      }),
      lastRetention: async () => ({ completedAt: null, waitedSeconds: 0, failedAccounts: 0 }),
      unsealedAuditSeconds: async () => 0,
      waitingContextCardSeconds: async () => 0,
    },
  },
  disks: { data: process.cwd() },
};

/** The samples of an API and of a worker. */
export async function scrapeOfBusyService(): Promise<readonly Sample[]> {
  const texts = await Promise.all(
    (['api', 'worker'] as const).map(async (process) => {
      const telemetry = createTelemetry({ process, buildSha: 'dev' });
      telemetry.watch(watched, async () => [{ role: '*', metric: 'input_tokens', share: 0.5 }]);
      try {
        for (const route of ['/api/v1/ingest', '/api/v1/search', '/api/ready']) {
          for (const status of [202, 503]) {
            telemetry.requests.request({ method: 'POST', route, status, durationMs: 5 });
          }
        }
        const provider = { role: 'embedder', provider: 'openai-compatible' } as const;
        telemetry.models.attempt({
          ...provider,
          status: 'success',
          errorClass: null,
          durationMs: 5,
          anchors: 1,
          tokens: { input: 1, output: 1, embedding: 1 },
        });
        telemetry.models.circuit({
          ...provider,
          accountId: 'a',
          model: 'm',
          modelVersion: '1',
          event: 'opened',
          consecutiveFailures: 5,
        });
        return parsePrometheus(await telemetry.text()).samples;
      } finally {
        telemetry.close();
      }
    }),
  );
  return texts.flat();
}
