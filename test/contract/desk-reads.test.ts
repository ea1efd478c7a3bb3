/** What curators are shown before they decide: people, dates and turns, sides of a contradiction, counts and readers. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refusal } from './answers.ts';
import { dataOf, openDesk, type Desk } from './desk-scene.ts';
import { base64, submitAndWait } from '../support/documents.ts';
import type { Body } from '../support/service.ts';

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.service.close());

const REVIEWS = '/api/v1/governance/reviews';
const ALICE = { key: 'alice', name: 'alice' };
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const bodiesIn = (value: unknown): readonly Body[] =>
  Array.isArray(value) ? value.map((each): Body => Object(each)) : [];

const get = async (path: string, token = desk.tokens.curator): Promise<Body> =>
  dataOf(await desk.service.call({ path: `${REVIEWS}${path}`, token }));
const post = (path: string, json: Body, token = desk.tokens.curator) =>
  desk.service.call({ method: 'POST', path: `${REVIEWS}${path}`, json, token });
const read = (item: Body, token?: string) => get(`/${String(item['id'])}`, token);

let sessions = 0;
/** Turns of one session, a minute apart, of which each is told by whom and to whom. */
async function spoken(
  turns: readonly (Body & { readonly content: string })[],
): Promise<{ readonly session: string; readonly ids: readonly string[]; readonly item: Body }> {
  sessions += 1;
  const session = `talk-${sessions}`;
  const ids: string[] = [];
  let item: Body = {};
  for (const [minute, turn] of turns.entries()) {
    const told = await desk.service.ingestAndWait(desk.tokens.relay, {
      peer_key: 'alice',
      session_id: session,
      occurred_at: `2026-05-01T10:${String(minute).padStart(2, '0')}:00Z`,
      ...turn,
    });
    ids.push(told.messageId);
    const id = told.knowledge[0]?.['id'];
    if (id !== undefined) [item = item] = await desk.itemsOf(text(id));
  }
  return { session, ids, item };
}

const wordsIn = (turns: unknown) => bodiesIn(turns).map(({ excerpt }) => excerpt);

async function lookedAtMessages(item: Body): Promise<unknown[]> {
  const rows = await desk.service.rows(
    `select resource_id from audit_events where action = 'message.looked_at'
       and metadata ->> 'review_item_id' = $1`,
    [item['id']],
  );
  return rows.map((row) => row['resource_id']);
}

