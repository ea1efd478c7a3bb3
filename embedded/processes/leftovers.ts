/**
 * Stops servers that an earlier start left running. The caller holds the directory's lock, so the
 * process that started them has ended. A process is stopped only when pid, start time and data
 * directory all match; any other process with that pid is left alone.
 */
import { readlinkSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readChildList } from './child-list.ts';
import { causeText, EmbeddedError } from '../errors.ts';
import type { Say } from '../names.ts';
import { readIfPresent } from '../private-files.ts';
import { isRunning } from './process-identity.ts';
import {
  readArguments,
  readStartSeconds,
  readStartTicks,
  readWorkingDirectory,
} from './process-table.ts';
import { postgresStop, type StopPlan, termThenKill, terminate } from './terminate.ts';

/** Stops every server recorded in `childrenFile` that still runs. */
export async function stopLeftovers(childrenFile: string, say: Say): Promise<void> {
  const left = readChildList(childrenFile).filter(
    (entry) => isRunning(entry.identity) && namesData(entry.identity.pid, entry.dataPath),
  );
  await Promise.all(
    left.map((entry) =>
      stop(
        entry.name,
        entry.identity.pid,
        entry.identity.startTicks,
        entry.name === 'postgres' ? postgresStop : termThenKill,
        say,
      ),
    ),
  );
}

/**
 * Handles the pid file of a Postgres data directory. The file names its server by pid alone, and Postgres
 * refuses to start while any process of the same user has that pid. So a leftover server is stopped, and
 * the file is removed when its pid belongs to another process.
 */
export async function clearPostmasterFile(dataDirectory: string, say: Say): Promise<void> {
  const file = join(dataDirectory, 'postmaster.pid');
  const lines = readIfPresent(file)?.split('\n');
  const pid = Number(lines?.[0]);
  if (!Number.isInteger(pid) || pid <= 0) return;
  const startTicks = readStartTicks(pid);
  if (startTicks === undefined) return;
  if (isPostmasterOf(pid, Number(lines?.[2]), dataDirectory)) {
    await stop('postgres', pid, startTicks, postgresStop, say);
  } else {
    rmSync(file, { force: true });
  }
}

/** Whether a process serves this data directory: it works there, is Postgres, and started then. */
function isPostmasterOf(pid: number, startedAtSeconds: number, dataDirectory: string): boolean {
  const started = readStartSeconds(pid);
  // Postgres writes the time a moment after its start, and the clock may have been set since.
  const sameStart = started !== undefined && Math.abs(started - startedAtSeconds) <= 5;
  return sameStart && readWorkingDirectory(pid) === dataDirectory && programOf(pid) === 'postgres';
}

function programOf(pid: number): string | undefined {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return undefined;
  }
}

function namesData(pid: number, dataPath: string): boolean {
  return readArguments(pid).some((argument) => argument === dataPath);
}

async function stop(
  name: string,
  pid: number,
  startTicks: string,
  plan: StopPlan,
  say: Say,
): Promise<void> {
  say(`Stopping ${name} (process ${pid}) of an earlier start.`);
  const problem = await terminate(pid, startTicks, plan).then(
    (ended) => (ended ? undefined : 'it does not end'),
    causeText,
  );
  if (problem !== undefined) {
    throw new EmbeddedError(
      `${name} (process ${pid}) of an earlier start still uses this data, and the start cannot stop it (${problem}). Stop the process by hand.`,
    );
  }
}
