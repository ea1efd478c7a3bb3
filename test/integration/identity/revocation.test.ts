/**
 * A key, a grant, a password and a person that end: every process refuses within 5 seconds, whether it is asked anew,
 * holds a request that waits, or takes in a body. `npm run bench:revocation` runs it with more rounds, for the figures.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { listGrants, removeGrant } from '../../../operations/identity/grants.ts';
import {
  changePassword,
  disableUser,
  removeUser,
} from '../../../operations/identity/user-access.ts';
import { percentiles } from '../../../measure/bench/timing.ts';
import type { TestAccount, TestKey } from '../../support/account.ts';
import { eventually } from '../../support/patience.ts';
import { sized } from '../../support/run.ts';
import {
  closeWithoutErrors,
  dataOf,
  startOwnService,
  type Door,
  type OwnService,
} from '../../support/service.ts';
import { trickle } from '../../support/trickle.ts';

/** Set for `npm run bench:revocation`. */
const settings = z.object({
  VOUCH_REVOCATION_ROUNDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(10)
    .default(sized({ short: 1, long: 2 })),
  VOUCH_REVOCATION_REPORT: z.string().min(1).optional(),
});

// oxlint-disable-next-line node/no-process-env
const given = settings.parse(process.env);
const { VOUCH_REVOCATION_ROUNDS: ROUNDS, VOUCH_REVOCATION_REPORT: REPORT } = given;
const WITHIN_MS = 5_000;
const WAIT_MS = 10_000;
const ASKED_EVERY_MS = 100;
const OTHER_PASSWORD = 'battery horse correct';

let service: OwnService;
let doors: readonly Door[];
let made = 0;

/** Milliseconds from the commit to the first refusal, by what ended, how it was asked and where. */
const figures = new Map<string, number[]>();
const note = (row: string, ms: number): void => {
  figures.set(row, [...(figures.get(row) ?? []), ms]);
};

beforeAll(async () => {
  service = await startOwnService();
  doors = [service, await service.anotherDoor()];
});

