import { expect, test } from '@jest/globals';
import { errorClassOf, isPassing } from '../../../domain/actors/run-failure.ts';
import { FAILURE_CODES } from '../../../domain/workflow-history/vocabulary.ts';
import { ERROR_CLASSES } from '../../../domain/error-class.ts';

test('every failure code has a class of the closed list', () => {
  expect([...FAILURE_CODES].map(errorClassOf).filter((c) => !ERROR_CLASSES.includes(c))).toEqual(
    [],
  );
});

test.each([
  ['DB_UNAVAILABLE', 'transport_error', true],
  ['UNAVAILABLE', 'transport_error', true],
  ['TIMEOUT', 'request_timeout', true],
  ['DB_CONFLICT', 'internal_error', true],
  ['DB_CONSTRAINT', 'internal_error', false],
  ['MODEL_NOT_FOUND', 'model_not_found', false],
  ['INTERNAL', 'internal_error', false],
])('%s is kept as %s', (code, errorClass, passes) => {
  expect(errorClassOf(code)).toBe(errorClass);
  expect(isPassing(code)).toBe(passes);
});
