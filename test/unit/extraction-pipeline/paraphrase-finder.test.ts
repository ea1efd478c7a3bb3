/** What a commit spends on looking for other words, and what an index that does not answer costs those after it. */
import { NOTHING_USED } from '../../../domain/models/usage.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { IndexFailure } from '../../../domain/retrieval/index-failure.ts';
import { createParaphraseFinder } from '../../../engine/knowledge/paraphrases.ts';
import type { AlikeQuery, AlikeStatement } from '../../../stores/qdrant/point-reader.ts';
import { proposal } from '../knowledge/fixtures.ts';

type Answer = () => Promise<readonly (readonly AlikeStatement[])[]>;
const AT_ONCE: Answer = () => Promise.resolve([]);
const NEVER: Answer = () => new Promise(() => {});

function finder(answers: { of: Answer }) {
  const asked: { readonly account: string; readonly queries: readonly AlikeQuery[] }[] = [];
  const embedded: number[] = [];
  const reports: string[] = [];
  const paraphrases = createParaphraseFinder({
    threshold: 0.97,
    embedder: {
      embed: (texts) => {
        embedded.push(texts.length);
        return Promise.resolve({
          vectors: texts.map(() => [1, 0]),
          space: { provider: 'deterministic', model: 'built-in', version: '1', dimensions: 2 },
          usage: NOTHING_USED,
        });
      },
      recall: () => undefined,
    },
    points: {
      alikeStatements: (account, queries) => {
        asked.push({ account, queries });
        return answers.of();
      },
      keptVectors: () => Promise.resolve(new Map()),
      probe: () => Promise.reject(new IndexFailure('qdrant', 'away')),
    },
    now: () => Date.now(),
    report: (event, { reason }) => void reports.push(`${event} ${String(reason)}`),
  });
  const signal = new AbortController().signal;
  const near = (account: string, texts: readonly string[] = ['Alice likes tea.']) =>
    paraphrases.around(
      account,
      texts.map((text) => {
        const base = proposal();
        return { ...base, wording: { ...base.wording, text } };
      }),
      signal,
    );
  return { asked, embedded, near, reports };
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('an index that does not answer', () => {
  test('delays one commit of the account by half a second, and its later commits not at all', async () => {
    const { asked, near, reports } = finder({ of: NEVER });
    const first = near('slow');
    await jest.advanceTimersByTimeAsync(499);
    expect(reports).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(await first).toBeNull();
    expect(reports).toEqual(['extraction.paraphrases_unknown timeout']);
    expect(await near('slow')).toBeNull();
    expect(asked).toHaveLength(1);
  });

  test('does not keep other accounts from asking', async () => {
    const answers = { of: NEVER };
    const { asked, near } = finder(answers);
    const slow = near('slow');
    await jest.advanceTimersByTimeAsync(500);
    await slow;
    answers.of = AT_ONCE;
    expect(await near('other')).not.toBeNull();
    expect(asked.map(({ account }) => account)).toEqual(['slow', 'other']);
  });

  test('is asked again after a pause, and answers as before', async () => {
    const answers = { of: NEVER };
    const { near } = finder(answers);
    const slow = near('slow');
    await jest.advanceTimersByTimeAsync(500);
    await slow;
    answers.of = AT_ONCE;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await near('slow')).not.toBeNull();
    expect(await near('slow')).not.toBeNull();
  });

  test('that is away is not asked again for any account', async () => {
    const { asked, near } = finder({
      of: () => Promise.reject(new IndexFailure('qdrant', 'away')),
    });
    expect(await near('one')).toBeNull();
    expect(await near('other')).toBeNull();
    expect(asked).toHaveLength(1);
  });
});

test('a commit looks up paraphrases of at most 128 texts', async () => {
  const { asked, embedded, near } = finder({ of: AT_ONCE });
  const texts = Array.from({ length: 200 }, (_, n) => `Alice says ${n}.`);
  const found = await near('one', texts);
  expect(embedded).toEqual([128]);
  expect(asked[0]?.queries).toHaveLength(128);
  expect(texts.map((text) => found?.rule.covers(text))).toEqual(texts.map((_, n) => n < 128));
});
