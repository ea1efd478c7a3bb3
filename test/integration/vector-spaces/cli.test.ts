/** `vouch embeddings list`, `migrate` and `retire`, as they are typed. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCli } from '../../../cli/program.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { onlyThese } from '../identity/scene.ts';
import type { AccountScene } from '../search/account.ts';
import { openSpacesScene, rolesOf, type SpacesProcess, type SpacesScene } from './scene.ts';
import { readPromiseFiles } from '../../../stores/promises/read-file.ts';

let scene: SpacesScene;
let account: AccountScene;
let after: SpacesProcess;

beforeAll(async () => {
  scene = await openSpacesScene();
  account = await scene.account();
  after = scene.process(rolesOf(scene.stub.baseUrl));
  for (let n = 0; n < 3; n += 1) await account.statement({ text: `statement number ${n}` });
  await account.refresh();
});
afterAll(() => scene.close(), HANGS_MS);

async function* nothing(): AsyncGenerator<string> {}

async function vouch(...args: string[]) {
  const { vectorSpaces } = after.retrieval;
  if (vectorSpaces === undefined) throw new TypeError('there is a database');
  let [out, err] = ['', ''];
  const code = await runCli(['embeddings', ...args], {
    stdin: nothing(),
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    now: () => new Date(),
    signal: new AbortController().signal,
    promiseLines: readPromiseFiles,
    receiptKeyPem: () => Promise.resolve(''),
    open: async () => ({ environment: onlyThese({ vectorSpaces }), close: async () => undefined }),
  });
  return { code, out, err };
}

test('retire is refused in one line until the collection of the settings is ready', async () => {
  const { code, out, err } = await vouch('retire');
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/^vouch: .*not ready; migrate first.*\n$/);
});

test('migrate that fails has exit code 1, says why, and leaves its counts on standard output', async () => {
  scene.stub.script({ kind: 'status', status: 401 });
  const { code, out, err } = await vouch('migrate', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ switched: false, stopped: 'credentials_rejected' });
  expect(err.split('\n').at(-2)).toBe(
    'vouch: Searches still use the earlier vectors (credentials_rejected). Repair the cause and run vouch embeddings migrate again.',
  );
});

test('migrate shows how far it is on standard error, and one JSON value on standard output', async () => {
  const { code, out, err } = await vouch('migrate', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    switched: true,
    stopped: null,
    accounts: 1,
    accounts_done: 1,
    units: 3,
    written: 3,
    kept: 0,
    refused: 0,
  });
  expect(err).toMatch(
    /^100 %: 3 of 3 units \(3 written, 0 there before, 0 refused\), 1 of 1 accounts done$/m,
  );
});

test('migrate that has nothing to do is done, list shows both collections, and retire removes the old one', async () => {
  expect(await vouch('migrate')).toMatchObject({ code: 0 });
  const { out } = await vouch('list');
  expect(out.match(/ ready /g)).toHaveLength(2);
  expect(out).toMatch(/ 8 +ready +yes +3$/m);
  expect(out).toMatch(/ 384 +ready +no +3$/m);
  const retired = await vouch('retire', '--json');
  expect(retired.code).toBe(0);
  expect(JSON.parse(retired.out)).toEqual({ removed: [expect.stringContaining('_384_')] });
  expect((await vouch('list')).out.match(/ ready /g)).toHaveLength(1);
});

test.each(['list', 'migrate', 'retire'])('%s has help', async (name) => {
  const { code, out } = await vouch(name, '--help');
  expect(code).toBe(0);
  expect(out).toContain('--json');
});
