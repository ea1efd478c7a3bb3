import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  LONGEST_REQUEST_PAUSE_MS,
  RequestPace,
  UNITS_OF_REQUEST,
} from '../../../api/request-pace.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const CORES = 2;
const { usual: USUAL, byId: BY_ID, ofOperator: OPERATORS } = UNITS_OF_REQUEST;
const pauses = (
  pace: RequestPace,
  account: string,
  count: number,
  units: number = USUAL,
): number[] => Array.from({ length: count }, () => pace.pauseOf(account, units));

describe('the requests of one account', () => {
  test('do not wait while no other account sends requests, however many there are', () => {
    const pace = new RequestPace(CORES);
    expect(Math.max(...pauses(pace, 'crowd', 10_000))).toBe(0);
  });

  test('beside another one are sixteen a second for each core, after eight at once', () => {
    const pace = new RequestPace(CORES);
    pace.pauseOf('other', USUAL);
    expect(pauses(pace, 'crowd', 40).slice(7)).toEqual(
      Array.from({ length: 33 }, (_, n) => n * 31.25),
    );
  });

  test('count half where they read one thing, and four times where they are an operator’s', () => {
    const reading = new RequestPace(CORES);
    reading.pauseOf('other', USUAL);
    expect(pauses(reading, 'crowd', 20, BY_ID).slice(15)).toEqual(
      Array.from({ length: 5 }, (_, n) => n * 15.625),
    );
    const operating = new RequestPace(CORES);
    operating.pauseOf('other', USUAL);
    expect(pauses(operating, 'crowd', 5, OPERATORS)).toEqual([0, 0, 125, 250, 375]);
  });

  test('do not wait for requests of another account', () => {
    const pace = new RequestPace(CORES);
    pace.pauseOf('other', USUAL);
    pauses(pace, 'crowd', 1_000);
    expect(pauses(pace, 'other', 7)).toEqual(Array(7).fill(0));
  });

  test('wait ten seconds at most, and no longer for what waits with them', () => {
    const pace = new RequestPace(CORES);
    pace.pauseOf('other', USUAL);
    expect(Math.max(...pauses(pace, 'crowd', 5_000))).toBe(LONGEST_REQUEST_PAUSE_MS);
    jest.advanceTimersByTime(LONGEST_REQUEST_PAUSE_MS + 1_000);
    pace.pauseOf('other', USUAL);
    expect(pace.pauseOf('crowd', USUAL)).toBe(0);
  });

  test('do not wait beside accounts that send as fast', () => {
    const pace = new RequestPace(CORES);
    for (const account of ['crowd', 'alike', 'crowd', 'alike']) pauses(pace, account, 100);
    expect(Math.max(...pauses(pace, 'crowd', 100), ...pauses(pace, 'alike', 100))).toBe(0);
  });

  test('wait no more two seconds after the other one fell silent', () => {
    const pace = new RequestPace(CORES);
    pace.pauseOf('other', USUAL);
    pauses(pace, 'crowd', 200);
    jest.advanceTimersByTime(2_000);
    expect(Math.max(...pauses(pace, 'crowd', 200))).toBe(0);
  });
});
