/** When the other account has cause to complain of an attack. */
import { describe, expect, test } from '@jest/globals';
import {
  delaysOf,
  faultsOf,
  holdsOf,
  KINDS,
  type Kind,
  type Sample,
} from '../../fault/hostile/judge.ts';

function samples(ms: Partial<Record<Kind | 'own_clock', number>>, count = 20): Sample[] {
  return [...KINDS, 'own_clock' as const].flatMap((kind) =>
    Array.from({ length: count }, () => ({ kind, startedAt: 0, ms: ms[kind] ?? 10, fault: null })),
  );
}

const calm = samples({ observation: 300 });

describe('another account', () => {
  test('passes while everything takes as long as before', () => {
    expect(delaysOf(calm, calm)).toEqual([]);
  });

  test('may wait three times as long, and no longer', () => {
    expect(delaysOf(calm, samples({ observation: 900 }))).toEqual([]);
    expect(delaysOf(calm, samples({ observation: 901 }))).toHaveLength(1);
  });

  test('may wait a quarter of a second longer when three times as long would be less', () => {
    expect(delaysOf(calm, samples({ observation: 300, poll: 260, search: 260 }))).toEqual([]);
    expect(delaysOf(calm, samples({ observation: 300, poll: 261, search: 261 }))).toHaveLength(2);
  });

  test('gets a health answer within a quarter of a second beyond the delay of the machine itself', () => {
    expect(delaysOf(calm, samples({ health: 260, own_clock: 10 }))).toEqual([]);
    expect(delaysOf(calm, samples({ health: 261, own_clock: 10 }))).toHaveLength(1);
  });

  test('fails when too little could be measured', () => {
    expect(delaysOf(calm, samples({ observation: 300 }, 4))).toHaveLength(KINDS.length);
  });

  test('fails for every wrong answer, however fast', () => {
    const refused: Sample = { kind: 'accept', startedAt: 0, ms: 1, fault: 'answered 503' };
    expect(faultsOf([...calm, refused, refused])).toEqual(['2 x accept: answered 503']);
  });
});

describe('an event loop', () => {
  const before = { all: 100, over50Ms: 7, over250Ms: 2 };
  const later = (over50Ms: number, over250Ms: number) => ({
    all: 200,
    over50Ms: 7 + over50Ms,
    over250Ms: 2 + over250Ms,
  });

  test('may be held for 50 ms in one tick of ten', () => {
    expect(holdsOf('api', before, later(10, 0), calm)).toEqual([]);
    expect(holdsOf('api', before, later(11, 0), calm)).toHaveLength(1);
  });

  test('is not held for 250 ms, unless the machine held an idle process too', () => {
    expect(holdsOf('api', before, later(1, 1), calm)).toHaveLength(1);
    expect(holdsOf('api', before, later(1, 1), samples({ own_clock: 100 }))).toEqual([]);
  });
});