afterAll(async () => {
  const rows = [...figures].map(([row, times]) => {
    const { p50 } = percentiles(times);
    return `| ${row} | ${p50.toFixed(0)} | ${Math.max(...times).toFixed(0)} | ${times.length} |`;
  });
  const page = [
    '| what ended, how it was asked, process | p50 ms | max ms | n |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
  if (REPORT !== undefined) writeFileSync(REPORT, page);
  await closeWithoutErrors(service);
});

/** Somebody with a credential, who can be told apart; and how that ends. */
interface Case {
  readonly token: string;
  /** What a read of one's own observation is refused with, and a write. */
  readonly refused: { readonly read: number; readonly write: number };
  readonly end: () => Promise<unknown>;
}

const UNKNOWN = { read: 401, write: 401 };

async function someKey(account: TestAccount): Promise<TestKey & { readonly peer: string }> {
  made += 1;
  const peer = `agent-${made}`;
  return { ...(await account.agent(peer)), peer };
}

async function somebody(account: TestAccount) {
  made += 1;
  const name = `person-${made}`;
  return { token: await account.person(name), email: `${name}@${account.key}.example` };
}

/** Every thing that can end, by its name. */
const CASES: Readonly<Record<string, (account: TestAccount) => Promise<Case>>> = {
  async key(account) {
    const key = await someKey(account);
    return { token: key.token, refused: UNKNOWN, end: () => account.revoke(key) };
  },
  async grant(account) {
    const { peer, token } = await someKey(account);
    const { grants } = await service.operate(listGrants, { account: account.key, peer });
    const end = () => service.operate(removeGrant, { account: account.key, id: grants[0]?.id });
    return { token, refused: { read: 404, write: 403 }, end };
  },
  async deny(account) {
    const { peer, token } = await someKey(account);
    const end = () => account.grant(peer, { scope: '/', effect: 'deny' });
    return { token, refused: { read: 404, write: 403 }, end };
  },
  async password(account) {
    const { email, token } = await somebody(account);
    const input = { account: account.key, email, password: OTHER_PASSWORD };
    return { token, refused: UNKNOWN, end: () => service.operate(changePassword, input) };
  },
  async 'disabled person'(account) {
    const { email, token } = await somebody(account);
    const input = { account: account.key, email };
    return { token, refused: UNKNOWN, end: () => service.operate(disableUser, input) };
  },
  async 'removed person'(account) {
    const { email, token } = await somebody(account);
    const input = { account: account.key, email };
    return { token, refused: UNKNOWN, end: () => service.operate(removeUser, input) };
  },
};

const OBSERVATION = { session_id: 's', scope_path: '/team', content: 'I live in Bergen.' };
const write = (door: Door, token: string, headers = {}) =>
  door.call({ path: '/api/v1/ingest', token, json: OBSERVATION, headers });

/** Asks until it is refused with `status`; answers when the last request was sent that was not, and the first that was. */
async function untilRefused(ask: () => Promise<{ readonly status: number }>, status: number) {
  let lastGood = performance.now();
  return eventually(async () => {
    const sentAt = performance.now();
    const answer = await ask();
    if (answer.status === status) return { lastGood, refusedAt: performance.now() };
    lastGood = sentAt;
    await sleep(ASKED_EVERY_MS);
    return false;
  });
}

const rounds = Array.from({ length: ROUNDS }, (_, index) => index);
const eachDoor = <T>(work: (door: Door, name: string) => Promise<T>): Promise<T[]> =>
  Promise.all(doors.map((door, index) => work(door, index === 0 ? 'first' : 'second')));

type Make = (typeof CASES)[string];

/** What ends in every case takes the same seconds to be refused: all cases go side by side, and each test waits for its own. */
function testEach(play: (name: string, make: Make) => Promise<void>): void {
  const plays = new Map<string, Promise<void>>();
  beforeAll(() => {
    for (const [name, make] of Object.entries(CASES)) {
      const played = play(name, make);
      // Its own test tells.
      played.catch(() => undefined);
      plays.set(name, played);
    }
  });
  test.each(Object.keys(CASES))('a %s that ended', (name) => plays.get(name));
}

describe('good for nothing that is asked later than 5 seconds, in any process, is', () => {
  testEach(async (name, make) => {
    const round = async (): Promise<void> => {
      const { end, refused, token } = await make(service.home);
      // Both processes remember it.
      const [known] = await eachDoor((door) => write(door, token));
      const path = `/api/v1/ingest/${String(known && dataOf(known)['message_id'])}`;
      await end();
      const endedAt = performance.now();
      await eachDoor(async (door, where) => {
        const outcome = await untilRefused(() => door.call({ path, token }), refused.read);
        expect((await write(door, token)).status).toBe(refused.write);
        expect(outcome.lastGood - endedAt).toBeLessThan(WITHIN_MS);
        note(`${name}, a request, ${where}`, outcome.refusedAt - endedAt);
      });
    };
    await Promise.all(rounds.map(round));
  });
});

describe('every process ends the waits of', () => {
  testEach(async (name, make) => {
    const round = async (): Promise<void> => {
      const { end, refused, token } = await make(service.home);
      const messageId = String(dataOf(await write(service, token))['message_id']);
      await unsettled(messageId);
      const wait = `?wait_ms=${WAIT_MS}`;
      const other = await someKey(service.home);
      const othersId = String(dataOf(await write(service, other.token))['message_id']);
      await unsettled(othersId);
      const answered: string[] = [];
      // It begins first, so a wait that went on to its own end would be answered after it.
      const othersWait = service.call({
        path: `/api/v1/ingest/${othersId}${wait}`,
        token: other.token,
      });
      const told = (): void => void answered.push('other');
      othersWait.then(told, told);
      const path = `/api/v1/ingest/${messageId}${wait}`;
      const waits = doors.map(async (door) => {
        const answer = await door.call({ path, token });
        answered.push('ended');
        return { status: answer.status, answeredAt: performance.now() };
      });
      await sleep(500);
      await end();
      const endedAt = performance.now();
      const answers = await Promise.all(waits);
      for (const [index, { answeredAt, status }] of answers.entries()) {
        expect(status).toBe(refused.read);
        note(`${name}, a wait, ${index === 0 ? 'first' : 'second'}`, answeredAt - endedAt);
      }
      expect(answered).toEqual(['ended', 'ended']);
    };
    await Promise.all(rounds.map(round));
  });
});

describe('every process ends the upload, of which nothing is kept, of', () => {
  testEach(async (name, make) => {
    made += 1;
    const account = await service.account(`uploads-${made}`);
    // An account has one place for large bodies in a process, so the rounds follow each other.
    for (const _ of rounds) {
      const { end, refused, token } = await make(account);
      const upload = { path: '/api/v1/documents', token, bytes: 6 * 1_048_576 };
      const answers = doors.map(({ url }) =>
        trickle(url, { ...upload, pieceBytes: 65_536, everyMs: 250 }),
      );
      await sleep(500);
      await end();
      const endedAt = performance.now();
      for (const [index, answer] of (await Promise.all(answers)).entries()) {
        expect(answer.status).toBe(refused.write);
        expect(answer.sentBytes).toBeLessThan(upload.bytes);
        note(
          `${name}, an upload, ${index === 0 ? 'first' : 'second'}`,
          answer.answeredAt - endedAt,
        );
      }
    }
    const kept = await service.rows('select from document_versions where account_id = $1', [
      account.id,
    ]);
    expect(kept).toEqual([]);
  });
});

/** Puts the observation to where it waits for an attempt in an hour. */
async function unsettled(messageId: string): Promise<void> {
  await eventually(async () => {
    const answer = await service.rows(
      `update extraction_anchors set status = 'failed', available_at = now() + interval '1 hour',
         completed_at = null, last_error_class = 'request_timeout'
       where message_id = $1 and status = 'completed' returning message_id`,
      [messageId],
    );
    return answer.length === 1;
  });
}

test('an answer that was given once is not given again to a key that was revoked', async () => {
  const key = await service.home.agent('once');
  const headers = { 'idempotency-key': 'once' };
  const first = await write(service, key.token, headers);
  expect((await write(service, key.token, headers)).text).toBe(first.text);
  await service.home.revoke(key);
  await eachDoor(async (door) => {
    await untilRefused(() => write(door, key.token, headers), 401);
  });
});
