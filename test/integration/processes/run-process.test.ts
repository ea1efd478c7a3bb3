/** `runProcess` in processes of its own, with a part that stands in for the API or the worker. */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { spawn, type ChildProcess } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/patience.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const run = new URL('../../../runtime/processes/run.ts', import.meta.url).href;
const path = new URL('../../../runtime/processes/', import.meta.url).pathname;

interface Started {
  readonly child: ChildProcess;
  readonly readyFile: string;
  /** Exit code and everything that was printed. */
  readonly end: Promise<{ code: unknown; signal: unknown; output: string }>;
}

/** Runs `start`, the source of an arrow function, as a worker that keeps a timer of its own alive. */
function startProcess(start: string, options = '{}'): Started {
  const readyFile = join(temporaryDirectory(), 'ready');
  const script = `
    import { runProcess } from ${JSON.stringify(run)};
    setInterval(() => {}, 1000);
    await runProcess('worker', process.env, ${start}, ${options});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: path,
    env: { SERVICE_READY_FILE: readyFile },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = text(child.stdout);
  const end = once(child, 'exit').then(async ([code, signal]) => ({
    code: code as unknown,
    signal: signal as unknown,
    output: await output,
  }));
  return { child, readyFile, end };
}

const whenReady = ({ readyFile }: Started) => eventually(() => existsSync(readyFile));

describe('a process whose work fails', () => {
  test('is no longer ready, closes what it started and exits with code 1', async () => {
    const started = startProcess(`async (config, log) => ({
      stopped: Promise.reject(new Error('a lane failed')),
      async close() {
        const { existsSync } = await import('node:fs');
        log.info(existsSync(config.settings.SERVICE_READY_FILE) ? 'close.early' : 'close.done');
      },
    })`);
    const { code, output } = await started.end;
    expect(code).toBe(1);
    expect(output).toContain('process.failed');
    expect(output).toContain('close.done');
    expect(existsSync(started.readyFile)).toBe(false);
  });

  test('exits with code 1 although it cannot be closed in time', async () => {
    const { end } = startProcess(
      `async () => ({ stopped: Promise.reject(new Error('a lane failed')), close: () => new Promise(() => {}) })`,
      '{ stopDeadlineMs: 200 }',
    );
    expect((await end).code).toBe(1);
  });

  test('exits with code 1 when its work ends without an error', async () => {
    const { end } = startProcess(
      `async () => ({ stopped: Promise.resolve(), close: async () => {} })`,
    );
    expect((await end).code).toBe(1);
  });

  test('exits with code 1 when it cannot start, whatever it left running', async () => {
    const started = startProcess(`async () => { throw new Error('no server'); }`);
    expect((await started.end).code).toBe(1);
    expect(existsSync(started.readyFile)).toBe(false);
  });
});

describe('a process that gets a stop signal', () => {
  const WORKING = `async (config, log) => ({
    stopped: new Promise(() => {}),
    async close() { log.info('close.done'); },
  })`;

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'closes at the first %s and exits with code 0',
    async (signal) => {
      const started = startProcess(WORKING);
      expect(await whenReady(started)).toBe(true);
      expect(readFileSync(started.readyFile, 'utf8')).toBe(String(started.child.pid));
      started.child.kill(signal);
      const { code, output } = await started.end;
      expect(code).toBe(0);
      expect(output).toContain('close.done');
      expect(existsSync(started.readyFile)).toBe(false);
    },
  );

  test('exits with code 1 when closing fails', async () => {
    const started = startProcess(
      `async () => ({ stopped: new Promise(() => {}), close: async () => { throw new Error('no'); } })`,
    );
    expect(await whenReady(started)).toBe(true);
    started.child.kill('SIGTERM');
    expect((await started.end).code).toBe(1);
  });
});
