/** What the callers of two accounts notice of the pace of requests. */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  BYTES_OF_REQUEST_UNIT,
  FREE_REQUEST_UNITS,
  RequestPace,
  UNITS_OF_REQUEST,
} from '../../../api/request-pace.ts';
import { eventually } from '../../support/patience.ts';
import { CALLER, openDoor, type FakeDoor } from '../../support/fake-door.ts';

const FREE = FREE_REQUEST_UNITS / UNITS_OF_REQUEST.usual;
/** Slow enough that a busy machine answers everything else meanwhile. */
const CORES = 1 / 16;
const MORE = 3;

let door: FakeDoor;
let ran: string[] = [];
let revoked = new Set<string>();
const doors: FakeDoor[] = [];
afterAll(() => Promise.all(doors.map((each) => each.close())));

beforeEach(async () => {
  ran = [];
  revoked = new Set();
  door = await openDoor({
    config: { requestPace: new RequestPace(CORES) },
    authenticate: async (bearer) => (revoked.has(bearer) ? null : { ...CALLER, accountId: bearer }),
    run: async (_name, { caller }) => {
      ran.push(caller?.accountId ?? '');
      return {};
    },
  });
  doors.push(door);
});

const search = (token: string) => door.call({ path: '/api/v1/search', token, json: {} });
const ranOf = (account: string): number => ran.filter((one) => one === account).length;

describe('an account that asks faster than it may beside another', () => {
  test('waits alone: the other account is answered meanwhile, and all its own requests later', async () => {
    await search('other');
    const crowd = Array.from({ length: FREE + MORE }, () => search('crowd'));
    expect((await search('other')).status).toBe(200);
    expect(ranOf('crowd')).toBeLessThan(FREE + MORE);
    const answers = await Promise.all(crowd);
    expect(answers.map(({ status }) => status)).toEqual(Array(FREE + MORE).fill(200));
  });

  test('waits for one long body as for many requests', async () => {
    await search('other');
    const long = { query: 'a'.repeat(FREE_REQUEST_UNITS * BYTES_OF_REQUEST_UNIT) };
    const first = door.call({ path: '/api/v1/search', token: 'crowd', json: long });
    const second = search('crowd');
    expect((await search('other')).status).toBe(200);
    expect(ranOf('crowd')).toBe(0);
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('is refused after the wait, without running, when its credential ended meanwhile', async () => {
    await search('other');
    await Promise.all(Array.from({ length: FREE }, () => search('crowd')));
    const late = search('crowd');
    await search('other');
    revoked.add('crowd');
    expect((await late).status).toBe(401);
    expect(ranOf('crowd')).toBe(FREE);
  });

  test('does not run a request whose client has left', async () => {
    await search('other');
    await Promise.all(Array.from({ length: FREE }, () => search('crowd')));
    const leaving = httpRequest(`${door.url}/api/v1/knowledge`, {
      headers: { authorization: 'Bearer crowd' },
    });
    leaving.on('error', () => undefined).end();
    await search('other');
    leaving.destroy();
    const after = search('crowd');
    await eventually(async () => ranOf('crowd') === FREE + 1);
    await after;
    expect(ranOf('crowd')).toBe(FREE + 1);
  });
});
