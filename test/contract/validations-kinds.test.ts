/** Questions of the other kinds, what is kept of an answer, and answers that cannot be given. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeWithoutErrors, dataOf, type Body } from '../support/service.ts';
import { refusal } from './answers.ts';
import { askedOf, openAsking, type Asking, type Person } from './questions-scene.ts';

let asking: Asking;

beforeAll(async () => {
  asking = await openAsking();
});
afterAll(() => closeWithoutErrors(asking.service));

const asked = (person: Person): Promise<unknown> => askedOf(asking, person);

const NOBODY = '01890000-0000-7000-8000-0000000000aa';

describe('a question about a placed statement', () => {
  async function revalidated(): Promise<Person> {
    const person = await asking.person();
    await asking.service.rows(
      `with k as (
         update knowledge set state = 'needs_revalidation', revalidate_after = now() - interval '1 day' where id = $1
         returning *
       ), p as (update belief_periods set state = 'needs_revalidation' where knowledge_id = $1)
       , i as (update review_items set kind = 'revalidation' where knowledge_id = $1)
       update questions set kind = 'revalidate' where knowledge_id = $1`,
      [person.statementId],
    );
    return person;
  }

  test.each([
    ['confirm', 'Yes.', 'active'],
    ['reject', 'No.', 'redacted'],
  ])('%s, verified: %s', async (verdict, words, state) => {
    const person = await revalidated();
    const question = await asking.ask(person);
    expect(question).toMatchObject({ kind: 'revalidate', asked_because: 'revalidation_due' });
    await asking.talk(asking.tokens.gateway, person, words);
    await asking.answer(question?.['id'], { verdict });
    expect(await asking.row(person.statementId)).toMatchObject({ state });
  });

  test('is put off by a week where nobody can verify the answer, once', async () => {
    const person = await revalidated();
    const date = async () => (await asking.row(person.statementId))['revalidate_after'];
    await asking.answer(await asked(person), { verdict: 'confirm' });
    const first = await date();
    expect(first).toBeInstanceOf(Date);
    expect(Number(first) / 86_400_000).toBeCloseTo(Date.now() / 86_400_000 + 7, 1);
    expect(await asking.row(person.statementId)).toMatchObject({ state: 'needs_revalidation' });
    await asking.service.rows(
      `update knowledge set revalidate_after = now() - interval '1 day' where id = $1`,
      [person.statementId],
    );
    await asking.later(person, 49);
    await asking.answer(await asked(person), { verdict: 'confirm' });
    expect(Number(await date())).toBeLessThan(Date.now());
  });
});

describe('a question for consent', () => {
  const governance = '/api/v1/governance';
  async function awaiting(): Promise<Person> {
    const { service, tokens } = asking;
    const person = await asking.person();
    await asking.answer(
      (await asking.ask(person, { peer_key: null }, person.token))?.['id'],
      { verdict: 'confirm' },
      person.token,
    );
    await service.home.rewrite(person.statementId, { sensitivity: 'personal' });
    const post = (path: string, json: Body) =>
      service.call({ method: 'POST', path, token: tokens.curator, json });
    const promoted = await post(`${governance}/knowledge/${person.statementId}/promote`, {
      target_scope_path: '/',
    });
    const { id, version } = Object(dataOf(promoted)['review']);
    const approved = await post(`${governance}/reviews/${String(id)}/approve`, { version });
    expect(dataOf(approved)['review']).toMatchObject({ state: 'awaiting_consent' });
    return person;
  }

  test('names the place, and a verified yes carries the approval out', async () => {
    const person = await awaiting();
    const question = await asking.ask(person);
    expect(question).toMatchObject({ kind: 'consent_upward', asked_because: 'consent_owed' });
    expect(question?.['instruction']).toContain('the readers of /.');
    await asking.talk(asking.tokens.gateway, person, 'Sure, yes.');
    const answer = await asking.answer(question?.['id'], { verdict: 'confirm' });
    expect(dataOf(answer)).toMatchObject({ effect: 'consent_granted' });
    expect(await asking.row(person.statementId)).toMatchObject({ target_level: 'account' });
  });

  test('that the agent answers by itself gives and denies nothing', async () => {
    const person = await awaiting();
    const before = await asking.row(person.statementId);
    const id = await asked(person);
    await asking.talk(asking.tokens.agent, person, 'Yes.');
    expect(dataOf(await asking.answer(id, { verdict: 'confirm' }))).toMatchObject({
      effect: 'timer_deferred_only',
    });
    const consents = await asking.service.rows(
      'select status from consents where knowledge_id = $1',
      [person.statementId],
    );
    expect(consents).toEqual([{ status: 'pending' }]);
    expect(await asking.row(person.statementId)).toMatchObject({
      target_level: before['target_level'],
      scope_id: before['scope_id'],
    });
  });

  test('that the person denies leaves the statement where it is', async () => {
    const person = await awaiting();
    const id = await asked(person);
    await asking.talk(asking.tokens.gateway, person, 'No.');
    expect(dataOf(await asking.answer(id, { verdict: 'reject' }))).toMatchObject({
      effect: 'consent_denied',
    });
    expect(await asking.row(person.statementId)).toMatchObject({
      state: 'active',
      target_level: 'peer',
    });
  });
});

describe('what is kept of an answer', () => {
  test('is a hash of what was shown, and nothing of a correction', async () => {
    const person = await asking.person();
    const id = await asked(person);
    const text = `${person.statement.toUpperCase()}  `;
    await asking.answer(id, {
      verdict: 'reject',
      shown_text: text,
      correction_text: 'It is a kayak.',
    });
    const [row] = await asking.service.rows('select * from question_deliveries where id = $1', [
      id,
    ]);
    expect(row).toMatchObject({ verdict: 'reject', shown_text_differs: false });
    expect(JSON.stringify(row)).not.toMatch(/kayak|canoe/i);
    expect(JSON.stringify(await asking.questions(person.statementId))).not.toMatch(/canoe/i);
  });
});

describe('an answer that cannot be given', () => {
  test('is the same to whoever the question did not come to, and to nobody', async () => {
    const person = await asking.person();
    const id = await asked(person);
    const missing = await asking.answer(NOBODY, { verdict: 'confirm' });
    for (const token of [asking.tokens.outsider, asking.tokens.gateway, person.token]) {
      const foreign = await asking.answer(id, { verdict: 'confirm' }, token);
      expect(refusal(foreign)).toEqual([404, 'not_found']);
      expect(foreign.text).toBe(missing.text);
    }
    expect(refusal(await asking.answer('no-id', { verdict: 'confirm' }))).toEqual([
      404,
      'not_found',
    ]);
    expect(refusal(await asking.answer(id, { verdict: 'maybe' }))).toEqual([
      422,
      'invalid_request',
      'verdict',
    ]);
  });

  test('is missing once the person has spoken itself', async () => {
    const person = await asking.person();
    const id = await asked(person);
    await asking.service.call({
      method: 'POST',
      path: `/api/v1/self/knowledge/${person.statementId}/redact`,
      token: person.token,
      json: {},
    });
    await asking.talk(asking.tokens.gateway, person, 'Yes.');
    expect(refusal(await asking.answer(id, { verdict: 'confirm' }))).toEqual([404, 'not_found']);
    expect(await asking.row(person.statementId)).toMatchObject({ state: 'redacted' });
  });

  test('of two at once is one', async () => {
    const person = await asking.person();
    const id = await asked(person);
    await asking.talk(asking.tokens.gateway, person, 'Yes.');
    const answers = await Promise.all(
      ['confirm', 'reject', 'confirm', 'unsure'].map((verdict) => asking.answer(id, { verdict })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404]);
  });

  test('is answered alike when its request is sent again with its key', async () => {
    const person = await asking.person();
    const id = await asked(person);
    const send = (verdict: string) =>
      asking.service.call({
        method: 'POST',
        path: `/api/v1/validations/${String(id)}`,
        token: asking.tokens.agent,
        json: { verdict },
        headers: { 'idempotency-key': `once-${person.key}` },
      });
    const first = await send('unsure');
    expect(first.status).toBe(200);
    expect((await send('unsure')).text).toBe(first.text);
    expect((await send('skip')).status).toBe(409);
  });
});