describe('the sources of an item', () => {
  test('say who spoke, when, through whom, and the two turns before and after', async () => {
    const { ids, item, session } = await spoken([
      { content: 'Good morning?' },
      { content: 'How are you?' },
      { content: 'Shall we begin?', peer_key: desk.service.home.emailOf('bob') },
      { content: 'I collect old maps.' },
      { content: 'Which ones?', peer_key: desk.service.home.emailOf('bob') },
      { content: 'Did you see them?' },
      { content: 'Shall we stop?' },
    ]);
    const { sources } = await read(item);
    const [source = {}] = bodiesIn(sources);
    expect(source).toMatchObject({
      message_id: ids[3],
      excerpt: 'I collect old maps.',
      occurred_at: '2026-05-01T10:03:00.000Z',
      speaker: ALICE,
      relay: { key: 'relay' },
      session_id: session,
      document: null,
    });
    expect(wordsIn(source['before'])).toEqual(['How are you?', 'Shall we begin?']);
    expect(wordsIn(source['after'])).toEqual(['Which ones?', 'Did you see them?']);
    expect(bodiesIn(source['before'])[0]).toMatchObject({
      message_id: ids[1],
      occurred_at: '2026-05-01T10:01:00.000Z',
      speaker: ALICE,
    });
    // Every message that was shown is on record, and no other.
    expect(new Set(await lookedAtMessages(item))).toEqual(new Set(ids.slice(1, 6)));
  });

  test('pass over turns that are not meant for the curator', async () => {
    const { item } = await spoken([
      { content: 'Is it open?' },
      { content: 'Is it secret?', audience: { peers: [desk.service.home.emailOf('bob')] } },
      { content: 'I repair umbrellas.' },
    ]);
    const [source = {}] = bodiesIn((await read(item))['sources']);
    expect(wordsIn(source['before'])).toEqual(['Is it open?']);
  });

  test('pass over turns of a person who is being erased', async () => {
    const { item } = await spoken([
      { content: 'Is it mine?' },
      { content: 'Is it yours?', peer_key: 'leaver' },
      { content: 'I restore radios.' },
    ]);
    await desk.service.rows("update peers set erasing_at = now() where key = 'leaver'");
    const [source = {}] = bodiesIn((await read(item))['sources']);
    expect(wordsIn(source['before'])).toEqual(['Is it mine?']);
  });

  test('pass over turns of another scope of the same session', async () => {
    const { item } = await spoken([
      { content: 'Is it there?', scope_path: '/else' },
      { content: 'I breed pigeons.' },
    ]);
    const [source = {}] = bodiesIn((await read(item, desk.tokens['root curator']))['sources']);
    expect(source['before']).toEqual([]);
  });

  test('that were said where only others curate are not shown, and neither is their session', async () => {
    const { ids, item } = await spoken([{ content: 'I tune pianos.' }]);
    await desk.service.rows(
      `with elsewhere as (
         insert into session_scopes (account_id, session_id, scope_id)
         select m.account_id, m.session_id, s.id from messages m
         join scopes s on s.account_id = m.account_id and s.path = '/else' where m.id = $1
         returning scope_id
       ) update messages m set scope_id = (select scope_id from elsewhere) where m.id = $1`,
      [ids[0]],
    );
    expect(await read(item)).toMatchObject({ sources: [], session_id: null });
    const seen = await read(item, desk.tokens['root curator']);
    expect(seen).toMatchObject({ sources: [{ message_id: ids[0] }] });
  });
});

describe('a source of a document', () => {
  test('says which one, and has the parts beside it', async () => {
    const { item } = await spoken([{ content: 'I polish brass lamps.' }]);
    const parts = [1, 2, 3, 4].map((n) => `# Part ${n}\n\nThe lamp number ${n} is clean.`);
    const version = await submitAndWait(desk.service, desk.tokens.relay, {
      content_base64: base64(parts.join('\n\n')),
      title: 'Lamps',
    });
    const chunks = await desk.service.rows(
      'select id from messages where document_version_id = $1 order by chunk_index',
      [version['document_version_id']],
    );
    expect(chunks).toHaveLength(4);
    await desk.service.rows(
      `insert into provenance (account_id, knowledge_id, message_id, speaker_peer_id, source_key)
       select m.account_id, $1, m.id, m.speaker_peer_id, gen_random_uuid() from messages m where m.id = $2`,
      [Object(item['knowledge']).id, chunks[1]?.['id']],
    );
    const source = bodiesIn((await read(item))['sources']).find(
      ({ message_id: id }) => id === chunks[1]?.['id'],
    );
    expect(source).toMatchObject({
      session_id: null,
      document: { id: expect.any(String), title: 'Lamps', version: 1 },
      before: [{ message_id: chunks[0]?.['id'] }],
      after: [{ message_id: chunks[2]?.['id'] }, { message_id: chunks[3]?.['id'] }],
    });
  });
});

