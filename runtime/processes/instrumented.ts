/** What the API and the worker start with: a container with metrics and traces, and a listener for the metrics. */
import { TokenSharesStore } from '../../stores/postgres/models/token-shares.store.ts';
import { closedRoles } from '../../domain/models/token-limits.ts';
import type { Config } from '../config/index.ts';
import { createContainer, type Container, type ContainerOptions } from '../container/index.ts';
import type { Log } from '../../engine/logging/logger.ts';
import { createTelemetry, type Telemetry } from '../telemetry/index.ts';
import { withTraces } from '../telemetry/fan-out.ts';
import { openMetrics } from '../telemetry/listener.ts';
import { openTraces, type Traces } from '../telemetry/traces/index.ts';

/** Tells deployments and tests on shared servers apart. */
export type ProcessOptions = Pick<ContainerOptions, 'queuePrefix' | 'indexPrefix' | 'patienceMs'>;

export interface InstrumentedContainer {
  readonly container: Container;
  readonly telemetry: Telemetry;
  /** Null unless a collector is named. */
  readonly traces: Traces | null;
  /** Closes the container, then sends the last spans and closes the listener. */
  readonly close: () => Promise<void>;
}

/** @throws PreconditionError when a server is not named, or the named metrics port is taken. */
export async function openInstrumented(
  process: 'api' | 'worker',
  config: Config,
  log: Log,
  options: ProcessOptions,
): Promise<InstrumentedContainer> {
  const telemetry = createTelemetry({
    process,
    buildSha: config.settings.SERVICE_BUILD_SHA ?? 'dev',
  });
  const traces = openTraces(config.settings, process, log);
  const container = await createContainer(config, log, {
    ...options,
    identity: process,
    slowsCrowds: process === 'worker',
    observers: withTraces(telemetry, traces),
  });
  const { SERVICE_BUDGET_LIMITS_JSON: limits } = container.config.settings;
  for (const { limit, limitOf, outputTokens, role } of closedRoles(limits, config.models)) {
    log.warn('token_limits.below_one_call', {
      role,
      limit_of: limitOf,
      limit,
      output_tokens: outputTokens,
    });
  }
  const shares = new TokenSharesStore(container.db);
  telemetry.watch(container, () => shares.highest(limits));
  try {
    const metrics = await openMetrics(config.settings, telemetry, log);
    return {
      container,
      telemetry,
      traces,
      async close() {
        await container.close();
        await traces?.close();
        await metrics.close();
        telemetry.close();
      },
    };
  } catch (error) {
    telemetry.close();
    await container.close();
    throw error;
  }
}
