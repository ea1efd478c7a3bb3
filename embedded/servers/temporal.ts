/**
 * Temporal's development server as a child: one program with its UI, keeping its workflows in a file.
 *
 * The settings are measured. The two pragmas double the throughput and lose nothing at a kill -9. The
 * default poll rates, 20 a second, would make every further step of a workflow wait for the next 50 ms.
 * The default time shift would make timers under a second late by up to a second.
 */
import { dirname } from 'node:path';
import { childEnvironment } from './child-environment.ts';
import { flags, repeated } from './command-line.ts';
import { answersOk } from './http-probe.ts';
import type { EnvironmentVariables } from '../names.ts';
import type { ServerSpec } from '../processes/server-process.ts';
import { killAtOnce, termThenKill } from '../processes/terminate.ts';

export interface EmbeddedTemporal {
  /** gRPC address, host:port. */
  readonly address: string;
  readonly uiUrl: string;
  readonly httpUrl: string;
  readonly metricsUrl: string;
  readonly namespace: string;
  /** The SQLite file, with its -wal beside it while the server runs. */
  readonly databaseFile: string;
  /** Which program runs, and where it was found. */
  readonly program: string;
}

export interface TemporalOptions {
  readonly program: string;
  readonly databaseFile: string;
  readonly logFile: string;
  readonly namespace: string;
  /** A namespace that only this installation's server has. */
  readonly proof: string;
  readonly ports: {
    readonly grpc: number;
    readonly ui: number;
    readonly http: number;
    readonly metrics: number;
  };
  /** False for a stack that is thrown away: it is not worth an orderly stop. */
  readonly durable: boolean;
  readonly env: EnvironmentVariables;
}

/** The attributes that operators filter by; they hold internal ids and words of closed lists only. */
const searchAttributes = ['Lane', 'RunKind', 'AccountRef', 'BuildSha'] as const;

const pragmas = ['journal_mode=wal', 'synchronous=normal'] as const;

const dynamicConfig = [
  'history.transferProcessorMaxPollRPS=5000',
  'history.timerProcessorMaxPollRPS=5000',
  'history.visibilityProcessorMaxPollRPS=5000',
  // The value is JSON, so the text is quoted.
  'history.timerProcessorMaxTimeShift="10ms"',
] as const;

/** Describes how to run the server; the program was found and checked before. */
export function temporalServer(options: TemporalOptions): ServerSpec {
  const home = dirname(options.databaseFile);
  const { ports } = options;
  return {
    name: 'temporal',
    command: options.program,
    args: [
      'server',
      'start-dev',
      ...flags({
        '--ip': '127.0.0.1',
        '--port': ports.grpc,
        '--ui-port': ports.ui,
        '--http-port': ports.http,
        '--metrics-port': ports.metrics,
        '--db-filename': options.databaseFile,
        '--log-level': 'warn',
        '--log-format': 'json',
      }),
      ...repeated('--namespace', [options.namespace, options.proof]),
      ...repeated('--sqlite-pragma', pragmas),
      ...repeated('--dynamic-config-value', dynamicConfig),
      ...repeated(
        '--search-attribute',
        searchAttributes.map((name) => `${name}=Keyword`),
      ),
    ],
    // By default the server reports its version to its makers now and then.
    env: childEnvironment(options.env, home, { TEMPORAL_VERSION_CHECK_DISABLED: '1' }),
    cwd: home,
    dataPath: options.databaseFile,
    logFile: options.logFile,
    // Its only connection to SQLite may be lost for good: `release.ts` says how.
    startsAgainWhenSilent: true,
    stopPlan: options.durable ? termThenKill : killAtOnce,
    // Answers 200 only when the frontend serves and the namespaces are registered. The server knows no key, and another
    // installation's has the first of them too.
    async isReady(signal) {
      const namespaces = `http://127.0.0.1:${ports.http}/api/v1/namespaces`;
      const has = (name: string) => answersOk(`${namespaces}/${name}`, {}, signal);
      return (await has(options.proof)) && has(options.namespace);
    },
  };
}

/** The addresses under which the server is found. */
export function temporalSettings(options: TemporalOptions): EmbeddedTemporal {
  const { ports } = options;
  return {
    address: `127.0.0.1:${ports.grpc}`,
    uiUrl: `http://127.0.0.1:${ports.ui}`,
    httpUrl: `http://127.0.0.1:${ports.http}`,
    metricsUrl: `http://127.0.0.1:${ports.metrics}/metrics`,
    namespace: options.namespace,
    databaseFile: options.databaseFile,
    program: options.program,
  };
}
