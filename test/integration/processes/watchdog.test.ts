import { describe, expect, test } from '@jest/globals';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from '../../../embedded/processes/process-identity.ts';
import { startWatchdog } from '../../../embedded/processes/watchdog-link.ts';
import { eventually } from '../../support/patience.ts';
import { startIdle, startScript, temporaryDirectory } from '../../support/temporary.ts';

const link = new URL('../../../embedded/processes/watchdog-link.ts', import.meta.url).href;
const stopAtOnce = [{ signal: 'SIGKILL', waitMs: 60_000 }] as const;

/** A process that registers what it is told, and then waits to be killed. */
const parentScript = `
  import { startWatchdog } from ${JSON.stringify(link)};
  const watchdog = startWatchdog(() => {});
  const [watched, forgotten, directory] = process.argv.slice(1);
  const plan = [{ signal: 'SIGKILL', waitMs: 60000 }];
  watchdog.watch(JSON.parse(watched), plan);
  watchdog.watch(JSON.parse(forgotten), plan);
  watchdog.forget(JSON.parse(forgotten));
  watchdog.removeAfterwards(directory);
  console.log('up');
  setInterval(() => {}, 1000);`;

describe('the watchdog', () => {
  test('stops registered processes, and no others, when the parent is killed', async () => {
    const directory = join(temporaryDirectory(), 'stack');
    mkdirSync(directory);
    const [watched, forgotten] = await Promise.all([startIdle(), startIdle()]);
    const parent = await startScript(
      parentScript,
      JSON.stringify(watched.identity),
      JSON.stringify(forgotten.identity),
      directory,
    );
    parent.kill('SIGKILL');
    expect(await eventually(() => !isRunning(watched.identity) && !existsSync(directory))).toBe(
      true,
    );
    expect(isRunning(forgotten.identity)).toBe(true);
  });

  test('does not signal a process that took over the pid of a registered one', async () => {
    const { identity } = await startIdle();
    const watchdog = startWatchdog(() => undefined);
    watchdog.watch({ ...identity, startTicks: '1' }, stopAtOnce);
    watchdog.close();
    await sleep(500);
    expect(isRunning(identity)).toBe(true);
  });

  test('leaves directories to a parent that ends normally', async () => {
    const directory = temporaryDirectory();
    const { identity } = await startIdle();
    const watchdog = startWatchdog(() => undefined);
    watchdog.removeAfterwards(directory);
    watchdog.watch(identity, stopAtOnce);
    watchdog.close();
    expect(await eventually(() => !isRunning(identity))).toBe(true);
    await sleep(100);
    expect(existsSync(directory)).toBe(true);
  });
});
