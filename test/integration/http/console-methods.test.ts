/** Methods that an address of the console does not have. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CONSOLE_ROUTES, methodsOf } from '../../../console/routes.ts';
import { openDoor, type FakeDoor } from '../../support/fake-door.ts';

let door: FakeDoor;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.close());

test('are answered by a page with the methods that it has, whoever asks', async () => {
  for (const { path, show, take } of CONSOLE_ROUTES) {
    const offered = [
      ...(show === undefined ? [] : ['GET', 'HEAD']),
      ...(take === undefined ? [] : methodsOf(path)),
    ];
    const address = path.replace(/:\w+/, '01890000-0000-7000-8000-000000000000').replace('*', '');
    for (const method of ['PUT', 'PATCH', 'OPTIONS']) {
      const answer = await door.call({ method, path: address });
      expect([address, answer.status, answer.headers['content-type']]).toEqual([
        address,
        405,
        'text/html; charset=utf-8',
      ]);
      expect(answer.headers.allow?.split(', ')).toEqual(expect.arrayContaining(offered));
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      expect(answer.text).toContain('This address does not take that request.');
    }
  }
  expect(door.logged.filter(({ level }) => level === 'error')).toEqual([]);
});

test('of any other address stay as programs expect them', async () => {
  const answer = await door.call({ method: 'PATCH', path: '/api/v1/search' });
  expect([answer.status, answer.json()]).toEqual([
    405,
    { error: expect.any(String), code: 'method_not_allowed' },
  ]);
  expect((await door.call({ method: 'GET', path: '/no/such/page' })).json()).toMatchObject({
    code: 'not_found',
  });
});
