/** Asking beside a read: bounded in time, and never a reason to fail. The database is a fake that answers late or not. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createQuestions, type AskingOutcome } from '../../../engine/questions/asking.ts';
import type { InAccount } from '../../../stores/postgres/in-account.ts';
import type { Stores } from '../../../stores/postgres/stores.ts';

const REQUEST = {
  accountId: 'a',
  credentialId: 'c',
  peerId: 'p',
  sessionId: 's',
  scopeIds: ['team'],
  query: 'red canoe',
  operation: 'memory.search',
  now: new Date(),
} as const;

const question = (id: string, statement: string) => ({
  id,
  kind: 'confirm',
  session_id: 's',
  statement,
  last_delivered_at: null,
  target_scope_path: null,
});

type Asking = Record<'mayAsk' | 'askable' | 'deliver' | 'takeBack', (...of: never[]) => unknown>;

/** Questions over a store that answers what the test says. */
function over(asking: Partial<Asking>, longestMs = 1_000) {
  const outcomes: AskingOutcome[] = [];
  const called: string[] = [];
  const usual: Asking = {
    mayAsk: () => true,
    askable: () => [question('q1', 'I like tea.'), question('q2', 'I own a red canoe.')],
    deliver: () => 'd1',
    takeBack: () => undefined,
  };
  const noting = Object.fromEntries(
    Object.entries({ ...usual, ...asking }).map(([name, answer]) => [
      name,
      async (...of: never[]) => {
        called.push(name);
        return answer(...of);
      },
    ]),
  );
  const inAccount: InAccount = (_id, work) => work({ asking: noting } as unknown as Stores);
  const observe = (outcome: AskingOutcome): void => void outcomes.push(outcome);
  return { ...createQuestions({ inAccount, observe, longestMs }), outcomes, called };
}

/** What the asking has come to after so many milliseconds more. */
async function after(ms: number, asking: Promise<unknown>): Promise<unknown> {
  await jest.advanceTimersByTimeAsync(ms);
  return Promise.race([asking, Promise.resolve('goes on')]);
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('asking', () => {
  test('hands out the first question that has a word of the read', async () => {
    const questions = over({});
    expect(await questions.ask(REQUEST)).toEqual({
      id: 'd1',
      kind: 'confirm',
      statement: 'I own a red canoe.',
      targetScopePath: null,
    });
    expect(questions.outcomes).toEqual(['asked']);
  });

  test('hands out the most urgent question with a read that has no words', async () => {
    expect(await over({}).ask({ ...REQUEST, query: '  ' })).toMatchObject({
      statement: 'I like tea.',
    });
  });

  test.each([
    ['another read asks', { mayAsk: () => false }],
    ['nothing fits', { askable: () => [question('q1', 'I like tea.')] }],
    ['it was handed out a moment ago', { deliver: () => null }],
  ])('hands out nothing where %s', async (_why, asking) => {
    const questions = over(asking);
    expect(await questions.ask(REQUEST)).toBeNull();
    expect(questions.outcomes).toEqual(['nothing']);
  });

  test('asks no database for a read that reaches no scope', async () => {
    const questions = over({});
    expect(await questions.ask({ ...REQUEST, scopeIds: [] })).toBeNull();
    expect(questions.called).toEqual([]);
  });

  test.each(['mayAsk', 'askable', 'deliver'] as const)(
    'never fails the read where %s fails',
    async (step) => {
      const questions = over({ [step]: () => Promise.reject(new Error('away')) });
      expect(await questions.ask(REQUEST)).toBeNull();
      expect(questions.outcomes).toEqual(['failed']);
    },
  );

  test('lets the read go on after its time, and begins nothing after that', async () => {
    const held = Promise.withResolvers<boolean>();
    const questions = over({ mayAsk: () => held.promise }, 15);
    const asking = questions.ask(REQUEST);
    expect(await after(14, asking)).toBe('goes on');
    expect(await after(1, asking)).toBeNull();
    held.resolve(true);
    await jest.advanceTimersByTimeAsync(0);
    expect(questions.outcomes).toEqual(['late']);
    expect(questions.called).toEqual(['mayAsk']);
  });

  test('takes back a delivery that was written too late, because nobody was told of it', async () => {
    const held = Promise.withResolvers<string>();
    const questions = over({ deliver: () => held.promise }, 15);
    expect(await after(15, questions.ask(REQUEST))).toBeNull();
    held.resolve('d1');
    await jest.advanceTimersByTimeAsync(0);
    expect(questions.called).toEqual(['mayAsk', 'askable', 'deliver', 'takeBack']);
  });

  test('reports what fails after the read went on, and throws it at nobody', async () => {
    const held = Promise.withResolvers<string>();
    const questions = over({ deliver: () => held.promise }, 15);
    expect(await after(15, questions.ask(REQUEST))).toBeNull();
    held.reject(new Error('away'));
    await jest.advanceTimersByTimeAsync(0);
    expect(questions.outcomes).toEqual(['late', 'failed']);
  });
});
