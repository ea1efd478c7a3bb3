/** Bodies that are large: which have a place in the process, and which wait for one. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { CALLER, openDoor, type FakeDoor } from '../../support/fake-door.ts';
import { eventually } from '../../support/patience.ts';

const LARGE = JSON.stringify({ content_base64: 'QUJD'.repeat(1_310_720) });
const READER: Caller = {
  ...CALLER,
  grants: CALLER.grants.map((grant) => ({ ...grant, role: 'reader' })),
};

let door: FakeDoor;
/** Ends the oldest operation that is under way. */
let begun: (() => void)[];
let received: unknown[];

beforeEach(async () => {
  begun = [];
  received = [];
  door = await openDoor({
    // The token names the account.
    authenticate: async (token) =>
      token === 'reader' ? READER : { ...CALLER, accountId: token, credentialId: token },
    run: async (_name, _context, input) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      received.push(input['content_base64']);
      begun.push(resolve);
      await promise;
      return {};
    },
  });
});
afterEach(async () => {
  for (const end of begun) end();
  await door.close();
});

const send = (token: string, raw = LARGE) =>
  door.call({ method: 'POST', path: '/api/v1/documents', token, raw });
const areInside = (count: number) => eventually(() => begun.length === count);

test('the base64 of a document arrives as its bytes', async () => {
  const answer = send('one', '{"content_base64":"QUJ\\u0044","a":{"content_base64":"QQ=="}}');
  await areInside(1);
  expect(Buffer.from(received[0] as Uint8Array).toString()).toBe('ABC');
  begun[0]?.();
  expect((await answer).status).toBe(202);
});

test('an account has one large document in the process; its next one waits, other accounts do not', async () => {
  const first = send('one');
  await areInside(1);
  const second = send('one');
  const other = send('two');
  await areInside(2);
  const small = send('one', '{"content_base64":"QUJD"}');
  await areInside(3);
  for (const end of begun) end();
  await areInside(4);
  begun[3]?.();
  const answers = await Promise.all([first, second, other, small]);
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
});

test('past four accounts a large document waits for a place', async () => {
  const taken = ['one', 'two', 'three', 'four', 'five'].map((account) => send(account));
  await areInside(4);
  begun[0]?.();
  await areInside(5);
  for (const end of begun) end();
  expect((await Promise.all(taken)).map(({ status }) => status)).toEqual(Array(5).fill(202));
});

test('a full queue answers that the caller should retry later', async () => {
  const taken = [send('one')];
  await areInside(1);
  const more = Array.from({ length: 5 }, () => send('one'));
  const refused = await Promise.race(more);
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2']);
  const waiting = await eventually(async () => {
    for (const end of begun) end();
    return begun.length === 5 && Promise.all([...taken, ...more]);
  });
  const statuses = waiting.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([202, 202, 202, 202, 202, 503]);
});

test('a caller that may not submit a document gets no place in the queue', async () => {
  const answer = await send('reader');
  expect([answer.status, answer.json()]).toMatchObject([403, { code: 'forbidden' }]);
  expect(begun).toHaveLength(0);
});

test.each([
  ['no base64', '{"content_base64":"QUJ!"}', 422],
  ['half a group', '{"content_base64":"QUJDQ"}', 422],
  ['more after its padding', '{"content_base64":"QQ==QUJD"}', 422],
  ['more than a file may have', `{"content_base64":"${'QUJD'.repeat(11_184_812)}"}`, 413],
  ['another member of that size', `{"other":"${'x'.repeat(5 * 1024 * 1024)}"}`, 413],
])('a document with %s is refused', async (_name, raw, status) => {
  expect((await send('one', raw)).status).toBe(status);
  expect(begun).toHaveLength(0);
});
