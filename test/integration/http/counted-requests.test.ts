/** Which requests count as usage of their account: those with a valid credential, whatever they are answered. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { Refusal } from '../../../domain/errors.ts';
import { operations } from '../../../operations/registry.ts';
import {
  CALLER,
  GOOD_TOKEN,
  MESSAGE_ID,
  openDoor,
  type FakeDoor,
} from '../../support/fake-door.ts';
import { send } from '../../support/http.ts';
import { post, toolCall } from '../../support/mcp.ts';

let door: FakeDoor | null = null;
let counted: string[] = [];
afterEach(async () => {
  await door?.close();
  door = null;
});

async function open(options: Parameters<typeof openDoor>[0] = {}): Promise<FakeDoor> {
  counted = [];
  door = await openDoor({
    ...options,
    environment: { countRequest: (accountId) => void counted.push(accountId) },
  });
  return door;
}

const REQUEST = { path: `/api/v1/ingest/${MESSAGE_ID}` };
const search = toolCall('search', { scope_path: '/team', query: 'tea' });

describe('a request below /api/v1/', () => {
  test('counts once with a valid credential', async () => {
    const { url } = await open();
    await send(url, { ...REQUEST, token: GOOD_TOKEN });
    expect(counted).toEqual([CALLER.accountId]);
  });

  test('does not count without one', async () => {
    const { url } = await open();
    expect((await send(url, REQUEST)).status).toBe(401);
    expect((await send(url, { ...REQUEST, token: 'bad-token' })).status).toBe(401);
    expect(counted).toEqual([]);
  });

  test.each(['forbidden', 'not_found', 'conflict', 'unavailable'] as const)(
    'counts when it is refused: %s',
    async (code) => {
      const { url } = await open({ run: () => Promise.reject(new Refusal(code)) });
      expect((await send(url, { ...REQUEST, token: GOOD_TOKEN })).status).toBeGreaterThan(399);
      expect(counted).toHaveLength(1);
    },
  );

  test('counts when it is invalid, or one too many', async () => {
    const { url } = await open({
      config: { ratePerSecond: 1 },
      clock: () => new Date(0),
      operations: { readCosts: operations.readCosts },
    });
    const bad = { path: '/api/v1/operations/costs?by=week', token: GOOD_TOKEN };
    expect((await send(url, bad)).status).toBe(422);
    expect((await send(url, bad)).status).toBe(429);
    expect(counted).toHaveLength(2);
  });
});

describe('elsewhere', () => {
  test('probes and sign-ins do not count', async () => {
    const { url } = await open();
    await send(url, { path: '/api/health', token: GOOD_TOKEN });
    await send(url, { path: '/api/ready', token: GOOD_TOKEN });
    await send(url, { path: '/api/auth/password', token: GOOD_TOKEN, json: {} });
    expect(counted).toEqual([]);
  });

  test('each call of a tool counts, whatever its result; other messages do not', async () => {
    const { url } = await open({ run: () => Promise.reject(new Refusal('forbidden')) });
    await post(url, GOOD_TOKEN, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(counted).toEqual([]);
    await post(url, GOOD_TOKEN, search);
    await post(url, GOOD_TOKEN, [toolCall('search', { nonsense: true }, 2), search]);
    expect(counted).toEqual([CALLER.accountId, CALLER.accountId, CALLER.accountId]);
    await post(url, 'bad-token', search);
    expect(counted).toHaveLength(3);
  });
});
