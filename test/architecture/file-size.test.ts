/** Small files with one reason to exist: a median under 100 lines, none past 400. */
import { expect, test } from '@jest/globals';
import { readFiles, SOURCE_FOLDERS } from './source-tree.ts';

const LONGEST = 400;
const MEDIAN = 100;

function lineCount(text: string): number {
  return text.trimEnd().split('\n').length;
}

test('no source file is longer than 400 lines', () => {
  const long = readFiles([...SOURCE_FOLDERS, 'test'], '.ts')
    .filter(({ text }) => lineCount(text) > LONGEST)
    .map(({ path, text }) => `${path}: ${lineCount(text)}`);
  expect(long).toEqual([]);
});

test('the median source file is shorter than 100 lines', () => {
  const counts = readFiles(SOURCE_FOLDERS, '.ts')
    .map(({ text }) => lineCount(text))
    .toSorted((a, b) => a - b);
  expect(counts.length).toBeGreaterThan(20);
  expect(counts[Math.floor(counts.length / 2)]).toBeLessThan(MEDIAN);
});
