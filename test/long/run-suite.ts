/** One suite of the long run: Jest in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../architecture/source-tree.ts';
import type { Outcome } from './report.ts';
import { filesOf, type Suite } from './suites.ts';

const JEST = join(ROOT, 'node_modules/jest/bin/jest.js');
/** What is left of a suite that is told to stop has ended by then. */
const STOPS_WITHIN_MS = 60_000;

/** Plays the suite with the seed, for so long at most, and shows what Jest says. */
export async function runSuite(suite: Suite, seed: number, forMs: number): Promise<Outcome> {
  const alone = suite.isAlone ? ['--maxWorkers=1'] : [];
  const args = [JEST, '--ci', ...alone, '--runTestsByPath', ...filesOf(suite)];
  const jest = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      // oxlint-disable-next-line node/no-process-env
      ...process.env,
      NODE_ENV: 'test',
      VOUCH_TEST_RUN: 'long',
      VOUCH_TEST_BROWSER: '1',
      VOUCH_TEST_SEED: String(seed),
      VOUCH_TEST_PROFILE: join(ROOT, `build/test-profile-${suite.name}.json`),
    },
  });
  let isOver = false;
  const end = setTimeout(() => {
    isOver = true;
    jest.kill('SIGINT');
  }, forMs);
  const kill = setTimeout(() => jest.kill('SIGKILL'), forMs + STOPS_WITHIN_MS);
  const [code] = (await once(jest, 'exit')) as [number | null];
  clearTimeout(end);
  clearTimeout(kill);
  if (isOver) return 'out of time';
  return code === 0 ? 'green' : 'red';
}
