import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { bisect } from '../../../engine/bisect.ts';

const members = fc.uniqueArray(fc.nat(99), { maxLength: 40 });

/** Does the members that are not at fault, and says how often each was done and which stood alone. */
async function run(items: readonly number[], faults: ReadonlySet<number>) {
  const done: number[] = [];
  const alone: number[] = [];
  let groups = 0;
  await bisect(items, {
    async work(group) {
      groups += 1;
      if (group.some((item) => faults.has(item))) throw new TypeError('a defect');
      done.push(...group);
    },
    async alone(item) {
      alone.push(item);
    },
    endsAll: () => false,
    failed() {},
  });
  return { done, alone, groups };
}

test('every member at fault is isolated, and every other is done once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(members, fc.array(fc.nat(99), { maxLength: 8 }), async (items, wrong) => {
      const faults = new Set(wrong);
      const { done, alone } = await run(items, faults);
      expect(done).toEqual(items.filter((item) => !faults.has(item)));
      expect(alone).toEqual(items.filter((item) => faults.has(item)));
    }),
  );
});

test('one member at fault among fifty costs at most thirteen tries', async () => {
  const items = Array.from({ length: 50 }, (_, n) => n);
  const { groups } = await run(items, new Set([33]));
  expect(groups).toBeLessThanOrEqual(13);
});

test('a failure that no member causes ends the whole work at once', async () => {
  const gone = new Error('the database is gone');
  let groups = 0;
  const outcome = bisect([1, 2, 3], {
    async work() {
      groups += 1;
      throw gone;
    },
    alone: () => Promise.reject(new Error('nobody is at fault')),
    endsAll: (error) => error === gone,
    failed() {},
  });
  await expect(outcome).rejects.toBe(gone);
  expect(groups).toBe(1);
});