describe('an item', () => {
  test('has both sides of a contradiction, each with its sources', async () => {
    const one = await spoken([{ content: 'I own a green boat.' }]);
    const other = await spoken([{ content: 'I own a yellow boat.' }]);
    const [conflict] = await desk.service.rows(
      `insert into review_items (has_audience, account_id, id, knowledge_id, scope_id, subject_peer_id, kind, reason, due_at,
         conflict_knowledge_id)
       select item.has_audience, item.account_id, gen_random_uuid(), item.knowledge_id, item.scope_id, item.subject_peer_id, 'conflict',
         'contradicts', item.due_at, other.knowledge_id
       from review_items item, review_items other where item.id = $1 and other.id = $2 returning id`,
      [one.item['id'], other.item['id']],
    );
    const { conflicts } = await read(conflict ?? {});
    expect(conflicts).toEqual([
      expect.objectContaining({
        statement: Object(other.item['knowledge']).statement,
        sources: [
          expect.objectContaining({
            message_id: other.ids[0],
            excerpt: 'I own a yellow boat.',
            speaker: ALICE,
            session_id: other.session,
          }),
        ],
      }),
    ]);
    expect(await lookedAtMessages(conflict ?? {})).toContain(other.ids[0]);
  });

  test('names who decided before', async () => {
    const { item } = await spoken([{ content: 'I carve spoons.' }]);
    await desk.decide(item['id'], 'approve', { version: 1 });
    const id = String(Object(item['knowledge']).id);
    await desk.own('contest', id, { reason: 'I never said that.', correction: 'I carve forks.' });
    const [contest = {}] = await desk.itemsOf(id);
    const one = await read(contest);
    expect(
      bodiesIn(one['decisions']).map(({ by, decision }) => [decision, Object(by).name]),
    ).toEqual(
      expect.arrayContaining([
        ['approve', 'curator'],
        ['provisional', undefined],
      ]),
    );
    expect(one['words']).toEqual({
      reason: 'I never said that.',
      correction: 'I carve forks.',
      by: ALICE,
      said_at: expect.any(String),
    });
  });

  test('has no words of a statement that has lost its text', async () => {
    const { item } = await spoken([{ content: 'I knit scarves.' }]);
    const id = String(Object(item['knowledge']).id);
    await desk.own('contest', id, { reason: 'That was my sister.' });
    const [contest = {}] = await desk.itemsOf(id);
    await desk.own('redact', id);
    expect(await read(contest)).toMatchObject({ words: null });
  });

  test('says which decision waits, and why an earlier one was not carried out', async () => {
    const { item } = await spoken([{ content: 'I fly kites.' }]);
    await desk.decide(item['id'], 'approve', { version: 1, undo_seconds: 60 });
    const by = { action: 'approve', decided_by: { key: expect.any(String), name: 'curator' } };
    const [waiting = {}] = await desk.itemsOf(String(Object(item['knowledge']).id));
    expect(waiting).toMatchObject({
      scheduled: { ...by, due_at: expect.any(String) },
      voided: null,
    });
    await desk.service.rows(
      `update scheduled_decisions set state = 'void', ended_at = now(), end_reason = 'item_changed'
       where review_item_id = $1`,
      [item['id']],
    );
    const [returned = {}] = await desk.itemsOf(String(Object(item['knowledge']).id));
    expect(returned).toMatchObject({
      scheduled: null,
      voided: { ...by, reason: 'item_changed', at: expect.any(String) },
    });
  });

  test('says how many people read the statement now and afterwards', async () => {
    const { item } = await spoken([{ content: 'I press flowers.' }]);
    const { audience } = await read(item);
    // Alice and the agent who passed it on; then everybody with a role at the scope.
    expect(audience).toMatchObject({
      before: { readers: 'submitters', people: { count: 2, is_capped: false } },
      after: { readers: 'scope', people: { count: 6, is_capped: false } },
    });
    await desk.service.home.grant(desk.service.home.emailOf('bob'), {
      scope: '/team',
      effect: 'deny',
    });
    const then = await read(item);
    expect(then['audience']).toMatchObject({ after: { people: { count: 5 } } });
  });
});

