/** Bodies that are large: how many of them a process takes in at a time. */
import { expect, test } from '@jest/globals';
import { eventually } from '../../support/patience.ts';
import { GOOD_TOKEN, openDoor } from '../../support/fake-door.ts';

const LARGE = `{"a":"${'x'.repeat(5 * 1024 * 1024)}"}`;

test('a fifth large document is asked to come again, a small one is not', async () => {
  const begun: (() => void)[] = [];
  const door = await openDoor({
    run: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      begun.push(resolve);
      await promise;
      return {};
    },
  });
  const send = (raw: string) =>
    door.call({ method: 'POST', path: '/api/v1/documents', token: GOOD_TOKEN, raw });
  try {
    const taken = Array.from({ length: 4 }, () => send(LARGE));
    await eventually(async () => begun.length === 4);
    const refused = await send(LARGE);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2']);
    taken.push(send('{"a":"small"}'));
    await eventually(async () => begun.length === 5);
    for (const end of begun) end();
    const answers = await Promise.all(taken);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    const later = send(LARGE);
    await eventually(async () => begun.length === 6);
    begun[5]?.();
    expect((await later).status).toBe(202);
  } finally {
    for (const end of begun) end();
    await door.close();
  }
});
