/** `vouch costs`: the figures of an account at the terminal. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createScene, type Scene } from '../identity/scene.ts';
import { commandLine } from './command-line.ts';

let scene: Scene;
const { json, refused, vouch } = commandLine(() => scene);

beforeAll(async () => {
  scene = await createScene();
  const { accountId } = await scene.bootstrap();
  await scene.admin.query(
    `insert into provider_attempts (account_id, id, role, provider, model, model_version, state, metered,
       input_tokens, output_tokens, scope_id, reserved_at, dispatched_at, finished_at)
     select $1, gen_random_uuid(), 'ingest_extractor', 'openai-compatible', 'tiny', '1', 'success', true, 5000, 100, s.id,
       '2026-11-17T12:00:00Z', now(), now()
     from scopes s where s.account_id = $1 and s.path = '/'`,
    [accountId],
  );
  scene.clock = Date.parse('2026-11-20T00:00:00Z');
});
afterAll(() => scene?.close());

test('shows totals, roles and a table by day', async () => {
  const { code, err, out } = await vouch(['costs']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^days \(UTC\) +\d{4}-\d\d-\d\d to 2026-11-20$/m);
  expect(out).toMatch(/^estimated cost \(USD\) +0\.001080$/m);
  expect(out).toMatch(/^rates +planning-reference-v1 \(shipped\)$/m);
  expect(out).toMatch(/^calls +1$/m);
  expect(out).toMatch(/^USD a message +-$/m);
  expect(out).toMatch(/^ingest_extractor +5000 +100 +0$/m);
  expect(out).toMatch(/^2026-11-17 +1 +0 +0 +5000 +100 +0 +0\.001080$/m);
});

test.each([
  ['role', 'ingest_extractor'],
  ['model', 'openai-compatible:tiny'],
  ['scope', '/'],
])('shows a table by %s', async (by, key) => {
  const { out } = await vouch(['costs', '--by', by]);
  expect(out).toContain(`\n${by} `);
  expect(out.split('\n').some((line) => line.startsWith(`${key} `))).toBe(true);
});

test('takes the days of the table', async () => {
  const range = ['--from', '2026-11-01', '--to', '2026-11-16'];
  expect(await json(['costs', ...range])).toMatchObject({ event_count: 1, series: [] });
  expect((await vouch(['costs', ...range])).out).toMatch(/none\n$/);
});

test('refuses days that are none in one line, and other words as usage', async () => {
  expect(await refused(['costs', '--from', '2026-12-01'])).toContain('from');
  expect(await refused(['costs', '--from', 'yesterday'])).toContain('from');
  expect(await refused(['costs', '--account', 'nobody'])).toContain('account');
  expect((await vouch(['costs', '--by', 'week'])).code).toBe(2);
});