describe('the summary', () => {
  const summary = async (token: string, query = '') =>
    bodiesIn((await get(`/summary${query}`, token))['kinds']);
  const countOf = async (kind: string, token = desk.tokens.curator, query = '') =>
    Number((await summary(token, query)).find((each) => each['kind'] === kind)?.['count']);

  test('is for people who are curators somewhere', async () => {
    const { service, tokens } = desk;
    const asked = (token: string) => service.call({ path: `${REVIEWS}/summary`, token });
    expect(refusal(await asked(tokens.relay))).toEqual([403, 'human_identity_required']);
    expect(refusal(await asked(tokens.bob))).toEqual([403, 'forbidden']);
  });

  test('has each kind in order, with the age of the oldest', async () => {
    const { item } = await spoken([{ content: 'I plant hedges.' }]);
    const kinds = await summary(desk.tokens.curator);
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'gate_a_b',
      'gate_b',
      'revalidation',
      'contest',
      'conflict',
    ]);
    const [first = {}] = kinds;
    expect(first).toMatchObject({ is_capped: false });
    expect(Date.parse(text(first['oldest_at']))).toBeLessThanOrEqual(
      Date.parse(text(item['opened_at'])),
    );
    expect(kinds[1]).toEqual({ kind: 'gate_b', count: 0, is_capped: false, oldest_at: null });
  });

  test('counts what the list shows, below the path', async () => {
    const { items } = await get('?limit=100&kind=gate_a_b');
    expect(await countOf('gate_a_b')).toBe(bodiesIn(items).length);
    expect(await countOf('gate_a_b', desk.tokens.curator, '?scope_path=/else')).toBe(0);
    expect(await countOf('gate_a_b', desk.tokens['curator elsewhere'])).toBe(0);
  });

  test('does not count an item whose audience leaves the curator out', async () => {
    const before = await countOf('gate_a_b');
    await desk.service.ingestAndWait(desk.tokens.relay, {
      peer_key: 'alice',
      session_id: 'secret',
      content: 'I hide a key.',
      audience: { peers: [desk.service.home.emailOf('bob')] },
    });
    expect(await countOf('gate_a_b')).toBe(before);
  });
});

describe('the preview', () => {
  const preview = async (decisions: readonly Body[], token?: string) =>
    dataOf(await post('/preview', { decisions }, token));
  const decision = (item: Body, action: string, version = 1): Body => ({
    id: item['id'],
    version,
    action,
  });

  test('groups the statements whose readers change by their readers', async () => {
    const [one, two, three] = [
      await spoken([{ content: 'I ride horses.' }]),
      await spoken([{ content: 'I sail dinghies.' }]),
      await spoken([{ content: 'I climb towers.' }]),
    ];
    const before = await desk.service.rows('select count(*) as n from audit_events');
    const answer = await preview([
      decision(one.item, 'approve'),
      decision(two.item, 'approve'),
      decision(three.item, 'reject'),
    ]);
    expect(answer).toEqual({
      groups: [
        {
          scope_path: '/team',
          readers: 'scope',
          statements: 2,
          people: { count: expect.any(Number), is_capped: false },
        },
      ],
      unchanged: 1,
      refused: [],
    });
    // Nothing was decided, and nothing was written.
    expect(await desk.service.rows('select count(*) as n from audit_events')).toEqual(before);
    const id = String(Object(one.item['knowledge']).id);
    expect(await desk.row(id)).toMatchObject({ state: 'provisional' });
  });

  test('refuses what would be refused', async () => {
    const { item } = await spoken([{ content: 'I grow hops.' }]);
    const id = String(Object(item['knowledge']).id);
    await desk.own('contest', id);
    const [contest = {}] = await desk.itemsOf(id);
    const other = await spoken([{ content: 'I brew cider.' }]);
    const waiting = await spoken([{ content: 'I bake rye bread.' }]);
    await desk.decide(waiting.item['id'], 'approve', { version: 1, undo_seconds: 60 });
    const unknown = '01990000-0000-7000-8000-000000000000';
    const answer = await preview([
      decision(contest, 'approve'),
      decision(other.item, 'approve', 7),
      decision(waiting.item, 'reject'),
      { id: unknown, version: 1, action: 'reject' },
      decision(other.item, 'defer'),
      decision(other.item, 'approve'),
    ]);
    expect(answer).toEqual({
      groups: [],
      unchanged: 1,
      refused: [
        { id: contest['id'], code: 'conflict' },
        { id: other.item['id'], code: 'conflict' },
        { id: waiting.item['id'], code: 'conflict' },
        { id: unknown, code: 'not_found' },
        { id: other.item['id'], code: 'conflict' },
      ],
    });
    const elsewhere = desk.tokens['curator elsewhere'];
    expect(await preview([decision(other.item, 'approve')], elsewhere)).toMatchObject({
      refused: [{ id: other.item['id'], code: 'not_found' }],
    });
  });
});
