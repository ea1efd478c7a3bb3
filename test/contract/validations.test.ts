/** Questions that come with reads, and what an answer to them does. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeWithoutErrors } from '../support/service.ts';
import { refusal } from './answers.ts';
import { dataOf, openAsking, questionOf, type Asking, type Person } from './questions-scene.ts';

let asking: Asking;

beforeAll(async () => {
  asking = await openAsking();
});
afterAll(() => closeWithoutErrors(asking.service));

const asked = async (person: Person): Promise<unknown> => {
  const question = await asking.ask(person);
  if (question === null) throw new Error('nobody was asked');
  return question['id'];
};

describe('a question', () => {
  test('comes beside the data of a search, with what the agent does with it', async () => {
    const person = await asking.person();
    const answer = await asking.service.search(asking.tokens.agent, {
      query: 'canoe',
      peer_key: person.key,
      session_id: person.session,
    });
    expect(Object.keys(Object(answer.json()))).toEqual(['data', 'pending_validation']);
    expect(questionOf(answer)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: 'confirm',
      statement: person.statement,
      asked_because: 'not_confirmed_yet',
      instruction: expect.stringContaining('word for word'),
    });
    const rows = await asking.service.rows(
      'select operation, verdict from question_deliveries where peer_id = (select id from peers where key = $1)',
      [person.key],
    );
    expect(rows).toEqual([{ operation: 'memory.search', verdict: null }]);
  });

  test('comes beside the rows of a listing, which fit to every question', async () => {
    const person = await asking.person('I collect old maps.');
    const answer = await asking.service.knowledge(asking.tokens.agent, {
      peer_key: person.key,
      session_id: person.session,
      state: 'active',
    });
    expect(Object.keys(Object(answer.json()))).toEqual(['data', 'pending_validation']);
    expect(questionOf(answer)).toMatchObject({ kind: 'confirm', statement: person.statement });
  });

  test('reaches the person itself, who signed in, and its word counts', async () => {
    const person = await asking.person();
    const question = await asking.ask(person, { peer_key: null }, person.token);
    const answer = await asking.answer(question?.['id'], { verdict: 'confirm' }, person.token);
    expect(dataOf(answer)).toEqual({
      id: question?.['id'],
      verdict: 'confirm',
      verification: 'verified',
      effect: 'knowledge_confirmed',
    });
    expect(await asking.row(person.statementId)).toMatchObject({
      state: 'active',
      verification: 'subject_confirmed',
      target_level: 'peer',
    });
  });
});

describe('an answer', () => {
  test('is verified where others recorded that the statement was quoted and answered', async () => {
    const person = await asking.person();
    const { confidence } = await asking.row(person.statementId);
    const id = await asked(person);
    await asking.talk(asking.tokens.gateway, person, 'Yes, that is right.');
    const answer = await asking.answer(id, { verdict: 'confirm', shown_text: person.statement });
    expect(dataOf(answer)).toMatchObject({
      verification: 'verified',
      effect: 'knowledge_confirmed',
    });
    const row = await asking.row(person.statementId);
    expect(row).toMatchObject({ state: 'active', verification: 'subject_confirmed' });
    expect(row['confidence']).toBeCloseTo(Math.min(1, Number(confidence) + 0.1), 5);
    expect(refusal(await asking.answer(id, { verdict: 'confirm' }))).toEqual([404, 'not_found']);
  });

  test('that the agent recorded itself changes nothing', async () => {
    const person = await asking.person();
    const before = await asking.row(person.statementId);
    const id = await asked(person);
    await asking.talk(asking.tokens.agent, person, 'Yes, that is right.');
    const answer = await asking.answer(id, { verdict: 'confirm', shown_text: person.statement });
    expect(dataOf(answer)).toMatchObject({
      verification: 'unverified_channel',
      effect: 'timer_deferred_only',
    });
    expect(await asking.row(person.statementId)).toEqual(before);
  });
});
