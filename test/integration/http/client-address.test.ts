/** The address that sign-in is limited by, as the door hands it on. */
import { expect, test } from '@jest/globals';
import { parseTrustedProxies } from '../../../runtime/config/trusted-proxies.ts';
import { openDoor } from '../../support/fake-door.ts';

async function addressesAs(trusted: string, lines: readonly (readonly string[])[]) {
  const seen: unknown[] = [];
  const door = await openDoor({
    run: async (_name, { clientAddress }) => {
      seen.push(clientAddress);
      return {};
    },
    config: { trustedProxies: parseTrustedProxies(trusted) },
  });
  try {
    for (const forwarded of lines) {
      const headers = forwarded.length === 0 ? {} : { 'x-forwarded-for': forwarded };
      await door.call({ path: '/api/auth/password', json: {}, headers });
    }
  } finally {
    await door.close();
  }
  return seen;
}

const LINES = [[], ['203.0.113.9'], ['198.51.100.1', '203.0.113.9, 127.0.0.7'], ['nonsense']];

test('is the address of the socket, whatever header a caller sends', async () => {
  expect(await addressesAs('', LINES)).toEqual(LINES.map(() => '127.0.0.1'));
});

test('is taken from the headers of a trusted proxy, over all header lines', async () => {
  expect(await addressesAs('127.0.0.0/8', LINES)).toEqual([
    '127.0.0.1',
    '203.0.113.9',
    '203.0.113.9',
    '127.0.0.1',
  ]);
});
