import { describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepChildList } from '../../../embedded/processes/child-list.ts';
import { clearPostmasterFile, stopLeftovers } from '../../../embedded/processes/leftovers.ts';
import { identify, isRunning } from '../../../embedded/processes/process-identity.ts';
import { readStartSeconds } from '../../../embedded/processes/process-table.ts';
import { terminate } from '../../../embedded/processes/terminate.ts';
import { readIfPresent } from '../../../embedded/private-files.ts';
import { HANGS_MS, eventually } from '../../support/patience.ts';
import { identityOf, startIdle, startScript, temporaryDirectory } from '../../support/temporary.ts';

const patiently = [
  { signal: 'SIGTERM', waitMs: HANGS_MS },
  { signal: 'SIGKILL', waitMs: HANGS_MS },
] as const;
const quickly = [{ ...patiently[0], waitMs: 300 }, patiently[1]] as const;

describe('the identity of a process', () => {
  test('holds for this process and names when it started', () => {
    const identity = identify(process.pid);
    expect(identity === undefined ? false : isRunning(identity)).toBe(true);
    const startedAgo = Date.now() / 1000 - (readStartSeconds(process.pid) ?? 0);
    // A process counts from when it got to run. A wrong clock or unit would be minutes away.
    expect(Math.abs(startedAgo - process.uptime())).toBeLessThan(30);
  });

  test('does not hold for another process with the same pid, nor after a reboot', async () => {
    const { identity } = await startIdle();
    expect(isRunning(identity)).toBe(true);
    expect(isRunning({ ...identity, startTicks: `${Number(identity.startTicks) - 1}` })).toBe(
      false,
    );
    expect(isRunning({ ...identity, bootId: 'another' })).toBe(false);
  });

  test('ends with the process, even while it is a zombie', async () => {
    // The shell becomes `sleep` and never waits for its child, which stays a zombie.
    const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 5'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const pid = Number(
      await new Promise((resolve) => parent.stdout.once('data', (data) => resolve(String(data)))),
    );
    expect(await eventually(() => identify(pid) === undefined)).toBe(true);
    parent.kill('SIGKILL');
  });
});

describe('terminating a process', () => {
  test('sends SIGTERM first, and no SIGKILL when that is enough', async () => {
    const { child, identity } = await startIdle();
    const signal = new Promise((resolve) => child.once('exit', (_code, by) => resolve(by)));
    expect(await terminate(identity.pid, identity.startTicks, patiently)).toBe(true);
    expect(await signal).toBe('SIGTERM');
  });

  test('sends SIGKILL when SIGTERM does not end it', async () => {
    const child = await startScript(
      `process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)`,
    );
    const signal = new Promise((resolve) => child.once('exit', (_code, by) => resolve(by)));
    const identity = identityOf(child);
    expect(await terminate(identity.pid, identity.startTicks, quickly)).toBe(true);
    expect(await signal).toBe('SIGKILL');
  });

  test('never signals a process that started at another time', async () => {
    const { child, identity } = await startIdle();
    expect(await terminate(identity.pid, '1', quickly)).toBe(true);
    await sleep(100);
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  });
});

describe('a leftover of an earlier start', () => {
  test('is stopped and reported when pid, start time and data directory agree', async () => {
    const directory = temporaryDirectory();
    const data = join(directory, 'data');
    const { identity } = await startIdle(data);
    const file = join(directory, 'children.json');
    keepChildList(file).add({ name: 'qdrant', identity, dataPath: data });
    const said: string[] = [];
    await stopLeftovers(file, (line) => said.push(line));
    expect(isRunning(identity)).toBe(false);
    expect(said).toEqual([`Stopping qdrant (process ${identity.pid}) of an earlier start.`]);
  });

  test.each([
    ['another start time', { startTicks: '1' }, 'data'],
    ['another boot', { bootId: 'another' }, 'data'],
    ['other data', {}, 'elsewhere'],
  ])('is left alone when the process has %s', async (_what, change, dataName) => {
    const directory = temporaryDirectory();
    const { identity } = await startIdle(join(directory, 'data'));
    const file = join(directory, 'children.json');
    keepChildList(file).add({
      name: 'qdrant',
      identity: { ...identity, ...change },
      dataPath: join(directory, dataName),
    });
    await stopLeftovers(file, () => undefined);
    await sleep(50);
    expect(isRunning(identity)).toBe(true);
  });

  test('is not looked for without a complete record', async () => {
    const file = join(temporaryDirectory(), 'children.json');
    await stopLeftovers(file, () => undefined);
    writeFileSync(file, '[{"name":"po');
    await expect(stopLeftovers(file, () => undefined)).resolves.toBeUndefined();
  });

  test("a stranger with the pid in Postgres' pid file lives on, and the file goes", async () => {
    const data = temporaryDirectory();
    const { identity } = await startIdle();
    const file = join(data, 'postmaster.pid');
    writeFileSync(
      file,
      `${identity.pid}\n${data}\n${Math.round(readStartSeconds(identity.pid) ?? 0)}\n`,
    );
    await clearPostmasterFile(data, () => undefined);
    expect(readIfPresent(file)).toBeUndefined();
    expect(isRunning(identity)).toBe(true);
  });
});
