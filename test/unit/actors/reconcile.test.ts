import { describe, expect, test } from '@jest/globals';
import {
  counters,
  isCounters,
  refuse,
  zeroCounters,
} from '../../../domain/workflow-history/safe-text.ts';
import { RUN_WORKFLOWS, SCHEDULES } from '../../../domain/actors/names.ts';
import { ERROR_CLASSES } from '../../../domain/error-class.ts';
import {
  addCounts,
  NOTHING_RECONCILED,
  REPLAYED_CLASSES,
  runEnd,
} from '../../../domain/pipeline/reconcile.ts';

describe('a run whose workflow ended', () => {
  test.each([
    ['open', null],
    ['completed', 'discarded'],
    ['cancelled', 'cancelled'],
    ['failed', 'failed'],
    ['timed_out', 'failed'],
    ['terminated', 'discarded'],
    ['unknown', 'discarded'],
  ] as const)('as %s is %s', (state, status) => {
    expect(runEnd(state)?.status ?? null).toBe(status);
  });

  test('has an error class that is replayed when it failed, and else none', () => {
    for (const state of ['completed', 'cancelled', 'terminated', 'unknown'] as const) {
      expect(runEnd(state)?.errorClass).toBeNull();
    }
    for (const state of ['failed', 'timed_out'] as const) {
      expect(REPLAYED_CLASSES).toContain(runEnd(state)?.errorClass);
    }
  });
});

test('a failure that needs an operator, or is permanent, is not replayed', () => {
  const left = ERROR_CLASSES.filter((errorClass) => !REPLAYED_CLASSES.includes(errorClass));
  expect(left).toContain('credentials_rejected');
  expect(left).toContain('structured_validation_failed');
  expect(left).toHaveLength(ERROR_CLASSES.length - REPLAYED_CLASSES.length);
});

test('counts are added field by field, and are allowed in a workflow history', () => {
  const one = {
    anchors: 1,
    limited: 1,
    marks: 2,
    versions: 3,
    ended: 4,
    replayed: 5,
    attempts: 6,
    vectors: 7,
    scopes: 8,
    uploads: 9,
  };
  const more = {
    anchors: 10,
    limited: 15,
    marks: 20,
    versions: 30,
    ended: 40,
    replayed: 50,
    attempts: 60,
    vectors: 70,
    scopes: 80,
    uploads: 90,
  };
  const sum = addCounts(one, more);
  expect(sum).toEqual({
    anchors: 11,
    limited: 16,
    marks: 22,
    versions: 33,
    ended: 44,
    replayed: 55,
    attempts: 66,
    vectors: 77,
    scopes: 88,
    uploads: 99,
  });
  expect(addCounts(one, NOTHING_RECONCILED)).toEqual(one);
  expect(refuse(sum)).toBeNull();
  expect(isCounters(counters({ ...sum }))).toBe(true);
});

test('every actor that counts reports with counters of the closed list', () => {
  for (const { counters: names } of [
    ...Object.values(RUN_WORKFLOWS),
    ...Object.values(SCHEDULES),
  ]) {
    expect(isCounters(zeroCounters(names))).toBe(true);
  }
});
