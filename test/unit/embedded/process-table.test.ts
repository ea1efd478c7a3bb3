/** What `/proc/<pid>/stat` says of a process that ends. */
import { expect, test } from '@jest/globals';
import { readStartTicks, ticksOfRunning } from '../../../embedded/processes/process-table.ts';

const stat = (state: string, threads: number): string =>
  `4711 (a ) Z 1) ${state} 1 4711 4711 0 -1 4194304 900 0 2 0 15 4 0 0 20 0 ${threads} 0 123456 0 0`;

test.each([
  ['runs', 'R', 1],
  ['sleeps', 'S', 12],
  ['lost its first thread, and has others that hold its ports and files', 'Z', 2],
])('a process that %s has not ended', (_, state, threads) => {
  expect(ticksOfRunning(stat(state, threads))).toBe('123456');
});

test.each([
  ['a zombie of one thread', 'Z', 1],
  ['one that is being removed', 'X', 0],
])('%s has ended', (_, state, threads) => {
  expect(ticksOfRunning(stat(state, threads))).toBeUndefined();
});

test('this process runs, and one that never was does not', () => {
  expect(readStartTicks(process.pid)).toMatch(/^\d+$/);
  expect(readStartTicks(2 ** 30)).toBeUndefined();
});
