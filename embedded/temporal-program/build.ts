/**
 * Builds the release with Go, for networks that reach a module proxy but not the download.
 *
 * Module and build caches are in one temporary directory and are removed with it: 3.2 GB during the build,
 * 213 MB left. Go checks the modules against its checksum database as configured on this machine. The program is
 * built in a module of its own, which may require later modules than the release does.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { causeText, EmbeddedError } from '../errors.ts';
import type { EnvironmentVariables, Say } from '../names.ts';
import type { TemporalRelease } from './release.ts';

const run = promisify(execFile);

/** How the caller cancels an installation and guards its child processes. */
export interface InstallOversight {
  readonly cancelled?: AbortSignal | undefined;
  /** Called with the pid of a long-running child, to end it with this process; call the result when the child ends. */
  readonly guard?: ((pid: number) => () => void) | undefined;
}

const neededBytes = 4 * 1024 ** 3;
const wholeWithinMs = 30 * 60_000;
const saySoEveryMs = 30_000;
/** The oldest Go that the release can be built with. */
const oldestGo = { major: 1, minor: 25 } as const;

/**
 * Builds the program into `directory`, which must be empty and which the caller must remove.
 * @returns the path of the program.
 * @throws EmbeddedError when Go is missing, too old, short of space, or fails.
 */
export async function buildTemporal(
  release: TemporalRelease,
  directory: string,
  env: EnvironmentVariables,
  say: Say,
  oversight: InstallOversight,
): Promise<string> {
  const environment = goEnvironment(directory, env);
  await requireGo(environment);
  await requireSpace(directory);
  say(
    `Building Temporal ${release.version} with Go. This happens once, takes about 3 minutes on two cores, and needs 3.2 GB of disk meanwhile.`,
  );
  const startedAt = performance.now();
  const minutes = () => `${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`;
  const ticker = setInterval(
    () => say(`Still building Temporal, ${minutes()} so far.`),
    saySoEveryMs,
  );
  const program = join(directory, 'temporal');
  let settled: (() => void) | undefined;
  try {
    const building = run('go', [...buildOptions, '-o', program, release.goPackage], {
      cwd: writeModule(release, directory),
      env: { ...environment },
      timeout: wholeWithinMs,
      maxBuffer: 64 * 1024 * 1024,
      ...(oversight.cancelled === undefined ? {} : { signal: oversight.cancelled }),
    });
    settled = oversight.guard?.(building.child.pid ?? 0);
    await building;
  } catch (error) {
    throw new EmbeddedError(`go build failed after ${minutes()} (${causeText(error)})`);
  } finally {
    clearInterval(ticker);
    settled?.();
  }
  say(`Built Temporal in ${minutes()}.`);
  return program;
}

const buildOptions = ['build', '-mod=mod', '-trimpath', '-ldflags', '-s -w'] as const;

/** Writes the module that the program is built in; answers its directory. */
function writeModule(release: TemporalRelease, directory: string): string {
  const module = join(directory, 'module');
  mkdirSync(module);
  const required = release.goModules.map((one) => `\t${one}\n`).join('');
  writeFileSync(
    join(module, 'go.mod'),
    `module temporal\n\ngo ${oldestGo.major}.${oldestGo.minor}.0\n\nrequire (\n${required})\n`,
  );
  return module;
}

/** Passes on Go's own settings and the proxies; caches, temporary files and the result stay in `directory`. */
function goEnvironment(
  directory: string,
  env: EnvironmentVariables,
): Readonly<Record<string, string>> {
  const passed = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      /^(?:GO[A-Z]*|https?_proxy|no_proxy|SSL_CERT_.*|HOME|PATH)$/i.test(entry[0]),
  );
  const temporary = join(directory, 'tmp');
  mkdirSync(temporary);
  return {
    ...Object.fromEntries(passed),
    GOMODCACHE: join(directory, 'mod'),
    GOCACHE: join(directory, 'build'),
    GOTMPDIR: temporary,
    TMPDIR: temporary,
    // Module files are read-only otherwise and could not be removed afterwards.
    GOFLAGS: `${env['GOFLAGS'] ?? ''} -modcacherw`.trim(),
  };
}

async function requireGo(environment: Readonly<Record<string, string>>): Promise<void> {
  let lines: readonly string[];
  try {
    const { stdout } = await run('go', ['env', 'GOVERSION', 'GOTOOLCHAIN'], {
      env: { ...environment },
    });
    lines = stdout.split('\n');
  } catch (error) {
    throw new EmbeddedError(`the start cannot run go (${causeText(error)})`);
  }
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(lines[0] ?? '') ?? [];
  const newEnough =
    Number(major) > oldestGo.major ||
    (Number(major) === oldestGo.major && Number(minor) >= oldestGo.minor);
  // Any other toolchain setting lets Go fetch the version that the module asks for.
  if (!newEnough && lines[1] === 'local') {
    throw new EmbeddedError(`${lines[0]} is older than go${oldestGo.major}.${oldestGo.minor}`);
  }
}

async function requireSpace(directory: string): Promise<void> {
  const volume = await statfs(directory);
  const free = volume.bavail * volume.bsize;
  if (free >= neededBytes) return;
  throw new EmbeddedError(
    `${directory} has ${gigabytes(free)} GB free, and the build needs ${gigabytes(neededBytes)} GB`,
  );
}

function gigabytes(bytes: number): string {
  return (bytes / 1024 ** 3).toFixed(1);
}
