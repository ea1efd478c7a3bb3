/** The installed command as a process of its own. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createScene, PASSWORD, type Scene } from '../identity/scene.ts';

const LAUNCHER = fileURLToPath(new URL('../../../bin/vouch.mjs', import.meta.url));

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
});
afterAll(() => scene.close());

function vouch(
  args: readonly string[],
  stdin = '',
): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const environment = { PATH: '/usr/bin:/bin', DATABASE_URL: scene.appUrl };
    const child = execFile(
      process.execPath,
      [LAUNCHER, ...args],
      { env: environment, cwd: '/' },
      (_, out, err) => resolve({ code: child.exitCode, out, err }),
    );
    child.stdin?.end(stdin);
  });
}

test('the command needs only DATABASE_URL, and passes exit codes on', async () => {
  const bootstrap = ['bootstrap', '--email', 'a@example.org', '--password-stdin', '--json'];
  const made = await vouch(bootstrap, `${PASSWORD}\n`);
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(made.out)).toMatchObject({ changed: true });

  expect((await vouch(['account', 'list'])).out).toContain('community');
  const refused = await vouch(['key', 'revoke', '--id', 'nothing']);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(/^vouch: .*\n$/);
  expect((await vouch(['key', 'nonsense'])).code).toBe(2);
});
