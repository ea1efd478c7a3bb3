import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { LoopTurns } from '../../../api/loop-turns.ts';

const LARGE = 1_048_576;

test('large bodies that end together are served in separate turns of the event loop, others in between', async () => {
  const turns = new LoopTurns();
  const order: string[] = [];
  const large = [1, 2, 3].map((n) => turns.take(LARGE).then(() => order.push(`large ${n}`)));
  void turns.take(100).then(() => order.push('small'));
  for (let n = 1; order.length < 7; n += 1) {
    await setImmediate();
    order.push(`turn ${n}`);
  }
  await Promise.all(large);
  const places = [1, 2, 3].map((n) => order.indexOf(`large ${n}`));
  expect(order[0]).toBe('small');
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places.slice(1).map((place, at) => place - (places[at] ?? 0))).not.toContain(1);
});
