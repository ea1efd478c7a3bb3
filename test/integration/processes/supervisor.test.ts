import { describe, expect, test } from '@jest/globals';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ChildList,
  keepChildList,
  readChildList,
} from '../../../embedded/processes/child-list.ts';
import type { ServerSpec } from '../../../embedded/processes/server-process.ts';
import { type SupervisedServer, superviseServer } from '../../../embedded/processes/supervisor.ts';
import { readStartTicks } from '../../../embedded/processes/process-table.ts';
import { answersOk } from '../../../embedded/servers/http-probe.ts';
import { randomPorts } from '../../../embedded/port-numbers.ts';
import { eventually } from '../../support/patience.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const server = `
  const { createServer } = await import('node:http');
  createServer((request, answer) => answer.end()).listen(Number(process.argv[2]), '127.0.0.1');
  console.log(JSON.stringify(process.env));
  process.on('SIGTERM', () => process.exit(0));`;

/** Counts its requests, and answers only the first eight. */
const fallsSilent = `
  const { createServer } = await import('node:http');
  let asked = 0;
  createServer((request, answer) => {
    asked += 1;
    answer.statusCode = asked > 8 ? 503 : 200;
    answer.end();
  }).listen(Number(process.argv[2]), '127.0.0.1');`;

const quiet = {
  watch: () => undefined,
  forget: () => undefined,
  removeAfterwards: () => undefined,
  close: () => undefined,
};

async function setUp(script = server) {
  const directory = temporaryDirectory();
  const data = join(directory, 'data');
  const port = (await randomPorts(['qdrant'])).qdrant ?? 0;
  const said: string[] = [];
  const childrenFile = join(directory, 'children.json');
  const spec: ServerSpec = {
    name: 'qdrant',
    command: process.execPath,
    args: ['--input-type=module', '-e', script, '--', data, `${port}`],
    env: { ONLY: 'this' },
    cwd: directory,
    dataPath: data,
    logFile: join(directory, 'qdrant.log'),
    stopPlan: [
      { signal: 'SIGTERM', waitMs: 1_000 },
      { signal: 'SIGKILL', waitMs: 2_000 },
    ],
    isReady: (signal) => answersOk(`http://127.0.0.1:${port}/`, {}, signal),
  };
  const start = (
    overrides: Partial<ServerSpec> = {},
    children: ChildList = keepChildList(childrenFile),
  ) =>
    superviseServer(
      { ...spec, ...overrides },
      {
        watchdog: quiet,
        children,
        // On a busy machine a start tells that it still waits: that is no end and no new start.
        say: (line) => void (line.startsWith('Waiting for ') || said.push(line)),
        firstPauseMs: 20,
        askEveryMs: 5,
      },
    );
  return { spec, start, said, childrenFile };
}

function kill(supervised: SupervisedServer): number {
  const { pid } = supervised.status();
  if (pid === undefined) throw new Error('nothing runs');
  process.kill(pid, 'SIGKILL');
  return pid;
}

