/**
 * Finds the Temporal program in these places, in this order:
 *   1. TEMPORAL_CLI_PATH      when it is set but unusable, that is an error and the search ends
 *   2. `temporal` on PATH     if its server is new enough
 *   3. the user's cache       filled by 4 or 5, by the first start; its digest is checked
 *   4. the official download
 *   5. a build with Go
 * The failure of a step is kept; when all steps fail, the error names all of them.
 */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { causeText, EmbeddedError } from '../errors.ts';
import { tryLock } from '../lock.ts';
import type { EnvironmentVariables, Say } from '../names.ts';
import { makePrivateDirectory } from '../private-files.ts';
import { buildTemporal, type InstallOversight } from './build.ts';
import { assertRemembered, rememberProgram } from './cached-program.ts';
import { downloadTemporal } from './download.ts';
import { binaryCache, cachedName, type TemporalRelease, temporalRelease } from './release.ts';
import { temporalServerVersion } from './version.ts';

export interface TemporalProgram {
  readonly path: string;
  readonly source: 'TEMPORAL_CLI_PATH' | 'PATH' | 'cache' | 'download' | 'build';
  readonly serverVersion: string;
}

export interface TemporalProgramOptions extends InstallOversight {
  readonly env: EnvironmentVariables;
  readonly say: Say;
  /** Another release than the pinned one. */
  readonly release?: TemporalRelease;
}

const waitForOtherMs = 1_000;

/** @throws EmbeddedError when every step failed, with all causes and what to do. */
export async function findTemporal(options: TemporalProgramOptions): Promise<TemporalProgram> {
  const { env } = options;
  const named = env['TEMPORAL_CLI_PATH'];
  if (named !== undefined && named !== '') return fromVariable(named);
  const causes = ['TEMPORAL_CLI_PATH (not set)'];

  const onPath = findOnPath(env['PATH'] ?? '');
  const found = onPath === undefined ? undefined : await attempt('PATH', onPath, causes);
  if (found !== undefined) return found;
  if (onPath === undefined) causes.push('PATH (no temporal)');

  const cache = binaryCache(env);
  if (cache === undefined) {
    causes.push('cache (neither HOME nor XDG_CACHE_HOME is set)');
    throw notFound(causes);
  }
  return fromCache(cache, options, causes);
}

async function fromVariable(path: string): Promise<TemporalProgram> {
  try {
    return { path, source: 'TEMPORAL_CLI_PATH', serverVersion: await temporalServerVersion(path) };
  } catch (error) {
    throw new EmbeddedError(
      `TEMPORAL_CLI_PATH is set but cannot be used: ${causeText(error)}. Correct the variable, or unset it.`,
    );
  }
}

async function attempt(
  source: TemporalProgram['source'],
  path: string,
  causes: string[],
): Promise<TemporalProgram | undefined> {
  try {
    return { path, source, serverVersion: await temporalServerVersion(path) };
  } catch (error) {
    causes.push(`${source} (${causeText(error)})`);
    return undefined;
  }
}

/** A program that was changed since its installation is not run at all, not even for its version. */
async function attemptCached(
  target: string,
  causes: string[],
): Promise<TemporalProgram | undefined> {
  try {
    await assertRemembered(target);
  } catch (error) {
    causes.push(`cache (${causeText(error)})`);
    return undefined;
  }
  return attempt('cache', target, causes);
}

/** The cached program; downloaded or built into the cache when it is not there yet. */
async function fromCache(
  cache: string,
  options: TemporalProgramOptions,
  causes: string[],
): Promise<TemporalProgram> {
  const release = options.release ?? temporalRelease;
  const target = join(cache, cachedName(release));
  if (existsSync(target)) {
    const cached = await attemptCached(target, causes);
    if (cached !== undefined) return cached;
  } else causes.push(`cache (no ${target})`);

  const unlock = await lockCache(cache, target, options, causes);
  try {
    // The process that held the lock before may have installed it.
    const ready = existsSync(target) ? await attemptCached(target, []) : undefined;
    return ready ?? (await install(cache, target, release, options, causes));
  } finally {
    unlock();
  }
}

/** Waits for a start that is downloading or building the same program. */
async function lockCache(
  cache: string,
  target: string,
  options: TemporalProgramOptions,
  causes: string[],
): Promise<() => void> {
  try {
    makePrivateDirectory(cache);
    for (let told = false; ; told = true) {
      const lock = tryLock(`${target}.lock`);
      if (lock.held) return () => lock.release();
      if (!told) options.say(`Waiting for process ${lock.holder.pid}, which installs Temporal.`);
      await sleep(
        waitForOtherMs,
        undefined,
        options.cancelled === undefined ? {} : { signal: options.cancelled },
      );
    }
  } catch (error) {
    options.cancelled?.throwIfAborted();
    causes.push(`${cache} (${causeText(error)})`);
    throw notFound(causes);
  }
}

async function install(
  cache: string,
  target: string,
  release: TemporalRelease,
  options: TemporalProgramOptions,
  causes: string[],
): Promise<TemporalProgram> {
  removeAbandoned(cache);
  const steps = [
    {
      source: 'download',
      run: (directory: string) =>
        downloadTemporal(release, directory, options.say, options.cancelled),
    },
    {
      source: 'build',
      run: (directory: string) =>
        buildTemporal(release, directory, options.env, options.say, options),
    },
  ] as const;
  for (const { source, run } of steps) {
    const directory = mkdtempSync(join(cache, workPrefix));
    try {
      const program = await run(directory);
      const serverVersion = await temporalServerVersion(program);
      chmodSync(program, 0o755);
      await rememberProgram(program, target);
      renameSync(program, target);
      return { path: target, source, serverVersion };
    } catch (error) {
      options.cancelled?.throwIfAborted();
      causes.push(`${source} (${causeText(error)})`);
      options.say(`Temporal: ${causes.at(-1)}.`);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  throw notFound(causes);
}

const workPrefix = 'installing-';

/** Removes the unfinished work of a killed start. The caller holds the lock, so no other start is installing. */
function removeAbandoned(cache: string): void {
  for (const name of readdirSync(cache)) {
    if (name.startsWith(workPrefix)) rmSync(join(cache, name), { recursive: true, force: true });
  }
}

function findOnPath(path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((directory) => directory.startsWith('/'))
    .map((directory) => join(directory, 'temporal'))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function notFound(causes: readonly string[]): EmbeddedError {
  return new EmbeddedError(
    `The start found no Temporal server. It tried: ${causes.join(', ')}. Do one of these: install the Temporal command line and start again; set TEMPORAL_CLI_PATH to its program; set TEMPORAL_ADDRESS to a running server; or run \`docker compose up\`.`,
  );
}
