/** Qdrant as a child: loopback HTTP with a key, no gRPC port, no telemetry. */
import { join } from 'node:path';
import { childEnvironment } from './child-environment.ts';
import { pinnedSha256, verifyChecksum } from '../checksum.ts';
import { takesOnly } from './http-probe.ts';
import type { EnvironmentVariables } from '../names.ts';
import { packageDirectory } from '../platform.ts';
import { makePrivateDirectory, writePrivateFile } from '../private-files.ts';
import type { ServerSpec } from '../processes/server-process.ts';
import { killAtOnce, termThenKill } from '../processes/terminate.ts';

export interface EmbeddedQdrant {
  readonly url: string;
  readonly apiKey: string;
}

export interface QdrantOptions {
  readonly directory: string;
  readonly logFile: string;
  readonly port: number;
  readonly apiKey: string;
  /** False for a stack that is thrown away: it is not worth an orderly stop. */
  readonly durable: boolean;
  readonly env: EnvironmentVariables;
}

/** Verifies the program, writes its configuration (0600: it holds the key) and describes how to run it. */
export async function qdrantServer(options: QdrantOptions): Promise<ServerSpec> {
  const program = join(packageDirectory('qdrant'), 'bin', 'qdrant');
  await verifyChecksum(program, pinnedSha256.qdrant);
  makePrivateDirectory(options.directory);
  const configFile = join(options.directory, 'config.yaml');
  // JSON is valid YAML, so paths and keys need no quoting rules of YAML.
  writePrivateFile(configFile, `${JSON.stringify(configuration(options), null, 2)}\n`);
  return {
    name: 'qdrant',
    command: program,
    args: ['--config-path', configFile, '--disable-telemetry'],
    env: childEnvironment(options.env, options.directory),
    cwd: options.directory,
    dataPath: configFile,
    logFile: options.logFile,
    stopPlan: options.durable ? termThenKill : killAtOnce,
    isReady: (signal) =>
      takesOnly(
        `http://127.0.0.1:${options.port}/collections`,
        (key) => ({ 'api-key': key }),
        options.apiKey,
        signal,
      ),
  };
}

/**
 * Each collection sets space aside for its write-ahead log, tens of MiB by default. A stack that is thrown away has many
 * small collections, in the memory of the machine.
 */
const SMALL_LOG = { wal: { wal_capacity_mb: 1 } } as const;

function configuration(options: QdrantOptions): object {
  return {
    log_level: 'ERROR',
    telemetry_disabled: true,
    service: {
      host: '127.0.0.1',
      http_port: options.port,
      grpc_port: null,
      api_key: options.apiKey,
      enable_static_content: false,
    },
    storage: {
      storage_path: join(options.directory, 'storage'),
      snapshots_path: join(options.directory, 'snapshots'),
      temp_path: join(options.directory, 'temp'),
      ...(options.durable ? {} : SMALL_LOG),
    },
    cluster: { enabled: false },
  };
}