describe('a supervised server', () => {
  test('answers when its start resolves, is on record, and is gone after stop', async () => {
    const { start, childrenFile } = await setUp();
    const supervised = await start();
    const { pid, restarts } = supervised.status();
    expect(restarts).toBe(0);
    expect(readChildList(childrenFile)).toMatchObject([{ name: 'qdrant', identity: { pid } }]);
    await supervised.stop();
    expect(readStartTicks(pid ?? 0)).toBeUndefined();
    expect(readChildList(childrenFile)).toEqual([]);
    expect(supervised.status()).toEqual({ name: 'qdrant', pid: undefined, restarts: 0 });
  });

  test('gets only the environment it was given; only the owner may read its log', async () => {
    const { start, spec } = await setUp();
    const supervised = await start();
    await supervised.stop();
    expect(JSON.parse(readFileSync(spec.logFile, 'utf8'))).toEqual({ ONLY: 'this' });
    expect(statSync(spec.logFile).mode & 0o777).toBe(0o600);
  });

  test('is started again each time it is killed, with a message and growing pauses', async () => {
    const { start, said } = await setUp();
    const supervised = await start();
    for (let round = 1; round <= 2; round++) {
      const killed = kill(supervised);
      const back = () => said.filter((line) => line.includes('runs again')).length === round;
      expect(await eventually(back)).toBe(true);
      expect(supervised.status().restarts).toBe(round);
      expect(supervised.status().pid).not.toBe(killed);
    }
    expect(said[0]).toBe('qdrant ended (SIGKILL). Starting it again in 0.02 s.');
    expect(said[2]).toBe('qdrant ended (SIGKILL). Starting it again in 0.04 s.');
    await supervised.stop();
  });

  test('that cannot come back is tried again until it is stopped', async () => {
    let broken = false;
    const { start, said } = await setUp();
    const supervised = await start({
      prepare: () => (broken ? Promise.reject(new Error('still broken')) : Promise.resolve()),
    });
    broken = true;
    kill(supervised);
    expect(await eventually(() => said.length >= 3)).toBe(true);
    expect(said[1]).toBe('qdrant ended (still broken). Starting it again in 0.04 s.');
    await supervised.stop();
    const count = said.length;
    expect(supervised.status().pid).toBeUndefined();
    expect(said).toHaveLength(count);
  });

  test('that answers nothing more is started again, where it is one of those that come to such a state', async () => {
    const { start, said } = await setUp(fallsSilent);
    const supervised = await start({ startsAgainWhenSilent: true });
    const first = supervised.status().pid;
    expect(await eventually(() => supervised.status().restarts > 0)).toBe(true);
    expect(said[0]).toBe(
      'qdrant ended (it left 12 questions in a row unanswered). Starting it again in 0.02 s.',
    );
    expect(await eventually(() => said.some((line) => line.includes('runs again')))).toBe(true);
    expect(readStartTicks(first ?? 0)).toBeUndefined();
    await supervised.stop();
  });

  test.each([
    ['that answers', server, true],
    ['of another kind that answers nothing more', fallsSilent, undefined],
  ] as const)('%s is left alone', async (_which, script, startsAgainWhenSilent) => {
    const { start, spec, said } = await setUp(script);
    let asked = 0;
    const isReady = (signal: AbortSignal) => {
      asked += 1;
      return spec.isReady(signal);
    };
    const supervised = await start({
      isReady,
      ...(startsAgainWhenSilent === undefined ? {} : { startsAgainWhenSilent }),
    });
    // A server that is watched is asked more often than a silent one would need; the other one never again.
    if (startsAgainWhenSilent) await eventually(() => asked > 30);
    else for (let nth = 0; nth < 30; nth += 1) await spec.isReady(AbortSignal.timeout(60_000));
    expect(supervised.status().restarts).toBe(0);
    expect(said).toEqual([]);
    await supervised.stop();
  });

  test('that ends before it is ready is one error that names its log', async () => {
    const { start, spec } = await setUp('process.exit(3)');
    await expect(start()).rejects.toThrow(
      `qdrant ended before it was ready (exit code 3). Its log is ${spec.logFile}. It is empty.`,
    );
  });

  test('that ends before it is ready shows the last lines of its log', async () => {
    const { start } = await setUp(
      'for (let n = 0; n < 20; n += 1) console.log(`line ${n}`); process.exitCode = 3;',
    );
    const shown = Array.from({ length: 8 }, (_, nth) => `\n  line ${nth + 12}`).join('');
    await expect(start()).rejects.toThrow(`Its last lines:${shown}`);
  });

  test('that never answers is stopped and reported', async () => {
    const { start, childrenFile } = await setUp('setInterval(() => {}, 1000)');
    await expect(start({ hangsAfterMs: 300 })).rejects.toThrow(
      'was not ready, and has done nothing for',
    );
    expect(readChildList(childrenFile)).toEqual([]);
  });

  test('whose program is missing is one error', async () => {
    const { start } = await setUp();
    await expect(start({ command: '/nowhere/qdrant' })).rejects.toThrow(
      'qdrant did not start (ENOENT)',
    );
  });
});
