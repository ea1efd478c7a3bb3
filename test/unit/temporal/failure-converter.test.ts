import { describe, expect, test } from '@jest/globals';
import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  RetryState,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common';
import * as fc from 'fast-check';
import { failureConverter } from '../../../runtime/temporal/failure-converter.ts';
import { payloadConverter } from '../../../runtime/temporal/payload-converter.ts';
import { failureCode, safeFailure } from '../../../activities/failure.ts';
import { ModelFailure } from '../../../domain/error-class.ts';
import { sized } from '../../support/run.ts';

const CANARY = 'Anna-moved-to-Lisbon';

function written(error: unknown): string {
  return JSON.stringify(failureConverter.errorToFailure(error, payloadConverter));
}

describe('the failure converter', () => {
  test.each([
    ['a plain error', new Error(CANARY)],
    ['a thrown object', { secret: CANARY }],
    ['a thrown text', CANARY],
    ['a type that is prose', ApplicationFailure.nonRetryable(CANARY, CANARY)],
    ['details', ApplicationFailure.nonRetryable('TIMEOUT', 'TIMEOUT', CANARY, { a: CANARY })],
    ['a cause', new Error('INTERNAL', { cause: new Error(CANARY) })],
    ['a cancellation', new CancelledFailure(CANARY, [CANARY])],
    ['a timeout', new TimeoutFailure(CANARY, [CANARY], TimeoutType.HEARTBEAT)],
  ])('writes nothing of %s', (_, error) => {
    expect(written(error)).not.toContain(CANARY);
    expect(written(error)).not.toContain('Anna');
  });

  test('keeps codes, retryability and the code of what failed below', () => {
    const inner = ApplicationFailure.nonRetryable('DB_UNAVAILABLE', 'DB_UNAVAILABLE');
    const outer = new ActivityFailure(
      CANARY,
      'drainMailbox',
      '1',
      RetryState.TIMEOUT,
      'w-1',
      inner,
    );
    const failure = failureConverter.errorToFailure(outer, payloadConverter);
    expect(failure.message).toBe('INTERNAL');
    expect(failure.cause?.message).toBe('DB_UNAVAILABLE');
    expect(failure.cause?.applicationFailureInfo?.nonRetryable).toBe(true);
    const cancelled = failureConverter.errorToFailure(new CancelledFailure('x'), payloadConverter);
    expect(cancelled.message).toBe('CANCELLED');
    expect(cancelled.canceledFailureInfo).toBeTruthy();
  });

  test('never writes a message it was given', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z@. ]{6,40}$/), (text) => {
        fc.pre(!['stackTrace', 'message'].some((name) => name.includes(text)));
        const error = ApplicationFailure.create({
          message: `${text}!`,
          type: `${text}!`,
          details: [text],
          cause: new Error(text),
        });
        expect(written(error)).not.toContain(`${text}!`);
      }),
      { numRuns: sized({ short: 100, long: 500 }) },
    );
  });
});

describe('errors that an activity may throw', () => {
  test.each([
    [Object.assign(new Error(CANARY), { code: 'ECONNREFUSED' }), 'UNAVAILABLE'],
    [
      new Error(CANARY, { cause: Object.assign(new Error(CANARY), { code: '57P01' }) }),
      'DB_UNAVAILABLE',
    ],
    [Object.assign(new Error(CANARY), { code: '40001' }), 'DB_CONFLICT'],
    [Object.assign(new Error(CANARY), { code: '23505' }), 'DB_CONSTRAINT'],
    [Object.assign(new Error(CANARY), { code: '42P01' }), 'DB_ERROR'],
    [new ModelFailure('provider_rate_limited'), 'PROVIDER_RATE_LIMITED'],
    [new DOMException(CANARY, 'TimeoutError'), 'TIMEOUT'],
    [new Error(CANARY), 'INTERNAL'],
    [CANARY, 'INTERNAL'],
  ])('is a code', (error, code) => {
    const safe = safeFailure(error);
    expect(failureCode(error)).toBe(code);
    expect(safe).toBeInstanceOf(ApplicationFailure);
    expect(safe.message).toBe(code);
    expect(safe.cause).toBeUndefined();
  });

  test('keeps whether it may be retried, and nothing else of an application failure', () => {
    const safe = safeFailure(
      ApplicationFailure.create({
        message: CANARY,
        type: 'TIMEOUT',
        nonRetryable: true,
        nextRetryDelay: '5s',
        details: [CANARY],
      }),
    );
    expect(safe).toMatchObject({ type: 'TIMEOUT', nonRetryable: true, nextRetryDelay: '5s' });
    expect(JSON.stringify(safe)).not.toContain(CANARY);
    expect(safeFailure(new CancelledFailure(CANARY))).toMatchObject({ message: 'CANCELLED' });
  });
});
