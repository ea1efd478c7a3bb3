/** Who is asked, when, and beside which read: over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/patience.ts';
import { closeWithoutErrors, dataOf, rowsOf, type Body } from '../support/service.ts';
import { refusal } from './answers.ts';
import { askedOf, openAsking, questionOf, type Asking, type Person } from './questions-scene.ts';

let asking: Asking;

beforeAll(async () => {
  asking = await openAsking();
});
afterAll(() => closeWithoutErrors(asking.service));

/** The person says something more about itself, which waits too. */
const alsoSays = (person: Person, content: string) =>
  asking.service.ingestAndWait(asking.tokens.agent, {
    peer_key: person.key,
    session_id: person.session,
    content,
  });
const deliveries = ({ key }: Person) =>
  asking.service.rows(
    'select operation, verdict from question_deliveries where peer_id = (select id from peers where key = $1)',
    [key],
  );
const preference = (person: Person, json: Body, token = person.token) =>
  asking.service.call({ method: 'PUT', path: '/api/v1/self/ask-preference', token, json });

describe('a question', () => {
  test('comes beside the data of a search, with what the agent does with it', async () => {
    const person = await asking.person();
    const answer = await asking.service.search(asking.tokens.agent, {
      query: 'canoe',
      peer_key: person.key,
      session_id: person.session,
    });
    expect(Object.keys(Object(answer.json()))).toEqual(['data', 'pending_validation']);
    expect(Object.keys(dataOf(answer))).not.toContain('pending_validation');
    expect(questionOf(answer)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: 'confirm',
      statement: person.statement,
      asked_because: 'not_confirmed_yet',
      instruction: expect.stringContaining('word for word'),
    });
    expect(await deliveries(person)).toEqual([{ operation: 'memory.search', verdict: null }]);
  });

  test('comes beside the rows of a listing, which fit to every question', async () => {
    const person = await asking.person('I collect old maps.');
    const query = { peer_key: person.key, session_id: person.session };
    const answer = await asking.service.knowledge(asking.tokens.agent, query);
    expect(rowsOf(answer).map(({ id }) => id)).toContain(person.statementId);
    expect(questionOf(answer)).toMatchObject({ kind: 'confirm', statement: person.statement });
    expect(await deliveries(person)).toEqual([{ operation: 'knowledge.query', verdict: null }]);
  });

  /** Reads that ask nobody: each is followed by one that does. */
  test.each([
    ['without a session', { session_id: null }],
    ['in a session that nobody knows', { session_id: 'nowhere' }],
    ['in a session of others', { session_id: 'of-others' }],
    ['about something else', { query: 'weather in Porto' }],
    ['of the past', { as_of: '2030-01-01T00:00:00Z' }],
    ['for the agent itself', { peer_key: null }],
    ['for somebody else', { peer_key: 'gateway' }],
    ['of another scope', { scope_path: '/elsewhere' }],
  ])('does not come with a read %s', async (_which, over) => {
    const person = await asking.person();
    await asking.turn(asking.tokens.gateway, 'of-others', { content: 'Hello.' });
    expect(await asking.ask(person, over)).toBeNull();
    expect(await deliveries(person)).toEqual([]);
    expect(await asking.ask(person)).not.toBeNull();
  });

  test('does not come to a curator who reads for the person', async () => {
    const person = await asking.person();
    await asking.turn(asking.tokens.curator, person.session, { content: 'Hello.' });
    expect(await asking.ask(person, {}, asking.tokens.curator)).toBeNull();
  });

  test('does not come to an agent that may not read the scope of the statement', async () => {
    const person = await asking.person();
    const { token } = await asking.service.home.agent('stranger', { scope: '/else' });
    expect(await asking.ask(person, {}, token)).toBeNull();
    expect(await deliveries(person)).toEqual([]);
  });

  test('is none about what others say of a person, and the person is not shown', async () => {
    const { gateway } = asking.tokens;
    const person = await asking.person();
    await asking.answer(await askedOf(asking, person), { verdict: 'unsure' });
    const told = await asking.service.ingestAndWait(gateway, {
      peer_key: 'gossip',
      session_id: person.session,
      content: `${person.key} owns a green canoe.`,
    });
    for (const { id } of told.knowledge) {
      const asked = await asking.questions(String(id));
      const own = await asking.row(String(id));
      const [subject] = await asking.service.rows('select id from peers where key = $1', [
        person.key,
      ]);
      if (own['subject_peer_id'] === subject?.['id']) expect(asked).toEqual([]);
    }
    expect(await asking.ask(person)).toBeNull();
  });

  test('is shown from the statement: once redacted it does not come any more', async () => {
    const person = await asking.person();
    await asking.service.call({
      method: 'POST',
      path: `/api/v1/self/knowledge/${person.statementId}/redact`,
      token: person.token,
      json: {},
    });
    expect(await asking.ask(person)).toBeNull();
    const [question] = await asking.questions(person.statementId);
    expect(question).toMatchObject({ end_reason: 'subject_redacted' });
  });
});

