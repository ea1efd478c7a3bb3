/**
 * The metrics of a process: one registry of its own, the observers that fill it, and its text. Labels are words
 * of closed lists; none holds an account, a name or an id.
 */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { RequestObserver } from '../../api/request-observer.ts';
import type { AnswerObserver, RecallObserver } from '../../engine/answers/observer.ts';
import type { SealReport } from '../../engine/audit/sealer.ts';
import type { ModelObserver } from '../../engine/models/observer.ts';
import type { ContextCardObserver } from '../../engine/context-cards/observer.ts';
import type { OnPruned } from '../../engine/retention/retention.ts';
import type { SearchObserver } from '../../engine/retrieval/observer.ts';
import type { SourceSearchObserver } from '../../engine/source-search/observer.ts';
import { createAnswerMetrics } from './answer-metrics.ts';
import { createAuditMetrics } from './audit-metrics.ts';
import { createObservationMetrics, type OnRecorded } from './observation-metrics.ts';
import { createLaneMetrics, type LaneMetrics } from './lane-metrics.ts';
import { watchLoop } from './loop-metrics.ts';
import { createModelMetrics } from './model-metrics.ts';
import { watchProcess, type ProcessParts } from './process-metrics.ts';
import { watchTokenShares } from './token-metrics.ts';
import type { TokenShare } from '../../domain/models/token-limits.ts';
import { watchQueues, type QueueCounts } from './queue-metrics.ts';
import { watchDisks, type DiskFolders } from './disk-metrics.ts';
import { createContextCardMetrics } from './context-card-metrics.ts';
import { createQuestionMetrics, type OnAsked } from './question-metrics.ts';
import { createRequestMetrics } from './request-metrics.ts';
import {
  createRetentionMetrics,
  watchRetention,
  type LastRetentionOf,
} from './retention-metrics.ts';
import { createSearchMetrics } from './search-metrics.ts';
import { createSourceSearchMetrics } from './source-search-metrics.ts';

/** The observers that the container hands to the parts that do the work. */
export interface Observers {
  readonly models: ModelObserver;
  readonly recorded: OnRecorded;
  readonly questions: OnAsked;
  readonly searches: SearchObserver;
  readonly answers: AnswerObserver & RecallObserver;
  readonly sourceSearches: SourceSearchObserver;
}

export interface Telemetry extends Observers, LaneMetrics {
  readonly requests: RequestObserver;
  readonly auditSealed: (report: SealReport) => void;
  readonly contextCards: ContextCardObserver;
  readonly pruned: OnPruned;
  /** Adds the metrics that are read at a scrape. Call it once, when the container is built. */
  watch(
    container: ProcessParts & {
      readonly environment: { readonly readiness: QueueCounts & LastRetentionOf };
      readonly disks: DiskFolders;
    },
    tokenShares: () => Promise<readonly TokenShare[]>,
  ): void;
  /** Ends the timer that `watch` began. */
  close(): void;
  readonly contentType: string;
  /** The metrics as Prometheus text. */
  text(): Promise<string>;
}

/** Removed, because it would tell readers of the metrics which runtime is installed. */
const UNTOLD = 'nodejs_version_info';

export function createTelemetry(options: {
  readonly process: 'api' | 'worker';
  /** A commit id, or `dev`. */
  readonly buildSha: string;
}): Telemetry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registry.removeSingleMetric(UNTOLD);
  const build = new Gauge({
    name: 'vouch_build_info',
    help: 'Always 1; says what runs.',
    labelNames: ['process', 'build'],
    registers: [registry],
  });
  build.set({ process: options.process, build: options.buildSha }, 1);
  const readings: (() => Promise<void>)[] = [];
  let unwatchLoop: (() => void) | null = null;
  return {
    ...createLaneMetrics(registry),
    requests: createRequestMetrics(registry),
    auditSealed: createAuditMetrics(registry),
    contextCards: createContextCardMetrics(registry),
    pruned: createRetentionMetrics(registry),
    models: createModelMetrics(registry),
    recorded: createObservationMetrics(registry),
    questions: createQuestionMetrics(registry),
    searches: createSearchMetrics(registry),
    answers: createAnswerMetrics(registry),
    sourceSearches: createSourceSearchMetrics(registry),
    watch(container, tokenShares) {
      watchProcess(registry, container);
      unwatchLoop = watchLoop(registry);
      readings.push(watchQueues(registry, container.environment.readiness));
      readings.push(watchRetention(registry, container.environment.readiness));
      readings.push(watchDisks(registry, container.disks));
      readings.push(watchTokenShares(registry, tokenShares));
    },
    close: () => unwatchLoop?.(),
    contentType: registry.contentType,
    async text() {
      await Promise.all(readings.map((read) => read()));
      return registry.metrics();
    },
  };
}
