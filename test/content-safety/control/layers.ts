/** The two ways in which the control runs: as the SDK comes, and as this program sets it up. */
import { inspect } from 'node:util';
import { fileURLToPath } from 'node:url';
import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { pino } from 'pino';
import { createLog, type Log } from '../../../engine/logging/logger.ts';
import { createSafeErrors } from '../../../runtime/temporal/activity-interceptor.ts';
import { clientInterceptor } from '../../../runtime/temporal/client-interceptor.ts';
import {
  dataConverter,
  failureConverterPath,
  payloadConverterPath,
} from '../../../runtime/temporal/data-converter.ts';
import { installRuntime } from '../../../runtime/temporal/runtime.ts';
import { createSdkLogger } from '../../../runtime/temporal/sdk-logger.ts';
import { leakyActivities } from './activities.ts';
import { ownTelemetry, plainTelemetry, type ControlTelemetry } from './telemetry.ts';

export interface Surroundings {
  readonly address: string;
  readonly namespace: string;
  readonly taskQueue: string;
  readonly logFile: string;
  /** A header that every call is given before any interceptor of ours sees it. */
  readonly leakyHeaders: WorkflowClientInterceptor;
}

export interface ControlProcess {
  readonly client: Client;
  readonly log: Log;
  readonly telemetry: ControlTelemetry;
  close(): Promise<void>;
}

const workflowsPath = fileURLToPath(new URL('./workflows.ts', import.meta.url));

async function start(
  around: Surroundings,
  layers: {
    readonly converters: { readonly dataConverter?: typeof dataConverter };
    readonly paths: object;
    readonly interceptors: Partial<WorkerOptions>;
    readonly clientInterceptors: readonly WorkflowClientInterceptor[];
    readonly bundleLogger: Parameters<typeof bundleWorkflowCode>[0]['logger'];
  },
): Promise<Pick<ControlProcess, 'client' | 'close'>> {
  const { address, namespace, taskQueue } = around;
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath,
    ...layers.paths,
    ...(layers.bundleLogger === undefined ? {} : { logger: layers.bundleLogger }),
  });
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    identity: 'control',
    workflowBundle,
    activities: leakyActivities,
    shutdownGraceTime: '1s',
    shutdownForceTime: '10s',
    ...layers.converters,
    ...layers.interceptors,
  });
  const running = worker.run();
  running.catch(() => undefined);
  const clientConnection = await Connection.connect({ address });
  const client = new Client({
    connection: clientConnection,
    namespace,
    identity: 'control',
    ...layers.converters,
    interceptors: { workflow: [around.leakyHeaders, ...layers.clientInterceptors] },
  });
  return {
    client,
    async close() {
      worker.shutdown();
      await running.catch(() => undefined);
      await clientConnection.close();
      await connection.close();
      await Runtime.instance().shutdown();
    },
  };
}

/** Default converters, no interceptors, a log that writes what it is given. */
export async function withoutLayers(around: Surroundings): Promise<ControlProcess> {
  const raw = pino(pino.destination({ dest: around.logFile, mkdir: true }));
  const write = (event: string, fields: object = {}): void => raw.info({ fields }, event);
  const sdkLogger = new DefaultLogger('WARN', ({ message, meta }) => {
    raw.warn({ meta: inspect(meta, { depth: 8 }) }, message);
  });
  Runtime.install({
    logger: sdkLogger,
    shutdownSignals: [],
    // The native part would write to the terminal of the test run otherwise.
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
  });
  const started = await start(around, {
    converters: {},
    paths: {},
    interceptors: {},
    clientInterceptors: [],
    bundleLogger: sdkLogger,
  });
  const plainLog: Log = { info: write, warn: write, error: write };
  return { ...started, log: plainLog, telemetry: await plainTelemetry(plainLog) };
}

/** The converters, interceptors and logs of this program, each from the file that the program uses. */
export async function withLayers(around: Surroundings): Promise<ControlProcess> {
  const log = createLog({ level: 'info', process: 'control', destination: around.logFile });
  installRuntime(log);
  const telemetry = await ownTelemetry(log);
  const started = await start(around, {
    converters: { dataConverter },
    paths: { payloadConverterPath, failureConverterPath },
    interceptors: {
      interceptors: {
        activity: [() => ({ inbound: createSafeErrors(log, 'ingest', telemetry.activityFailed) })],
      },
    },
    clientInterceptors: [clientInterceptor],
    bundleLogger: createSdkLogger(log),
  });
  return { ...started, log, telemetry };
}
