/** Which accounts a sweep is told of, however many there are. */
import { expect, test } from '@jest/globals';
import { createSweeps } from '../../../engine/lifecycle/sweeps.ts';
import type { SweepsStore } from '../../../stores/postgres/sweeps/sweeps.store.ts';

/** Ids in order, of version 7 as ours are. */
const idOf = (n: number): string => `019a0000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** A deployment of `amount` accounts, of which those of `due` have something due. Counts the questions. */
function scene(amount: number, due: (n: number) => boolean) {
  const questions: (string | null)[] = [];
  const all = Array.from({ length: amount }, (_, n) => ({ accountId: idOf(n), isDue: due(n) }));
  const accountsAfter: SweepsStore['accountsAfter'] = async (afterId, _at, limit) => {
    questions.push(afterId);
    const from = afterId === null ? 0 : all.findIndex((one) => one.accountId === afterId) + 1;
    return all.slice(from, from + limit);
  };
  const sweeps = createSweeps({
    store: { accountsAfter } as Partial<SweepsStore> as SweepsStore,
    newId: () => idOf(0),
    ring: () => {},
    shards: 8,
    report: () => {},
  });
  return { sweeps, questions };
}

test('a page of due accounts fits into a history', async () => {
  const { sweeps } = scene(10_000, () => true);
  const page = await sweeps.accountsDue(null);
  expect(page.accountIds.length).toBeGreaterThan(100);
  expect(page.nextAfterId).toBe(page.accountIds.at(-1));
  // What the converter of payloads lets through at most.
  expect(JSON.stringify(page).length).toBeLessThan(16_384);
});

test('accounts in which nothing is due are passed over, and every due one is found once', async () => {
  const isDue = (n: number): boolean => n % 999 === 7;
  const { questions, sweeps } = scene(5_000, isDue);
  const found: string[] = [];
  let pages = 0;
  let afterId: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof sweeps.accountsDue>> = await sweeps.accountsDue(afterId);
    found.push(...page.accountIds);
    afterId = page.nextAfterId;
    pages += 1;
  } while (afterId !== null);
  const due = Array.from({ length: 5_000 }, (_, n) => n).filter(isDue);
  expect(found).toEqual(due.map(idOf));
  expect(pages).toBeLessThanOrEqual(due.length + 1);
  expect(questions.length).toBe(26);
});

test('a deployment without accounts is looked at once', async () => {
  const { questions, sweeps } = scene(0, () => true);
  expect(await sweeps.accountsDue(null)).toEqual({ accountIds: [], nextAfterId: null });
  expect(questions).toEqual([null]);
});
