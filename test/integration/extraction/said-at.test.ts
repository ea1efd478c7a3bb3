/** A sender's clock that runs ahead makes no saying newer than its receipt: what is said to come later counts as said then. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Scene } from '../observations/scene.ts';

const RECEIVED = '2026-03-11T12:00:00.000Z';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const after = (ms: number): string => new Date(Date.parse(RECEIVED) + ms).toISOString();

/** From a millisecond more than a day to the year 2099. */
const AHEAD = [
  DAY_MS + 1,
  DAY_MS + 1_000,
  ...Array.from({ length: 14 }, (_, n) => (n + 2) * DAY_MS),
  ...Array.from({ length: 12 }, (_, n) => (n + 1) * 31 * DAY_MS),
  ...[2, 5, 10, 30, 73].map((years) => years * 365 * DAY_MS),
];
/** From a day ahead, which time zones explain, to long ago. */
const PLAIN = [
  DAY_MS,
  DAY_MS - 1,
  ...Array.from({ length: 12 }, (_, n) => (n + 1) * HOUR_MS),
  0,
  ...Array.from({ length: 12 }, (_, n) => -(n + 1) * 31 * DAY_MS),
  ...[2, 5, 10, 40].map((years) => -years * 365 * DAY_MS),
];

async function countsAs(ms: readonly number[]): Promise<readonly string[]> {
  const rows = await scene.rows(
    `select to_char(said_at(at::timestamptz, $1::timestamptz) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as said
     from unnest($2::text[]) with ordinality as t (at, n) order by n`,
    [RECEIVED, ms.map(after)],
  );
  return rows.map((row) => String(row['said']));
}

test('clocks are tried in thirty distances each way', () => {
  expect(new Set(AHEAD).size).toBeGreaterThanOrEqual(30);
  expect(new Set(PLAIN).size).toBeGreaterThanOrEqual(30);
});

test('more than a day ahead counts as said at the receipt', async () => {
  expect(await countsAs(AHEAD)).toEqual(AHEAD.map(() => RECEIVED));
});

test('up to a day ahead, and any time before, counts as it is', async () => {
  expect(await countsAs(PLAIN)).toEqual(PLAIN.map(after));
});
