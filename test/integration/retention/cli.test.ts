/** `vouch retention run`, as it is typed. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCli } from '../../../cli/program.ts';
import type { Retention } from '../../../engine/retention/retention.ts';
import { ReadinessStore } from '../../../stores/postgres/readiness.store.ts';
import { readPromiseFiles } from '../../../stores/promises/read-file.ts';
import { onlyThese } from '../identity/scene.ts';
import { Scene } from '../observations/scene.ts';
import { addCalls, addRuns, left, range, retentionOf, told } from './world.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

async function* nothing(): AsyncGenerator<string> {}

async function vouch(retention: Retention, args: readonly string[], signal?: AbortSignal) {
  let [out, err] = ['', ''];
  const code = await runCli(['retention', ...args], {
    stdin: nothing(),
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    now: () => new Date(),
    signal: signal ?? new AbortController().signal,
    promiseLines: readPromiseFiles,
    receiptKeyPem: () => Promise.resolve(''),
    open: async () => ({ environment: onlyThese({ retention }), close: async () => undefined }),
  });
  return { code, out, err };
}

async function oldAccount(): Promise<string> {
  const account = await scene.account();
  await addCalls(scene, account, { what: 'call', days: range(390.5, 409.5) });
  await addRuns(scene, account, {
    what: 'run',
    kind: 'regate',
    status: 'completed',
    days: [40, 1],
  });
  return account;
}

const NOTHING_MORE = {
  usage_days: 0,
  request_days: 0,
  gate_decisions: 0,
  lifecycle_events: 0,
  tokens: 0,
};

test('it prunes every account once, counts, and completes a pass', async () => {
  const accounts = [await oldAccount(), await oldAccount()];
  const { code, err, out } = await vouch(retentionOf(scene), ['run', '--json']);
  expect([code, err]).toEqual([0, '2 accounts\n']);
  expect(JSON.parse(out)).toEqual({
    accounts: 2,
    failed: 0,
    completed: true,
    pruned: { attempts: 20, runs: 2, ...NOTHING_MORE },
  });
  for (const account of accounts) {
    expect(await left(scene, account, 'pipeline_runs')).toEqual({ run: [1] });
    expect(await told(scene, account)).toEqual([{ attempts: 10, runs: 1 }]);
  }
  expect((await new ReadinessStore(scene.pool).retention()).completedAt).not.toBeNull();
  const again = await vouch(retentionOf(scene), ['run']);
  expect([again.code, again.out]).toEqual([0, expect.stringMatching(/^accounts +2\nruns +0\n/)]);
});

test('it has exit code 1 when a page failed, and when it was interrupted, and says so in one line', async () => {
  const account = await oldAccount();
  const whole = retentionOf(scene);
  const failing: Retention = {
    ...whole,
    async turn(input) {
      const done = await whole.turn(input);
      return { ...done, failed: input.accountId === account ? 1 : 0 };
    },
  };
  const failed = await vouch(failing, ['run']);
  expect(failed.code).toBe(1);
  expect(failed.err.split('\n').at(-2)).toMatch(/^vouch: Rows of 1 accounts are left/);
  expect(await new ReadinessStore(scene.pool).retention()).toMatchObject({ failedAccounts: 1 });

  const interrupted = new AbortController();
  const stopping: Retention = {
    ...whole,
    turn(input) {
      interrupted.abort();
      return whole.turn(input);
    },
  };
  const { code, err } = await vouch(stopping, ['run'], interrupted.signal);
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/vouch: Interrupted before every account was reached/),
  ]);
  // That pass is not the last one.
  expect(await new ReadinessStore(scene.pool).retention()).toMatchObject({ failedAccounts: 1 });
});