describe('how often a person is asked', () => {
  test('one question at a time, until it is answered or two days have passed', async () => {
    const person = await asking.person();
    await alsoSays(person, 'I own a green canoe.');
    const first = await askedOf(asking, person);
    expect(await asking.ask(person)).toBeNull();
    await asking.later(person, 47);
    expect(await asking.ask(person)).toBeNull();
    await asking.later(person, 2);
    expect(await asking.ask(person)).not.toBeNull();
    // The first delivery may still be answered.
    expect((await asking.answer(first, { verdict: 'unsure' })).status).toBe(200);
  });

  test('three times in a session, and again in another one', async () => {
    const person = await asking.person();
    for (const colour of ['green', 'blue', 'white', 'black']) {
      await alsoSays(person, `I own a ${colour} canoe.`);
    }
    for (let n = 0; n < 3; n += 1) {
      await asking.answer(await askedOf(asking, person), { verdict: 'unsure' });
    }
    expect(await asking.ask(person)).toBeNull();
    const next = `${person.session}-next`;
    await asking.turn(asking.tokens.agent, next, { peer_key: person.key, content: 'Hello.' });
    expect(await asking.ask(person, { session_id: next })).not.toBeNull();
  });

  test('ten times in 24 hours', async () => {
    const person = await asking.person();
    await alsoSays(person, 'I own a green canoe.');
    await asking.answer(await askedOf(asking, person), { verdict: 'unsure' });
    const next = `${person.session}-next`;
    await asking.turn(asking.tokens.agent, next, { peer_key: person.key, content: 'Hello.' });
    await asking.service.rows(
      `insert into question_deliveries (account_id, id, question_id, session_id, peer_id, credential_id, operation,
         delivered_at, verdict, verification, effect, answered_at)
       select d.account_id, gen_random_uuid(), d.question_id, d.session_id, d.peer_id, d.credential_id, d.operation,
         d.delivered_at, d.verdict, d.verification, d.effect, d.answered_at
       from question_deliveries d, generate_series(1, 9)
       where d.peer_id = (select id from peers where key = $1)`,
      [person.key],
    );
    expect(await asking.ask(person, { session_id: next })).toBeNull();
    await asking.later(person, 25);
    expect(await asking.ask(person, { session_id: next })).not.toBeNull();
  });

  test('no more often than the person wants, which the person may change at any time', async () => {
    const person = await asking.person();
    const quiet = await preference(person, { max_per_session: 0, max_per_day: 99 });
    expect(dataOf(quiet)).toEqual({ max_per_session: 0, max_per_day: 10, paused_until: null });
    expect(await asking.ask(person)).toBeNull();
    expect(dataOf(await preference(person, { max_per_session: 1, pause_for_hours: 2 }))).toEqual({
      max_per_session: 1,
      max_per_day: 10,
      paused_until: expect.stringMatching(/Z$/),
    });
    expect(await asking.ask(person)).toBeNull();
    await preference(person, { pause_for_hours: 0 });
    expect(await asking.ask(person)).not.toBeNull();
    expect(dataOf(await preference(person, {}))).toEqual({
      max_per_session: 1,
      max_per_day: 10,
      paused_until: null,
    });
  });

  test('is for people to say: an API key is refused', async () => {
    const person = await asking.person();
    const answer = await preference(person, { max_per_day: 1 }, asking.tokens.agent);
    expect(refusal(answer)).toEqual([403, 'human_identity_required']);
    expect(refusal(await preference(person, { max_per_day: 'few' }))).toEqual([
      422,
      'invalid_request',
      'max_per_day',
    ]);
  });
});

test('of many reads at once one asks', async () => {
  const person = await asking.person();
  await alsoSays(person, 'I own a green canoe.');
  const questions = await Promise.all(Array.from({ length: 12 }, () => asking.ask(person)));
  expect(questions.filter((question) => question !== null)).toHaveLength(1);
  expect(await deliveries(person)).toHaveLength(1);
});

test('an erased person leaves no question, no delivery and no preference', async () => {
  const person = await asking.person();
  await askedOf(asking, person);
  const [question] = await asking.questions(person.statementId);
  await preference(person, { max_per_day: 2 });
  const erased = await asking.service.call({
    method: 'POST',
    path: '/api/v1/self/erasure',
    token: person.token,
    json: {},
  });
  const { id } = dataOf(erased);
  const state = async () => {
    const answer = await asking.service.call({
      path: `/api/v1/self/erasure/${String(id)}`,
      token: person.token,
    });
    return dataOf(answer)['state'] === 'completed';
  };
  await eventually(state);
  const [left] = await asking.service.rows(
    `select (select count(*)::integer from questions where id = $1) as questions,
       (select count(*)::integer from question_deliveries where question_id = $1) as deliveries,
       (select count(*)::integer from ask_preferences a join peers p on p.id = a.peer_id
         where p.erasing_at is not null) as preferences`,
    [question?.['id']],
  );
  expect(left).toEqual({ questions: 0, deliveries: 0, preferences: 0 });
});
