import { describe, expect, test } from '@jest/globals';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from '../../../embedded/lock.ts';
import { identityOf, startIdle, startScript, temporaryDirectory } from '../../support/temporary.ts';

const lockModule = new URL('../../../embedded/lock.ts', import.meta.url).href;

describe('the lock of a data directory', () => {
  test('is held once, by name of its holder, until it is released', () => {
    const path = join(temporaryDirectory(), 'lock');
    const first = tryLock(path);
    const second = tryLock(path);
    expect(first.held).toBe(true);
    expect(second).toMatchObject({ held: false, holder: { pid: process.pid } });
    if (first.held) first.release();
    expect(tryLock(path).held).toBe(true);
  });

  test('is readable by its owner alone and leaves no draft behind', () => {
    const directory = temporaryDirectory();
    tryLock(join(directory, 'lock'));
    tryLock(join(directory, 'lock'));
    expect(readdirSync(directory)).toEqual(['lock']);
    expect(statSync(join(directory, 'lock')).mode & 0o777).toBe(0o600);
  });

  test('passes on when its holder was killed', async () => {
    const path = join(temporaryDirectory(), 'lock');
    const { child, identity } = await startIdle();
    writeFileSync(path, JSON.stringify(identity));
    expect(tryLock(path)).toEqual({ held: false, holder: identity });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    expect(tryLock(path).held).toBe(true);
  });

  test('is not held by a process that merely has the pid of a former holder', async () => {
    const path = join(temporaryDirectory(), 'lock');
    const { identity } = await startIdle();
    writeFileSync(path, JSON.stringify({ ...identity, startTicks: '1' }));
    expect(tryLock(path).held).toBe(true);
  });

  test('passes on when its file was cut short', () => {
    const path = join(temporaryDirectory(), 'lock');
    writeFileSync(path, '{"pid":');
    expect(tryLock(path).held).toBe(true);
  });

  test('released after another process took it over stays with that process', async () => {
    const path = join(temporaryDirectory(), 'lock');
    const mine = tryLock(path);
    const { child } = await startIdle();
    const other = JSON.stringify(identityOf(child));
    writeFileSync(path, other);
    if (mine.held) mine.release();
    expect(tryLock(path)).toMatchObject({ held: false, holder: { pid: child.pid } });
  });

  test('of a dead holder goes to exactly one of many processes that want it at once', async () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'lock');
    writeFileSync(path, JSON.stringify({ pid: 1, startTicks: '1', bootId: 'another boot' }));
    const script = `
      import { tryLock } from ${JSON.stringify(lockModule)};
      console.log('up');
      process.stdin.once('data', () => {
        process.stdout.write(tryLock(process.argv[1]).held ? 'held' : 'not');
        setInterval(() => {}, 1000);
      });`;
    const racers = await Promise.all(Array.from({ length: 6 }, () => startScript(script, path)));
    const answers = racers.map(
      (racer) =>
        new Promise<string>((resolve) =>
          racer.stdout?.once('data', (data) => resolve(String(data))),
        ),
    );
    for (const racer of racers) racer.stdin?.write('go\n');
    const held = (await Promise.all(answers)).filter((answer) => answer === 'held');
    expect(held).toEqual(['held']);
  });
});
