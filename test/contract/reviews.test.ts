/** The queue of curators: who sees which items, and what a decision does. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refusal } from './answers.ts';
import { dataOf, openDesk, type Desk } from './desk-scene.ts';
import type { Body } from '../support/service.ts';

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.service.close());

const REVIEWS = '/api/v1/governance/reviews';
const list = async (token: string, query = '') => {
  const { items, next_cursor: next } = dataOf(
    await desk.service.call({ path: `${REVIEWS}${query}`, token }),
  );
  if (!Array.isArray(items)) throw new Error('no items');
  return {
    items: items.map((item): Body => Object(item)),
    next: typeof next === 'string' ? next : null,
  };
};
const idsOf = (items: readonly Body[]) => items.map(({ id }) => id);

async function waiting(content: string): Promise<{ readonly id: string; readonly item: Body }> {
  const id = await desk.said(content);
  const [item] = await desk.itemsOf(id);
  if (item === undefined) throw new Error('nothing waits');
  return { id, item };
}

describe('the list', () => {
  test('is for people who are curators somewhere', async () => {
    const { service, tokens } = desk;
    const asked = (token: string) => service.call({ path: REVIEWS, token });
    expect(refusal(await asked(tokens.relay))).toEqual([403, 'human_identity_required']);
    expect(refusal(await asked(tokens.bob))).toEqual([403, 'forbidden']);
  });

  test('has the items of the scopes that the caller curates, and no others', async () => {
    const { item } = await waiting('I keep bees.');
    const seenBy = async (token: string) => idsOf((await list(token, '?limit=100')).items);
    expect(await seenBy(desk.tokens.curator)).toContain(item['id']);
    expect(await seenBy(desk.tokens['root curator'])).toContain(item['id']);
    expect(await seenBy(desk.tokens['curator elsewhere'])).toEqual([]);
  });

  test('shows the statement, why it waits, and until when', async () => {
    const { id, item } = await waiting('I sing in a choir.');
    expect(item).toEqual({
      id: expect.any(String),
      version: 1,
      kind: 'gate_a_b',
      state: 'pending',
      reason: 'person_decides',
      knowledge: expect.objectContaining({ id, state: 'provisional', scope_path: '/team' }),
      conflict_knowledge_id: null,
      target_scope_path: null,
      target_level: 'peer',
      proposed_sensitivity: null,
      restored_state: null,
      due_at: expect.any(String),
      escalated_at: null,
      opened_at: expect.any(String),
      subject: { key: 'alice', name: 'alice' },
      session_id: expect.stringMatching(/^desk-/),
      scheduled: null,
      voided: null,
    });
  });

  test.each(['due', 'newest'])('comes page by page in the order %s', async (order) => {
    const { curator } = desk.tokens;
    const all = idsOf((await list(curator, `?limit=100&order=${order}`)).items);
    const paged: unknown[] = [];
    let cursor: string | null = null;
    do {
      const after: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page = await list(curator, `?limit=1&order=${order}${after}`);
      paged.push(...idsOf(page.items));
      cursor = page.next;
    } while (cursor !== null);
    expect(paged).toEqual(all);
  });

  test.each([
    ['kind=contest', 0],
    ['kind=gate_a_b', 1],
    ['state=escalated', 0],
    ['subject_key=nobody', 0],
    ['subject_key=alice', 1],
    ['scope_path=/else', 0],
    ['scope_path=/team', 1],
  ])('filtered by %s has %s items or more', async (query, least) => {
    const { items } = await list(desk.tokens.curator, `?limit=100&${query}`);
    expect(Math.min(items.length, 1)).toBe(least);
  });
});

describe('one item', () => {
  test('has the words of its sources, who sees it before and after, and is looked at on record', async () => {
    const { item } = await waiting('I paint doors green.');
    const path = `${REVIEWS}/${String(item['id'])}`;
    const one = dataOf(await desk.service.call({ path, token: desk.tokens.curator }));
    expect(one).toMatchObject({
      sources: [{ excerpt: 'I paint doors green.' }],
      conflicts: [],
      audience: {
        before: { readers: 'submitters', scope_path: '/team' },
        after: { readers: 'scope', scope_path: '/team' },
      },
      consent: null,
      decisions: [
        { record_version: 'f4-1', decision: 'provisional' },
        { record_version: 'f4-1', decision: 'defer' },
      ],
    });
    const [looked] = await desk.service.rows(
      "select metadata from audit_events where action = 'review.looked_at' and resource_id = $1",
      [item['id']],
    );
    expect(looked).toEqual({ metadata: { sources: 1 } });
    // Nobody else who was not there sees words of messages: each of them is on record by its own id.
    const [source] = Array.from(Object(one['sources']), (each) => Object(each));
    const message = await desk.service.rows(
      `select actor_kind, resource_type, metadata from audit_events
       where action = 'message.looked_at' and resource_id = $1`,
      [source?.message_id],
    );
    expect(message).toEqual([
      {
        actor_kind: 'credential',
        resource_type: 'message',
        metadata: { review_item_id: item['id'] },
      },
    ]);
  });

  test('shows its source around the words that support the statement', async () => {
    const chatter = (n: number) => `How long was day ${n} 😀? `.repeat(40);
    const { item } = await waiting(`${chatter(1)}I paint gates blue. ${chatter(2)}`);
    const path = `${REVIEWS}/${String(item['id'])}`;
    const { sources } = dataOf(await desk.service.call({ path, token: desk.tokens.curator }));
    const [excerpt] = Array.from(Object(sources), (source) => String(Object(source).excerpt));
    expect(excerpt).toMatch(/^….*day 1 😀\? I paint gates blue\. How long was day 2.*…$/u);
    expect([...new Intl.Segmenter('und').segment(excerpt ?? '')]).toHaveLength(482);
  });

  test('does not exist for curators of other scopes', async () => {
    const { item } = await waiting('I mend clocks.');
    const path = `${REVIEWS}/${String(item['id'])}`;
    const answer = await desk.service.call({ path, token: desk.tokens['curator elsewhere'] });
    expect(refusal(answer)).toEqual([404, 'not_found']);
    const decided = await desk.decide(
      item['id'],
      'approve',
      { version: 1 },
      desk.tokens['curator elsewhere'],
    );
    expect(refusal(decided)).toEqual([404, 'not_found']);
  });
});

describe('a decision', () => {
  test('approve places the statement as proposed, with a date of revalidation', async () => {
    const { id, item } = await waiting('I fish for trout.');
    const answer = dataOf(await desk.decide(item['id'], 'approve', { version: 1 }));
    expect(answer).toMatchObject({
      review: { state: 'approved', version: 2 },
      knowledge: { id, state: 'active', verification: 'curator_approved' },
    });
    expect(Object(answer['knowledge']).revalidate_after).not.toBeNull();
    const decisions = await desk.service.rows(
      `select channel, verified, decision, from_state, to_state, review_item_id from gate_decisions
       where knowledge_id = $1 and channel <> 'pipeline'`,
      [id],
    );
    expect(decisions).toEqual([
      {
        channel: 'api',
        verified: true,
        decision: 'approve',
        from_state: 'provisional',
        to_state: 'active',
        review_item_id: item['id'],
      },
    ]);
  });

  test('is made once: a second one, or one about another version, is a conflict', async () => {
    const { item } = await waiting('I row at dawn.');
    const stale = await desk.decide(item['id'], 'approve', { version: 7 });
    expect(refusal(stale)).toEqual([409, 'conflict']);
    const both = await Promise.all([
      desk.decide(item['id'], 'approve', { version: 1 }),
      desk.decide(item['id'], 'reject', { version: 1 }, desk.tokens['root curator']),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test('reject refuses the statement, and its words from then on', async () => {
    const { id, item } = await waiting('I lost a bet.');
    await desk.decide(item['id'], 'reject', { version: 1 });
    expect(await desk.row(id)).toMatchObject({
      state: 'rejected',
      verification: 'curator_rejected',
    });
  });

  test('defer gives a day, or what is asked for within 30 days, and no contest waits', async () => {
    const { id, item } = await waiting('I ski in April.');
    const deferred = dataOf(await desk.decide(item['id'], 'defer', { version: 1 }));
    expect(deferred).toMatchObject({ review: { state: 'deferred', version: 2 } });
    const far = await desk.decide(item['id'], 'defer', {
      version: 2,
      until: '2040-01-01T00:00:00Z',
    });
    expect(refusal(far)).toEqual([422, 'invalid_request', 'until']);
    await desk.own('contest', id);
    const [contest] = await desk.itemsOf(id);
    const answer = await desk.decide(contest?.['id'], 'defer', { version: contest?.['version'] });
    expect(refusal(answer)).toEqual([409, 'conflict']);
  });

  test('of many, one refused does not keep the others from being decided', async () => {
    const [one, two] = [await waiting('I draw trams.'), await waiting('I repair old kilns.')];
    const decisions = [
      { id: one.item['id'], version: 9, action: 'approve' },
      { id: two.item['id'], version: 1, action: 'approve' },
    ];
    const send = () =>
      desk.service.call({
        path: `${REVIEWS}/bulk`,
        token: desk.tokens.curator,
        json: { decisions },
        headers: { 'idempotency-key': 'bulk-1' },
      });
    const results = [
      { id: one.item['id'], status: 'refused', code: 'conflict' },
      { id: two.item['id'], status: 'decided', code: null },
    ];
    expect(dataOf(await send())).toEqual({ results });
    expect(dataOf(await send())).toEqual({ results });
  });
});

describe('a promotion', () => {
  const promote = (id: string, target: string, token = desk.tokens['root curator']) =>
    desk.service.call({
      path: `/api/v1/governance/knowledge/${id}/promote`,
      token,
      json: { target_scope_path: target },
    });

  async function placed(content: string): Promise<string> {
    const { id, item } = await waiting(content);
    await desk.decide(item['id'], 'approve', { version: 1 });
    return id;
  }

  test('changes nothing until it is approved, and then moves the statement', async () => {
    const id = await placed('I mend clocks at the mill.');
    const asked = dataOf(await promote(id, '/'));
    expect(asked).toMatchObject({
      review: { kind: 'gate_b', target_scope_path: '/', target_level: 'account' },
      knowledge: { state: 'active', scope_path: '/team', target_level: 'peer' },
    });
    const { id: itemId, version } = Object(asked['review']);
    const { curator, 'root curator': root } = desk.tokens;
    const below = await desk.decide(itemId, 'approve', { version }, curator);
    expect(refusal(below)).toEqual([403, 'forbidden']);
    expect(dataOf(await desk.decide(itemId, 'approve', { version }, root))).toMatchObject({
      knowledge: { state: 'active', scope_path: '/', target_level: 'account' },
    });
  });

  test('is for what is active, to a scope above it, by a curator there', async () => {
    const id = await placed('I bake rye bread.');
    const { id: unplaced } = await waiting('I bake wheat bread.');
    expect(refusal(await promote(unplaced, '/'))).toEqual([409, 'conflict']);
    expect(refusal(await promote(id, '/team'))).toEqual([
      422,
      'invalid_request',
      'target_scope_path',
    ]);
    expect(refusal(await promote(id, '/', desk.tokens.curator))).toEqual([403, 'forbidden']);
    expect(refusal(await promote(id, '/', desk.tokens['curator elsewhere']))).toEqual([
      404,
      'not_found',
    ]);
  });

  test('that is rejected leaves the statement as it is', async () => {
    const id = await placed('I carve spoons.');
    const { id: itemId, version } = Object(dataOf(await promote(id, '/'))['review']);
    await desk.decide(itemId, 'reject', { version }, desk.tokens['root curator']);
    expect(await desk.row(id)).toMatchObject({ state: 'active', target_level: 'peer' });
  });
});
