/** The planted faults can be planted: what they change stands where they say, and what has to find them exists. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { planted, timesIn } from '../../planted/fault.ts';
import { FAULTS } from '../../planted/faults.ts';
import { tableOf, verdictOf, type TestReport } from '../../planted/verdict.ts';

const source = (file: string): string => readFileSync(file, 'utf8');

test('each part has one fault', () => {
  expect(new Set(FAULTS.map(({ part }) => part)).size).toBe(FAULTS.length);
  expect(FAULTS.length).toBeGreaterThanOrEqual(30);
});

describe.each(FAULTS)('the fault of $part', (fault) => {
  test('changes a place that stands once in its file', () => {
    expect(timesIn(source(fault.file), fault.find)).toBe(1);
    expect(planted(fault, source(fault.file))).toContain(fault.replace);
  });

  test('has test files that exist', () => {
    expect(fault.caughtBy.length).toBeGreaterThan(0);
    expect(fault.caughtBy.filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('the verdict', () => {
  const report = (...statuses: readonly string[]): TestReport => ({
    testResults: [
      {
        name: '/copy/test/a.test.ts',
        message: '',
        assertionResults: statuses.map((status) => ({ status })),
      },
    ],
  });

  test.each([
    ['caught', report('passed', 'failed')],
    ['missed', report('passed')],
    ['broken', report()],
    ['broken', { testResults: [] }],
    ['broken', null],
  ])('is %s', (verdict, of) => {
    expect(verdictOf(of, 'test/a.test.ts')).toBe(verdict);
  });

  test('is a line of the table', () => {
    const row = { part: 'marks', testFile: 'a.test.ts', verdict: 'caught', seconds: 3.4 } as const;
    expect(tableOf([row]).split('\n').at(-1)).toBe('| marks | a.test.ts | caught | 3 |');
  });
});
