/** The API process: HTTP door, doorbell and sweep. Scales out; holds no state but caches of seconds. */
import { createApp } from '../../api/app.ts';
import { addressRules } from '../../api/mcp/address.ts';
import { startServer } from '../../api/server.ts';
import { operations } from '../../operations/registry.ts';
import { assertDatabaseUsable } from '../../stores/postgres/preconditions.ts';
import type { Config } from '../config/index.ts';
import type { Log } from '../../engine/logging/logger.ts';
import { openInstrumented, type ProcessOptions } from './instrumented.ts';
import { startUsage } from './usage.ts';
import type { RunningProcess } from './run.ts';

const DEFAULT_PORT = 4000;

/** The address of a service that has no public one: itself, on the machine it runs on. */
function localUrl(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export async function startApi(
  config: Config,
  log: Log,
  options: ProcessOptions = {},
): Promise<RunningProcess> {
  const { settings } = config;
  const port = settings.SERVICE_PORT ?? DEFAULT_PORT;
  const opened = await openInstrumented('api', config, log, options);
  const { container, telemetry, traces, close } = opened;
  try {
    await assertDatabaseUsable(container.db);
    await container.checkEmbedder();
    const app = createApp({
      environment: container.environment,
      log,
      operations,
      observer: telemetry.requests,
      tracing: traces?.requests,
      config: {
        ratePerSecond: settings.SERVICE_RATE_LIMIT_PER_SECOND ?? null,
        trustedProxies: settings.SERVICE_TRUSTED_PROXIES ?? null,
        address: addressRules(
          settings.SERVICE_PUBLIC_URL ?? localUrl(settings.SERVICE_HOST, port),
          settings.SERVICE_ALLOWED_ORIGINS,
        ),
        publicHttps: settings.SERVICE_PUBLIC_URL?.startsWith('https:') ?? false,
      },
    });
    const server = await startServer(app, {
      host: settings.SERVICE_HOST,
      port,
    });
    container.actors.sweep.start();
    const usage = startUsage({ usage: container.usage, log });
    return {
      stopped: new Promise(() => undefined),
      async close() {
        await server.close();
        await usage.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
