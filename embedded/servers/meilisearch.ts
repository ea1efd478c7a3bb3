/** Meilisearch as a child: loopback, with a key, without analytics, logging errors only. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from './child-environment.ts';
import { pinnedSha256, verifyChecksum } from '../checksum.ts';
import { flags } from './command-line.ts';
import { takesOnly } from './http-probe.ts';
import type { EnvironmentVariables } from '../names.ts';
import { packageDirectory } from '../platform.ts';
import { makePrivateDirectory } from '../private-files.ts';
import type { ServerSpec } from '../processes/server-process.ts';
import { killAtOnce, termThenKill } from '../processes/terminate.ts';

/**
 * Gives Meilisearch a third of the share of another process. Work on observations comes first: users do not notice when
 * a text is found by its words a second later. The share is not smaller, because Meilisearch also answers searches.
 */
const NICENESS = 5;

export interface EmbeddedMeilisearch {
  readonly url: string;
  readonly masterKey: string;
}

export interface MeilisearchOptions {
  readonly directory: string;
  readonly logFile: string;
  readonly port: number;
  readonly masterKey: string;
  /** False for a stack that is thrown away: it is not worth an orderly stop. */
  readonly durable: boolean;
  readonly env: EnvironmentVariables;
}

/**
 * Verifies the program and describes how to run it.
 * At log level INFO every request would be a line with its query; ERROR holds none.
 */
export async function meilisearchServer(options: MeilisearchOptions): Promise<ServerSpec> {
  const program = join(packageDirectory('meilisearch'), 'meilisearch');
  await verifyChecksum(program, pinnedSha256.meilisearch);
  makeExecutable(program);
  makePrivateDirectory(options.directory);
  const data = join(options.directory, 'data');
  const dumps = join(options.directory, 'dumps');
  const snapshots = join(options.directory, 'snapshots');
  for (const path of [dumps, snapshots]) mkdirSync(path, { recursive: true });
  const url = `http://127.0.0.1:${options.port}`;
  return {
    name: 'meilisearch',
    command: program,
    args: flags({
      '--env': 'production',
      '--no-analytics': true,
      '--log-level': 'ERROR',
      '--http-addr': `127.0.0.1:${options.port}`,
      '--db-path': data,
      '--dump-dir': dumps,
      '--snapshot-dir': snapshots,
      '--max-indexing-memory': '1GiB',
    }),
    env: childEnvironment(options.env, options.directory, { MEILI_MASTER_KEY: options.masterKey }),
    cwd: options.directory,
    dataPath: data,
    logFile: options.logFile,
    stopPlan: options.durable ? termThenKill : killAtOnce,
    niceness: NICENESS,
    // This route needs the key, so only the server that was started with it answers 200.
    isReady: (signal) =>
      takesOnly(
        `${url}/version`,
        (key) => ({ authorization: `Bearer ${key}` }),
        options.masterKey,
        signal,
      ),
  };
}

/** The package is published without the executable bit, and each install drops it again. */
function makeExecutable(program: string): void {
  try {
    chmodSync(program, 0o755);
  } catch {
    // Another user installed the package. When the bit is missing, the start itself fails and says so.
  }
}
