/** When writes to Meilisearch go out: together, and with a rest after each round. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import {
  LONGEST_REST_MS,
  LONGEST_ROUND_MS,
  WritingRounds,
} from '../../../stores/meilisearch/writing-rounds.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Writes that say when they were sent, and end when they are told to. */
function writes(rounds: WritingRounds) {
  const sent: string[] = [];
  const start = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const done = rounds.write(() => {
      sent.push(name);
      return promise;
    });
    return { done, ends: resolve, fails: reject };
  };
  return { sent, start };
}

const settle = (ms = 0) => jest.advanceTimersByTimeAsync(ms);

test('the first write is sent at once', async () => {
  const { sent, start } = writes(new WritingRounds());
  start('a');
  await settle();
  expect(sent).toEqual(['a']);
});

test('writes that arrive during a round are sent together, after a rest of three times its work', async () => {
  const { sent, start } = writes(new WritingRounds());
  const first = start('a');
  await settle();
  start('b');
  start('c');
  first.ends(100);
  await settle(299);
  expect(sent).toEqual(['a']);
  await settle(1);
  expect(sent).toEqual(['a', 'b', 'c']);
});

test('the rest follows the longest write of a round, and is bounded', async () => {
  const { sent, start } = writes(new WritingRounds());
  const [short, long] = [start('short'), start('long')];
  await settle();
  start('next');
  short.ends(1);
  await settle(1_000);
  expect(sent).toEqual(['short', 'long']);
  long.ends(60_000);
  await settle(LONGEST_REST_MS - 1);
  expect(sent).toHaveLength(2);
  await settle(1);
  expect(sent).toEqual(['short', 'long', 'next']);
});

test('a write that fails fails for its sender alone, and the next round begins', async () => {
  const { sent, start } = writes(new WritingRounds());
  const [bad, good] = [start('bad'), start('good')];
  await settle();
  const next = start('next');
  bad.fails(new Error('refused'));
  await expect(bad.done).rejects.toThrow('refused');
  good.ends(0);
  await settle();
  await good.done;
  expect(sent).toEqual(['bad', 'good', 'next']);
  next.ends(0);
  await next.done;
});

test('a write that throws before it is sent does not stop the rounds', async () => {
  const rounds = new WritingRounds();
  const broken = rounds.write(() => {
    throw new Error('broken');
  });
  await expect(broken).rejects.toThrow('broken');
  await rounds.write(async () => 0);
});

test('a write that does not end keeps the next round waiting for five seconds at most', async () => {
  const { sent, start } = writes(new WritingRounds());
  start('lost');
  await settle();
  start('next');
  await settle(LONGEST_ROUND_MS - 1);
  expect(sent).toEqual(['lost']);
  await settle(1);
  expect(sent).toEqual(['lost', 'next']);
});
