/** What the start prepares at the indexes, and what it says when that fails. */
import { describe, expect, jest, test } from '@jest/globals';
import { IndexFailure } from '../../../domain/retrieval/index-failure.ts';
import { operatorText } from '../../../runtime/start/failures.ts';
import { prepared } from '../../../runtime/start/prepared.ts';

const failing = (...errors: readonly Error[]) => {
  const left = errors.values();
  return jest.fn(async () => {
    const { done, value } = left.next();
    if (done !== true) throw value;
  });
};

describe('what the start prepares', () => {
  test.each([
    new IndexFailure('qdrant', 'away'),
    new IndexFailure('meilisearch', 'timeout'),
    new IndexFailure('qdrant', 'refused', '503'),
  ])('is tried again after $message', async (failure) => {
    const prepare = failing(failure, failure);
    await prepared(prepare, { pauseMs: 0 });
    expect(prepare).toHaveBeenCalledTimes(3);
  });

  test.each([
    new IndexFailure('qdrant', 'refused', '403'),
    new IndexFailure('meilisearch', 'refused', 'invalid_api_key'),
    new Error('of another kind'),
  ])('fails at once after $message', async (failure) => {
    const prepare = failing(failure);
    await expect(prepared(prepare, { pauseMs: 0 })).rejects.toBe(failure);
    expect(prepare).toHaveBeenCalledTimes(1);
  });

  test('is not tried again by a start that was interrupted', async () => {
    const away = new IndexFailure('qdrant', 'away');
    const prepare = failing(away, away);
    const signal = AbortSignal.abort();
    await expect(prepared(prepare, { pauseMs: 0, signal })).rejects.toBe(away);
    expect(prepare).toHaveBeenCalledTimes(1);
  });

  test('fails when an index stays away', async () => {
    const away = new IndexFailure('qdrant', 'away');
    const prepare = failing(...Array.from({ length: 20 }, () => away));
    await expect(prepared(prepare, { pauseMs: 0 })).rejects.toBe(away);
    expect(prepare).toHaveBeenCalledTimes(10);
  });
});

test('the operator is told which index failed, and how', () => {
  expect(operatorText(new IndexFailure('qdrant', 'refused', '403'))).toBe(
    'The start failed: Qdrant answered with an error (403).',
  );
  expect(operatorText(new IndexFailure('meilisearch', 'timeout'))).toBe(
    'The start failed: Meilisearch did not answer in time.',
  );
});
