/** The native part of the SDK, configured once per process before the first worker. */
import { Runtime } from '@temporalio/worker';
import type { Log } from '../../engine/logging/logger.ts';
import { createSdkLogger } from './sdk-logger.ts';

/**
 * Must be called once, before any worker or native connection. The SDK handles no signals, because the process decides
 * the order in which its parts stop. Worker heartbeats are off, because they carry the host's name.
 */
export function installRuntime(log: Log): void {
  Runtime.install({
    logger: createSdkLogger(log),
    shutdownSignals: [],
    workerHeartbeatInterval: 0,
    telemetryOptions: {
      // Without `forward` the native part would write its lines to stderr as coloured text.
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
    },
  });
}
