import { expect, test } from '@jest/globals';
import { readOptions } from '../../long/options.ts';
import { exitCodeOf, tableOf } from '../../long/report.ts';
import { SUITES } from '../../long/suites.ts';

test('without options every suite is played that was not green yet', () => {
  expect(readOptions([])).toEqual({ isFresh: false, seed: null, suites: SUITES, isChosen: false });
});

test('a seed begins anew, and suites that are named are played again', () => {
  expect(readOptions(['--seed', '7'])).toMatchObject({ isFresh: true, seed: 7, isChosen: false });
  const { isChosen, suites } = readOptions(['--only', 'fault/kills', '--only', 'pure']);
  expect([isChosen, suites.map(({ name }) => name)]).toEqual([true, ['pure', 'kills']]);
});

test.each([[['--only', 'nothing']], [['--seed', 'red']], [['--what']]])('%j is refused', (args) => {
  expect(() => readOptions(args)).toThrow();
});

test('a run is green only when every suite is, now or before', () => {
  const green = { name: 'pure', outcome: 'green', seconds: 61.4 } as const;
  const before = { name: 'kills', outcome: 'green before', seconds: 20 } as const;
  const late = { name: 'hostile', outcome: 'not run', seconds: 0 } as const;
  expect(exitCodeOf([green, before])).toBe(0);
  expect(exitCodeOf([green, before, late])).toBe(1);
  expect(tableOf([green, before, late]).split('\n')).toEqual([
    'pure        1:01  green',
    'kills       0:20  green before',
    'hostile     0:00  not run',
    'this run    1:01',
  ]);
});
