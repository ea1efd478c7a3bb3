import { tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import { ephemeralFolder } from '../../../embedded/ephemeral-folder.ts';

const [little, much] = [2 ** 30, 2 ** 40];

test('servers of a test run keep their data in memory where there is room', () => {
  expect(ephemeralFolder({ folder: much, memory: much })).toBe('/dev/shm');
});

test.each([
  { where: 'the folder in memory', free: { folder: little, memory: much } },
  { where: 'memory', free: { folder: much, memory: little } },
])('servers of a test run keep their data on disk where $where has little room', ({ free }) => {
  expect(ephemeralFolder(free)).toBe(tmpdir());
});
