import { describe, expect, test } from '@jest/globals';
import { SUITES, suitesNamed, suitesOf, testFiles } from '../../long/suites.ts';

describe('the suites of the long run', () => {
  test('have every test file, each in one of them', () => {
    const files = testFiles();
    expect(files.length).toBeGreaterThan(400);
    expect(files.filter((file) => suitesOf(file).length !== 1)).toEqual([]);
  });

  test('have a name of their own and at least one file each', () => {
    expect(new Set(SUITES.map(({ name }) => name)).size).toBe(SUITES.length);
    const reached = new Set(testFiles().flatMap(suitesOf));
    expect(SUITES.filter((suite) => !reached.has(suite))).toEqual([]);
  });

  test('name no path without a test file', () => {
    const files = testFiles();
    const paths = SUITES.flatMap(({ below }) => below);
    expect(paths.filter((path) => !files.some((file) => file.startsWith(path)))).toEqual([]);
  });

  test('are found by their name and by the path of a test file', () => {
    const namesOf = (words: string) => suitesNamed(words).map(({ name }) => name);
    expect(namesOf('fault/kills')).toEqual(['kills']);
    expect(namesOf('hostile')).toEqual(expect.arrayContaining(['hostile-texts', 'hostile-desk']));
    expect(namesOf('matrix')).toEqual(['matrix']);
    expect(namesOf('page-matrix')).toEqual(['matrix']);
    expect(namesOf('no such thing')).toEqual([]);
  });
});
