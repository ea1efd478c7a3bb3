/** What a person may do with what is said about that person. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refusal } from './answers.ts';
import { dataOf, openDesk, rowsOf, type Desk } from './desk-scene.ts';

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.service.close());

const own = async (token: string, query = '') => {
  const answer = await desk.service.call({ path: `/api/v1/self/knowledge${query}`, token });
  const next = answer.headers['x-next-cursor'];
  return { rows: rowsOf(answer), next: next === undefined ? undefined : String(next) };
};

const NOBODY = '01890000-0000-7000-8000-0000000000aa';

test('an API key is refused on every route of a person, also the key of that person', async () => {
  const { service, tokens } = desk;
  const paths = [
    ['GET', '/api/v1/self/knowledge'],
    ['GET', '/api/v1/self/consents'],
    ['POST', `/api/v1/self/consents/${NOBODY}`],
    ...['confirm', 'contest', 'redact'].map(
      (action) => ['POST', `/api/v1/self/knowledge/${NOBODY}/${action}`] as const,
    ),
  ] as const;
  for (const [method, path] of paths) {
    const json = method === 'POST' ? { json: {} } : {};
    const answer = await service.call({ method, path, token: tokens.relay, ...json });
    expect([path, ...refusal(answer)]).toEqual([path, 403, 'human_identity_required']);
  }
});

describe('the record of a person', () => {
  test('has what waits for a decision, the newest first, and nothing about others', async () => {
    const older = await desk.said('I play the cello.');
    const newer = await desk.said('I collect old maps.');
    const { rows } = await own(desk.tokens.alice);
    expect(rows.slice(0, 2)).toMatchObject([
      { id: newer, state: 'provisional', scope_path: '/team' },
      { id: older, state: 'provisional' },
    ]);
    expect((await own(desk.tokens.bob)).rows).toEqual([]);
  });

  test('comes page by page, without repetition', async () => {
    const all = (await own(desk.tokens.alice, '?limit=100')).rows.map(({ id }) => id);
    const paged: unknown[] = [];
    let cursor: string | undefined;
    do {
      const query = cursor === undefined ? '?limit=1' : `?limit=1&cursor=${cursor}`;
      const page = await own(desk.tokens.alice, query);
      paged.push(...page.rows.map(({ id }) => id));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(paged).toEqual(all);
  });

  test('takes no cursor that is not its own', async () => {
    const path = `/api/v1/self/knowledge?cursor=${NOBODY}`;
    const answer = await desk.service.call({ path, token: desk.tokens.alice });
    expect(refusal(answer)).toEqual([422, 'invalid_request', 'cursor']);
  });
});

describe.each(['confirm', 'contest', 'redact'])('%s', (action) => {
  test('of a statement about somebody else, or of none, is the same 404', async () => {
    const id = await desk.said(`I know the ${action} of everything.`);
    const foreign = await desk.own(action, id, {}, desk.tokens.bob);
    const missing = await desk.own(action, NOBODY, {}, desk.tokens.bob);
    expect(refusal(foreign)).toEqual([404, 'not_found']);
    expect(foreign.text).toBe(missing.text);
    expect(refusal(await desk.own(action, 'no-id'))).toEqual([404, 'not_found']);
  });

  test('of a statement that was superseded is a conflict, except to redact it', async () => {
    const id = await desk.said(`I sold the ${action} last week.`);
    await desk.service.rows("update knowledge set state = 'superseded' where id = $1", [id]);
    const answer = await desk.own(action, id);
    if (action === 'redact') expect(dataOf(answer)).toMatchObject({ state: 'redacted' });
    else expect(refusal(answer)).toEqual([409, 'conflict']);
  });
});

describe('a statement that its subject confirms', () => {
  test('is active in its scope, for every peer there', async () => {
    const id = await desk.said('I speak Portuguese.');
    const listed = async () =>
      rowsOf(await desk.service.knowledge(desk.tokens.bob)).map((row) => row['id']);
    expect(await listed()).not.toContain(id);
    expect(dataOf(await desk.own('confirm', id))).toMatchObject({
      id,
      state: 'active',
      confidence: 1,
      verification: 'subject_confirmed',
      target_level: 'peer',
    });
    expect(await listed()).toContain(id);
    expect(await desk.itemsOf(id)).toEqual([]);
  });

  test('ends when its subject says so', async () => {
    const id = await desk.said('I rent a garage.');
    const expires_at = '2031-05-01T12:00:00.000Z';
    expect(dataOf(await desk.own('confirm', id, { expires_at }))).toMatchObject({ expires_at });
    const past = await desk.own('confirm', id, { expires_at: '2020-01-01T00:00:00Z' });
    expect(refusal(past)).toEqual([422, 'invalid_request', 'expires_at']);
  });
});

describe('a statement that its subject contests', () => {
  test('leaves every listing, and waits for a curator with 24 hours', async () => {
    const id = await desk.said('I was born in Porto.');
    expect(dataOf(await desk.own('contest', id))).toMatchObject({ state: 'contested' });
    expect(dataOf(await desk.own('contest', id))).toMatchObject({ state: 'contested' });
    const listed = rowsOf(await desk.service.knowledge(desk.tokens.relay));
    expect(listed.map((row) => row['id'])).not.toContain(id);
    const [item, ...others] = await desk.itemsOf(id);
    expect(others).toEqual([]);
    expect(item).toMatchObject({ kind: 'contest', state: 'pending', reason: 'subject_contested' });
    const hours = (Date.parse(String(item?.['due_at'])) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
  });

  test.each([
    ['approve', 'provisional'],
    ['reject', 'rejected'],
  ])('is, after the curator says %s, %s', async (action, state) => {
    const id = await desk.said(`I was ${action} once in Faro.`);
    await desk.own('contest', id);
    const [item] = await desk.itemsOf(id);
    const answer = await desk.decide(item?.['id'], action, { version: item?.['version'] });
    expect(dataOf(answer)).toMatchObject({ knowledge: { id, state } });
  });

  test('said again with an idempotency key is the same answer', async () => {
    const id = await desk.said('I dislike fennel.');
    const send = () =>
      desk.service.call({
        path: `/api/v1/self/knowledge/${id}/contest`,
        token: desk.tokens.alice,
        json: {},
        headers: { 'idempotency-key': 'contest-1' },
      });
    expect((await send()).text).toBe((await send()).text);
  });
});

describe('a statement that its subject redacts', () => {
  test('is gone for everybody, and its text for the subject too', async () => {
    const id = await desk.said('I broke a leg in Ulm.');
    expect(dataOf(await desk.own('redact', id))).toMatchObject({
      id,
      state: 'redacted',
      statement: null,
    });
    expect((await own(desk.tokens.alice, '?limit=100')).rows.map((row) => row['id'])).not.toContain(
      id,
    );
    expect(await desk.itemsOf(id)).toEqual([]);
  });

  test('waits for a person when it is said again', async () => {
    const id = await desk.said('I owe money to Carl.');
    await desk.own('redact', id);
    await desk.service.ingestAndWait(desk.tokens.relay, {
      peer_key: 'alice',
      session_id: 'again',
      content: 'I owe money to Carl.',
    });
    const [again] = await desk.service.rows(
      `select state, previously_refused from knowledge
       where statement = (select statement from knowledge where id = $1) and id <> $1`,
      [id],
    );
    expect(again).toEqual({ state: 'held', previously_refused: true });
  });
});

describe('the consent of a subject', () => {
  /** A personal statement that asks to be placed for the whole scope, approved by a curator. */
  async function asked(
    content: string,
  ): Promise<{ readonly id: string; readonly consent: string }> {
    const id = await desk.said(content);
    await desk.service.rows(
      `update knowledge set state = 'held', held_scope_id = scope_id, target_level = 'scope',
         sensitivity = 'personal' where id = $1`,
      [id],
    );
    await desk.service.rows(
      `update review_items set target_level = 'scope', target_scope_id = scope_id where knowledge_id = $1`,
      [id],
    );
    const [item] = await desk.itemsOf(id);
    const answer = await desk.decide(item?.['id'], 'approve', { version: item?.['version'] });
    expect(dataOf(answer)).toMatchObject({
      review: { state: 'awaiting_consent' },
      knowledge: { state: 'held' },
    });
    const path = '/api/v1/self/consents';
    const consents = rowsOf(await desk.service.call({ path, token: desk.tokens.alice }));
    const consent = consents.find(({ knowledge }) => Object(knowledge).id === id);
    expect(consent).toMatchObject({ status: 'pending', target_scope_path: '/team' });
    return { id, consent: String(consent?.['id']) };
  }

  const answer = (consent: string, decision: string, token = desk.tokens.alice) =>
    desk.service.call({ path: `/api/v1/self/consents/${consent}`, token, json: { decision } });

  test('granted, carries out the approval that waited', async () => {
    const { consent, id } = await asked('I have an allergy to nuts.');
    expect(dataOf(await answer(consent, 'grant'))).toMatchObject({
      status: 'granted',
      knowledge: { id, state: 'active', target_level: 'scope' },
    });
  });

  test('denied, gives the proposal back to its subject, and stays denied', async () => {
    const { consent, id } = await asked('I have a scar on my knee.');
    expect(dataOf(await answer(consent, 'deny'))).toMatchObject({
      status: 'denied',
      knowledge: { id, state: 'provisional', target_level: 'peer' },
    });
    expect(refusal(await answer(consent, 'grant'))).toEqual([409, 'conflict']);
    expect(dataOf(await answer(consent, 'deny'))).toMatchObject({ status: 'denied' });
  });

  test('taken back, narrows what was placed to its subject', async () => {
    const { consent, id } = await asked('I take pills for my heart.');
    await answer(consent, 'grant');
    expect(dataOf(await answer(consent, 'deny'))).toMatchObject({
      knowledge: { id, state: 'active', target_level: 'peer' },
    });
  });

  test('is nobody else to give', async () => {
    const { consent } = await asked('I sleep badly in June.');
    expect(refusal(await answer(consent, 'grant', desk.tokens.bob))).toEqual([404, 'not_found']);
  });
});
