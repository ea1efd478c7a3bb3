import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { Search, SearchRequest } from '../../../engine/retrieval/search.ts';
import { createSearchTurns } from '../../../runtime/container/search-turns.ts';

const CORES = 2;

/** Searches that never end, and who began one. */
function crowd() {
  const begun: string[] = [];
  const byTurns = createSearchTurns(CORES);
  const never: Search = ({ accountId }) => {
    begun.push(accountId);
    return new Promise(() => {});
  };
  const search = byTurns(never);
  const other = byTurns(never);
  const ask = (accountId: string, signal = new AbortController().signal): ReturnType<Search> =>
    search({ accountId, signal } as SearchRequest);
  const askOther = (accountId: string): ReturnType<Search> =>
    other({ accountId, signal: new AbortController().signal } as SearchRequest);
  return { begun, ask, askOther };
}

describe('searches by turns', () => {
  test('leave a place for another account beside many searches of one account', async () => {
    const { begun, ask } = crowd();
    for (let n = 0; n < 50; n += 1) void ask('crowd');
    void ask('other');
    await setImmediate();
    expect(begun).toEqual([...Array<string>(5).fill('crowd'), 'other']);
  });

  test('of an account that is not alone take a third of the places', async () => {
    const { begun, ask } = crowd();
    void ask('other');
    for (let n = 0; n < 50; n += 1) void ask('crowd');
    await setImmediate();
    expect(begun).toEqual(['other', 'crowd', 'crowd']);
  });

  test('share their places with searches of another kind', async () => {
    const { begun, ask, askOther } = crowd();
    for (let n = 0; n < 50; n += 1) void ask('crowd');
    void askOther('crowd');
    void askOther('other');
    await setImmediate();
    expect(begun).toEqual([...Array<string>(5).fill('crowd'), 'other']);
  });

  test('are not made for a caller that left before its turn', async () => {
    const { begun, ask } = crowd();
    for (let n = 0; n < 5; n += 1) void ask('a');
    const left = new AbortController();
    const waiting = ask('a', left.signal);
    left.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    expect(begun).toEqual(Array<string>(5).fill('a'));
  });
});
