/**
 * How long a start waits for a server: as long as the server is alive and does something. A busy machine makes it slow, and a
 * crash leaves it a log to replay; neither is a reason to give up.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedError } from '../errors.ts';
import type { Say } from '../names.ts';
import { readWorkedMs } from './process-table.ts';
import type { RunningServer, ServerSpec } from './server-process.ts';

const PROBE_EVERY_MS = 25;
const PROBE_TIMEOUT_MS = 2_000;
const TELL_EVERY_MS = 10_000;
/** A server that has neither worked nor written to its log for this long hangs. */
const HANGS_AFTER_MS = 120_000;
/** Processor time that a process spends on its timers alone; one that starts spends more, also on a busy machine. */
const LEAST_WORK_MS = 300;
const LAST_LINES = 8;
const LAST_BYTES = 4_096;

/**
 * Waits until the server answers, and says every ten seconds that it still does.
 * @throws EmbeddedError when the server ends first or hangs; its message has the last lines of the log.
 */
export async function untilReady(
  spec: ServerSpec,
  server: RunningServer,
  { say, stopped }: { readonly say: Say; readonly stopped: AbortSignal },
): Promise<void> {
  let end: string | undefined;
  void server.ended.then((how) => (end = how));
  const beganAt = performance.now();
  let active = activityOf(spec, server);
  let toldAt = beganAt;
  for (;;) {
    stopped.throwIfAborted();
    // Looked at before each answer: where the server has ended, another program may answer on its port.
    if (end !== undefined) throw failure(spec, `ended before it was ready (${end})`);
    if (await answers(spec, stopped)) return;
    const now = activityOf(spec, server);
    active = lastActivity(active, now);
    const silentMs = now.at - active.at;
    if (silentMs > (spec.hangsAfterMs ?? HANGS_AFTER_MS)) {
      throw failure(spec, `was not ready, and has done nothing for ${secondsOf(silentMs)} s`);
    }
    if (performance.now() - toldAt >= TELL_EVERY_MS) {
      toldAt = performance.now();
      say(`Waiting for ${spec.name}, which is still starting (${secondsOf(toldAt - beganAt)} s).`);
    }
    await sleep(PROBE_EVERY_MS);
  }
}

/** What a server had done at a time; milliseconds. */
export interface Activity {
  readonly at: number;
  readonly workedMs: number;
  readonly logBytes: number;
}

/** `now` where the server has done something since `seen`, worked or written to its log; `seen` where it has not. */
export function lastActivity(seen: Activity, now: Activity): Activity {
  const hasWorked = now.workedMs - seen.workedMs >= LEAST_WORK_MS;
  return hasWorked || now.logBytes !== seen.logBytes ? now : seen;
}

function activityOf({ logFile }: ServerSpec, { identity }: RunningServer): Activity {
  return {
    at: performance.now(),
    workedMs: readWorkedMs(identity.pid) ?? 0,
    logBytes: statSync(logFile, { throwIfNoEntry: false })?.size ?? 0,
  };
}

async function answers(spec: ServerSpec, stopped: AbortSignal): Promise<boolean> {
  try {
    return await spec.isReady(AbortSignal.any([stopped, AbortSignal.timeout(PROBE_TIMEOUT_MS)]));
  } catch (error) {
    if (error instanceof EmbeddedError) throw error;
    return false;
  }
}

function failure({ logFile, name }: ServerSpec, what: string): EmbeddedError {
  const lines = lastLines(logFile).map((line) => `\n  ${line}`);
  const shown = lines.length === 0 ? ' It is empty.' : ` Its last lines:${lines.join('')}`;
  return new EmbeddedError(`${name} ${what}. Its log is ${logFile}.${shown}`);
}

/** The last lines of a log, however long it is; none where there is no log. */
function lastLines(file: string): readonly string[] {
  let log: number;
  try {
    log = openSync(file, 'r');
  } catch {
    return [];
  }
  try {
    const { size } = fstatSync(log);
    const bytes = Buffer.alloc(Math.min(size, LAST_BYTES));
    readSync(log, bytes, 0, bytes.length, size - bytes.length);
    const lines = bytes.toString('utf8').split('\n').filter(Boolean);
    return lines.slice(-LAST_LINES);
  } finally {
    closeSync(log);
  }
}

function secondsOf(ms: number): number {
  return Math.round(ms / 1_000);
}
