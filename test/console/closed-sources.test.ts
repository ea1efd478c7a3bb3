/**
 * A statement may stand wider than what it was drawn from. Who was there when it was said, and may not read that scope
 * any more, is shown neither the words nor their ids: not on its page, in no list, by no filter.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { signIn } from '../support/account.ts';
import { dataOf, rowsOf, type Body } from '../support/service.ts';
import { closeWithoutErrors, openScene, type Browser, type Scene } from './scene.ts';

const WORDS = 'I own a brass sextant.';

let scene: Scene;
let alice: Browser;
let token: string;
let statement: string;
let message: string;

const call = (path: string, json?: Body, as = token) =>
  scene.service.call({
    path,
    token: as,
    ...(json === undefined ? {} : { method: 'POST', json }),
  });

/** Ids of the sources of the statement, as the lists of the scope and of the subject show them. */
async function listed(): Promise<readonly unknown[]> {
  const scope = rowsOf(await scene.service.knowledge(token, { scope_path: '/team' }));
  const own = rowsOf(await call('/api/v1/self/knowledge'));
  return [scope, own].map(
    (rows) => rows.find(({ id }) => id === statement)?.['source_message_ids'],
  );
}

async function foundBySource(): Promise<number> {
  const asked = {
    query: 'sextant',
    scope_path: '/team',
    source_filters: { source_message_id: message },
  };
  const { candidates } = dataOf(await call('/api/v1/search', asked));
  return Array.isArray(candidates) ? candidates.length : -1;
}

const signedIn = () => signIn((sent) => scene.service.call(sent), scene.emailOf('alice'));

beforeAll(async () => {
  scene = await openScene();
  const { service } = scene;
  alice = await scene.signedIn('alice');
  token = await signedIn();
  statement = await scene.said(WORDS, '/team/secret');
  const [source] = await service.rows('select message_id from provenance where knowledge_id = $1', [
    statement,
  ]);
  message = String(source?.['message_id']);
  const curator = await service.home.person('deciding', { role: 'curator' });
  const promote = `/api/v1/governance/knowledge/${statement}/promote`;
  await alice.submit(await alice.open(`/console/knowledge/${statement}`), 'Yes, it is true');
  const { review } = dataOf(await call(promote, { target_scope_path: '/team' }, curator));
  const decide = `/api/v1/governance/reviews/${String(Object(review).id)}/approve`;
  const decided = await call(decide, { version: Object(review).version }, curator);
  expect(dataOf(decided)).toMatchObject({ knowledge: { scope_path: '/team', state: 'active' } });
  await service.home.reindex();
});
afterAll(async () => closeWithoutErrors(scene?.service));

test('what was drawn from a scope beside the chain shows its sources to who was there and may read it', async () => {
  expect((await alice.open(`/console/knowledge/${statement}`)).text).toContain(WORDS);
  expect(await listed()).toEqual([[message], [message]]);
  expect(await foundBySource()).toBe(1);
  expect((await call(`/api/v1/ingest/${message}`)).status).toBe(200);
});

test('whom a deny has closed the scope to is shown the statement without words, ids or a way to probe for them', async () => {
  await scene.service.home.grant('alice', { scope: '/team/secret', effect: 'deny' });
  // A token is remembered with its rights for a few seconds; a new one is not.
  token = await signedIn();
  const page = await alice.open(`/console/knowledge/${statement}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain('sextant');
  expect(page.text).not.toContain(WORDS);
  expect(await listed()).toEqual([[], []]);
  expect(await foundBySource()).toBe(0);
  expect((await call(`/api/v1/ingest/${message}`)).status).toBe(404);
});
