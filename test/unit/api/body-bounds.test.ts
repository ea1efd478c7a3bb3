/** Who gets a place for a large body, and how many bytes of bodies there are. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { BodyRoom } from '../../../api/body-room.ts';
import { GatheredBytes } from '../../../api/gathered-bytes.ts';
import {
  LONGEST_WAIT_MS,
  MOST_LARGE_BODIES,
  MOST_WAITING,
  MOST_WAITING_OF_ACCOUNT,
  Places,
} from '../../../api/middleware/large-bodies.ts';

const stays = (): AbortSignal => new AbortController().signal;
const unavailable = { code: 'unavailable', retryAfterSeconds: 2 };

/** One place of each of so many accounts. */
function fill(places: Places, accounts = MOST_LARGE_BODIES): Promise<(() => void)[]> {
  return Promise.all(Array.from({ length: accounts }, (_, n) => places.enter(`a${n}`, stays())));
}

describe('places', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('are given to an account one after the other, and to other accounts at once', async () => {
    const places = new Places();
    const leave = await places.enter('a', stays());
    const order: string[] = [];
    const second = places.enter('a', stays()).then(() => order.push('second of a'));
    await places.enter('b', stays()).then(() => order.push('b'));
    leave();
    await second;
    expect(order).toEqual(['b', 'second of a']);
  });

  test('are given in the order of the queue, skipping accounts that have their place', async () => {
    const places = new Places();
    const [leaveFirst, leaveSecond] = await fill(places);
    const order: string[] = [];
    const wait = (account: string) =>
      places.enter(account, stays()).then(() => order.push(account));
    const waiting = [wait('a1'), wait('x'), wait('y')];
    leaveFirst?.();
    await waiting[1];
    leaveSecond?.();
    await waiting[0];
    expect(order).toEqual(['x', 'a1']);
  });

  test('are waited for in a bounded queue, for all and for one account', async () => {
    const places = new Places();
    await fill(places);
    const given = Array.from({ length: MOST_WAITING }, (_, n) =>
      expect(
        places.enter(n < MOST_WAITING_OF_ACCOUNT ? 'x' : `y${n}`, stays()),
      ).rejects.toMatchObject(unavailable),
    );
    let refused = 0;
    for (const account of ['x', 'z']) {
      await places.enter(account, stays()).catch(() => (refused += 1));
    }
    expect([refused, jest.getTimerCount()]).toEqual([2, MOST_WAITING]);
    await jest.advanceTimersByTimeAsync(LONGEST_WAIT_MS);
    await Promise.all(given);
  });

  test('that do not come free in time are given up', async () => {
    const places = new Places();
    await fill(places);
    const waiting = places.enter('x', stays());
    const given = expect(waiting).rejects.toMatchObject(unavailable);
    await jest.advanceTimersByTimeAsync(LONGEST_WAIT_MS);
    await given;
  });

  test('are not given to a request that has left the queue', async () => {
    const places = new Places();
    const [leave] = await fill(places);
    const gone = new AbortController();
    const left = places.enter('x', gone.signal);
    const next = places.enter('y', stays());
    gone.abort();
    await expect(left).rejects.toMatchObject(unavailable);
    leave?.();
    await next;
  });
});

describe('room for bodies', () => {
  test('is bounded for an account, so that others keep theirs, and for all', () => {
    const room = new BodyRoom(100, 60);
    const first = room.open('a');
    first.add(60);
    expect(() => room.open('a').add(1)).toThrow(expect.objectContaining(unavailable));
    room.open('b').add(40);
    expect(() => room.open(null).add(1)).toThrow(expect.objectContaining(unavailable));
    first.release();
    first.release();
    room.open(null).add(60);
  });
});

test('gathered bytes are those that came, and no more than there may be', () => {
  for (const expected of [null, 0, 10, 5_000_000]) {
    const gathered = new GatheredBytes(3_000_000, expected);
    const piece = Buffer.from('0123456789'.repeat(10_000));
    for (let n = 0; n < 30; n += 1) expect(gathered.add(piece)).toBe(true);
    expect(gathered.add(Buffer.from('x'))).toBe(false);
    expect(gathered.bytes().equals(Buffer.concat(Array(30).fill(piece)))).toBe(true);
  }
});
