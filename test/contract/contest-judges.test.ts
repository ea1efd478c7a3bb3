/** Who decides a contest: nobody who is spoken of, or has said it, while somebody else can. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { refusal } from './answers.ts';
import { openDesk, type Desk } from './desk-scene.ts';
import type { Body } from '../support/service.ts';

let desk: Desk;
/** A person who is curator of `/team` and about whom, or by whom, nothing is said. */
const OTHERS = ['home-admin', 'curator', 'root'];

beforeAll(async () => {
  desk = await openDesk();
  await desk.service.home.grant('alice', { scope: '/team', role: 'curator' });
});
afterAll(() => desk.service.close());

const asOwner = (text: string, values: readonly unknown[] = []) => desk.service.rows(text, values);

beforeEach(async () => {
  await asOwner("delete from grants where effect = 'deny'");
  await asOwner('update logins set closed_at = null');
});

async function contested(content: string): Promise<{ readonly id: string; readonly item: Body }> {
  const id = await desk.said(content);
  await desk.own('contest', id);
  const [item] = await desk.itemsOf(id);
  if (item === undefined) throw new Error('nothing waits');
  return { id, item };
}

const judged = (item: Body, token: string, action = 'approve') =>
  desk.decide(item['id'], action, { version: item['version'] }, token);

/** The keys of the other people who could decide at `/team`, as the database has them. */
async function others(): Promise<readonly string[]> {
  const rows = await asOwner(
    `select distinct p.key from grants g join peers p on p.account_id = g.account_id and p.id = g.peer_id
     join logins l on l.account_id = p.account_id and l.peer_id = p.id
     where g.account_id = $1 and g.role in ('curator', 'account_admin') and g.scope_path in ('/', '/team')
       and p.key <> 'alice'`,
    [desk.service.home.id],
  );
  return rows.map(({ key }) => String(key));
}

test('a curator who is spoken of leaves the contest to others, whatever the decision', async () => {
  const { item } = await contested('I collect stamps.');
  expect((await others()).length).toBeGreaterThanOrEqual(OTHERS.length - 1);
  for (const action of ['approve', 'reject']) {
    expect(refusal(await judged(item, desk.tokens.alice, action))).toEqual([403, 'forbidden']);
  }
  expect((await judged(item, desk.tokens.curator)).status).toBe(200);
});

test('a contest is decided by nobody in a bulk of decisions', async () => {
  const { item } = await contested('I collect coins.');
  const answer = await desk.service.call({
    path: '/api/v1/governance/reviews/bulk',
    method: 'POST',
    token: desk.tokens.curator,
    json: { decisions: [{ id: item['id'], version: item['version'], action: 'approve' }] },
  });
  expect(answer.json()).toMatchObject({
    data: { results: [{ status: 'refused', code: 'conflict' }] },
  });
});

test('a curator who has said it leaves the contest to others', async () => {
  const { id, item } = await contested('I collect shells.');
  await asOwner(
    `insert into knowledge_submitters (account_id, knowledge_id, peer_id, scope_id, state, confidence, recorded_at)
     select k.account_id, k.id, p.id, k.scope_id, k.state::text, k.confidence, k.recorded_at
     from knowledge k join peers p on p.account_id = k.account_id and p.key like 'curator%'
     where k.account_id = $1 and k.id = $2`,
    [desk.service.home.id, id],
  );
  expect(refusal(await judged(item, desk.tokens.curator))).toEqual([403, 'forbidden']);
  expect((await judged(item, desk.tokens['root curator'])).status).toBe(200);
});

test('a curator who is spoken of decides where everybody else is denied the scope', async () => {
  const { item } = await contested('I collect maps.');
  for (const peer of await others()) {
    await desk.service.home.grant(peer, { scope: '/team', effect: 'deny', role: 'reader' });
  }
  expect((await judged(item, desk.tokens.alice)).status).toBe(200);
});

test('a curator who is spoken of decides where the logins of all others are closed', async () => {
  const { item } = await contested('I collect jars.');
  await asOwner(
    `update logins l set closed_at = now() from peers p
     where p.account_id = l.account_id and p.id = l.peer_id and p.key <> 'alice'`,
  );
  expect((await judged(item, desk.tokens.alice)).status).toBe(200);
});

test('other items are decided by curators who are spoken of', async () => {
  const id = await desk.said('I collect keys.');
  const [item] = await desk.itemsOf(id);
  expect((await judged(item ?? {}, desk.tokens.alice, 'reject')).status).toBe(200);
});
