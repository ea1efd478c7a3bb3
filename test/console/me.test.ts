/** What a person is shown about herself, and her erasure from the form to the receipt. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/patience.ts';
import { PASSWORD, closeWithoutErrors, openScene, type Scene } from './scene.ts';

let scene: Scene;

const keys = mkdtempSync(join(tmpdir(), 'vouch-keys-'));

beforeAll(async () => {
  scene = await openScene({
    SERVICE_ERASURE_SETTLE_SECONDS: '2',
    SERVICE_RECEIPT_KEY_FILE: join(keys, 'receipt-key.pem'),
  });
});
afterAll(async () => {
  await closeWithoutErrors(scene?.service);
  rmSync(keys, { recursive: true, force: true });
});

test('a person sees everything that is stated about her, and nobody else does there', async () => {
  await scene.said('I grow tomatoes.', '/else/deep');
  const alice = await scene.signedIn('alice');
  const page = await alice.open('/console/me');
  expect(page.text).toContain('Alice grows tomatoes.');
  expect(page.text).toContain('Alice owns a red canoe.');
  const reader = await (await scene.signedIn('reader')).open('/console/me');
  expect(reader.text).toContain('There are no statements about you');
});

test('a person agrees that a statement is shared, and takes that back', async () => {
  const id = await scene.said('I am allergic to nuts.');
  await scene.service.rows(`update knowledge set sensitivity = 'personal' where id = $1`, [id]);
  const alice = await scene.signedIn('alice');
  await alice.submit(await alice.open(`/console/knowledge/${id}`), 'Yes, it is true');
  await scene.service.home.person('wide', { role: 'curator' });
  const wide = await scene.signedIn('wide');
  const own = await scene.service.rows('select id, state from knowledge where id = $1', [id]);
  expect(own[0]?.['state']).toBe('active');
  // A curator who may not read it still finds it in the queue once it is put forward.
  await scene.service.call({
    path: `/api/v1/governance/knowledge/${id}/promote`,
    token: await scene.service.home.person('root', { role: 'curator' }),
    json: { target_scope_path: '/' },
  });
  const [item] = await scene.service.rows(
    `select id from review_items where knowledge_id = $1 and kind = 'gate_b' and decided_at is null`,
    [id],
  );
  const page = await wide.open(`/governance/${String(item?.['id'])}`);
  await wide.submit(page, 'Share it more widely', { undo_seconds: '0' });
  expect((await alice.open('/console')).text).toContain('You are asked');
  const agreed = await alice.submit(await alice.open('/console/me'), 'Agree');
  expect(agreed.text).toContain('You agreed.');
  const back = await alice.submit(await alice.open('/console/me'), 'Take back your consent');
  expect(back.text).toContain('You did not agree. The service does not share it.');
});

test('a person has herself erased, follows it, and reads the receipt; every other page is closed', async () => {
  const alice = await scene.signedIn('alice');
  const other = await scene.signedIn('alice');
  const slip = await alice.submit(await alice.open('/console/me'), 'Erase me', { confirm: 'no' });
  expect([slip.status, slip.text.includes('must be the word')]).toEqual([422, true]);
  const page = await alice.submit(await alice.open('/console/me'), 'Erase me', {
    confirm: 'erase',
    mode: 'strict',
  });
  expect([page.status, page.path]).toEqual([
    200,
    expect.stringMatching(/^\/console\/me\/erasure\/[0-9a-f-]{36}$/),
  ]);
  const done = await eventually(async () => {
    const now = await alice.open(page.path);
    return now.text.includes('Receipt') && now;
  });
  expect(done.text).toContain('"signature"');
  expect(done.text).toContain('strict');
  for (const path of ['/console', '/console/me', '/console/knowledge']) {
    expect((await alice.open(path)).path).toContain('/sign-in');
  }
  expect((await other.open('/console')).path).toContain('/sign-in');
  expect((await other.open(page.path)).path).toContain('/sign-in');
  const browser = scene.browser();
  const again = await browser.submit(await browser.open('/sign-in'), 'Sign in', {
    email: scene.emailOf('alice'),
    password: PASSWORD,
  });
  expect(again.status).toBe(401);
  const left = await scene.service.rows(
    `select count(*)::int as n from browser_sessions b join credentials c
      on c.account_id = b.account_id and c.id = b.credential_id where c.name = 'erased'`,
  );
  expect(left).toEqual([{ n: 0 }]);
});
