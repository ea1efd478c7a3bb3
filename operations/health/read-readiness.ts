/**
 * Whether every component can do its part. All checks run at once, each bounded to two seconds, so the
 * report arrives whatever is away. Holds counts, identities and words of closed lists; no content, no ids.
 */
import { z } from 'zod';
import { OVERDUE_SWEEP_SECONDS } from '../../domain/governance/sweeps.ts';
import { LATE_RETENTION_SECONDS } from '../../domain/retention/policy.ts';
import { APP_NAME, READY_IDENTITY } from '../../domain/identities.ts';
import type {
  AnchorCount,
  AttemptCount,
  GovernanceCounts,
  LastRetention,
  LastSweeps,
  MarkCount,
  RunCount,
} from '../../stores/postgres/readiness.store.ts';
import { defineOperation } from '../operation.ts';
import { bounded, statusOf, type Checked } from './bounded.ts';
import { embeddingIndexCheck, modelRolesCheck } from './configured-models.ts';
import { MODEL_CALLS_WINDOW_SECONDS, modelCalls } from './model-calls.ts';
import type { ReadinessSources } from '../environment/readiness-sources.ts';
import { queueDepths } from './queue-depths.ts';
import { readinessReport, type ReadinessChecks, type ReadinessReport } from './report.ts';
import { unfinishedRuns } from './unfinished-runs.ts';

/** The first failure of several checks; fine when all are. */
function together(...parts: readonly Checked<unknown>[]): Checked<null> {
  return parts.find((part) => !part.ok) ?? { ok: true, value: null };
}

function queuesCheck(
  anchors: Checked<readonly AnchorCount[]>,
  marks: Checked<readonly MarkCount[]>,
  runs: Checked<readonly RunCount[]>,
): ReadinessChecks['queues'] {
  const known = anchors.ok && marks.ok && runs.ok;
  return {
    ...statusOf(together(anchors, marks, runs)),
    depths: known ? queueDepths(anchors.value, marks.value, runs.value) : {},
  };
}

function pipelineRunsCheck(
  anchors: Checked<readonly AnchorCount[]>,
  runs: Checked<readonly RunCount[]>,
): ReadinessChecks['pipeline_runs'] {
  const known = anchors.ok && runs.ok;
  return {
    ...statusOf(together(anchors, runs)),
    unfinished: known ? unfinishedRuns(anchors.value, runs.value) : {},
  };
}

function sweepsCheck(sweeps: Checked<LastSweeps>): ReadinessChecks['lifecycle_sweeps'] {
  if (!sweeps.ok) {
    const last_completed_at = {
      revalidation: 'never',
      expiry: 'never',
      ageing: 'never',
      questions: 'never',
    } as const;
    return { ...statusOf(sweeps), last_completed_at, failed_accounts: null, set_aside: null };
  }
  const { failedAccounts, passes, setAside } = sweeps.value;
  const isLate = Object.values(passes).some(
    ({ waitedSeconds }) => waitedSeconds > OVERDUE_SWEEP_SECONDS,
  );
  return {
    ...(isLate ? { status: 'error', error_class: 'request_timeout' } : { status: 'ok' }),
    last_completed_at: {
      revalidation: passes.revalidation.completedAt ?? 'never',
      expiry: passes.expiry.completedAt ?? 'never',
      ageing: passes.ageing.completedAt ?? 'never',
      questions: passes.questions.completedAt ?? 'never',
    },
    failed_accounts: failedAccounts,
    set_aside: setAside,
  };
}

function retentionCheck(last: Checked<LastRetention>): ReadinessChecks['retention'] {
  if (!last.ok) {
    return { ...statusOf(last), last_completed_at: 'never', late: null, failed_accounts: null };
  }
  const { completedAt, failedAccounts, waitedSeconds } = last.value;
  return {
    status: 'ok',
    last_completed_at: completedAt ?? 'never',
    late: waitedSeconds > LATE_RETENTION_SECONDS,
    failed_accounts: failedAccounts,
  };
}

function modelCallsCheck(
  attempts: Checked<readonly AttemptCount[]>,
): ReadinessChecks['model_calls'] {
  if (attempts.ok) return { status: 'ok', ...modelCalls(attempts.value) };
  return {
    ...statusOf(attempts),
    window_seconds: MODEL_CALLS_WINDOW_SECONDS,
    attempts: null,
    errors: null,
    error_rate: null,
    unmetered: null,
    error_classes: {},
  };
}

function governanceView(counts: Checked<GovernanceCounts>): ReadinessReport['governance'] {
  if (counts.ok) return { status: 'ok', ...counts.value };
  return {
    status: 'error',
    error_class: counts.errorClass,
    unattended: null,
    pending_human_reviews: null,
    restricted_withheld: null,
  };
}

async function readChecks(
  health: ReadinessSources,
  now: Date,
): Promise<{ checks: ReadinessChecks; governance: ReadinessReport['governance'] }> {
  const since = new Date(now.getTime() - MODEL_CALLS_WINDOW_SECONDS * 1000);
  const [
    [database, jobQueue, meilisearch, qdrant],
    [anchors, marks, runs, sweeps, retention],
    [attempts, indexes, governance],
  ] = await Promise.all([
    Promise.all([
      bounded(() => health.database()),
      bounded(() => health.jobQueue()),
      bounded(() => health.meilisearch()),
      bounded(() => health.qdrant()),
    ]),
    Promise.all([
      bounded(() => health.anchors()),
      bounded(() => health.marks()),
      bounded(() => health.runs()),
      bounded(() => health.lastSweeps()),
      bounded(() => health.lastRetention()),
    ]),
    Promise.all([
      bounded(() => health.attempts(since)),
      bounded(() => health.vectorIndexes()),
      bounded(() => health.governance()),
    ]),
  ]);
  const checks: ReadinessChecks = {
    database: statusOf(database),
    job_queue: statusOf(jobQueue),
    queues: queuesCheck(anchors, marks, runs),
    lifecycle_sweeps: sweepsCheck(sweeps),
    retention: retentionCheck(retention),
    model_roles: modelRolesCheck(health.modelRoles()),
    model_calls: modelCallsCheck(attempts),
    embedding_index: embeddingIndexCheck(
      health.vectorSpace(),
      indexes,
      health.answeredDimensions?.() ?? null,
    ),
    search_index: {
      ...statusOf(together(meilisearch, qdrant)),
      meilisearch: statusOf(meilisearch),
      qdrant: statusOf(qdrant),
    },
    pipeline_runs: pipelineRunsCheck(anchors, runs),
  };
  return { checks, governance: governanceView(governance) };
}

/** Model calls and the retention only inform; every other component decides. A component that does not apply is no failure. */
function isReady({
  model_calls: _calls,
  retention: _retention,
  ...deciding
}: ReadinessChecks): boolean {
  return Object.values(deciding).every(({ status }) => status !== 'error');
}

export const readReadiness = defineOperation({
  id: 'readiness.read',
  access: 'public',
  effect: 'read',
  summary: 'Check that every component works',
  description:
    'Returns 200 if every component is in order, and otherwise 503 with the same report. People, alerts and start scripts read the report. Load balancers should use `/api/health`.',
  input: z.object({}),
  output: readinessReport,
  run: async ({ readiness, now }): Promise<ReadinessReport> => {
    const { checks, governance } = await readChecks(readiness, now);
    return {
      status: isReady(checks) ? 'ready' : 'not_ready',
      app: APP_NAME,
      version: READY_IDENTITY,
      checks,
      governance,
    };
  },
});
