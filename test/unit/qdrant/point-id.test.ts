import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pointId, statementPointId, statementsOfPoints } from '../../../stores/qdrant/point-id.ts';

const ACCOUNT = '018f0000-0000-7000-8000-000000000001';
const OTHER = '018f0000-0000-7000-8000-000000000002';
const STATEMENT = '018f0000-0000-7000-8000-00000000000a';

describe('the id of a point', () => {
  test('of a statement gives the statement back, and no other account gives the same', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), fc.uuid(), (account, other, statement) => {
        const id = statementPointId(account, statement);
        expect(statementsOfPoints(account)(id)).toBe(statement);
        if (other !== account) expect(statementsOfPoints(other)(id)).not.toBe(statement);
      }),
    );
  });

  test('is stable, because points of earlier processes are found by it', () => {
    expect(statementPointId(ACCOUNT, STATEMENT)).toBe('018f0000-0000-7000-8000-d753c7a7ac9e');
    expect(pointId(ACCOUNT, 'statement', STATEMENT)).toBe(statementPointId(ACCOUNT, STATEMENT));
    expect(statementPointId(OTHER, STATEMENT)).not.toBe(statementPointId(ACCOUNT, STATEMENT));
  });

  test('tells the passages of a message apart', () => {
    const ids = [0, 1, 2].map((passage) => pointId(ACCOUNT, 'message', STATEMENT, passage));
    expect(new Set([...ids, pointId(ACCOUNT, 'statement', STATEMENT)]).size).toBe(4);
    expect(pointId(ACCOUNT, 'message', STATEMENT)).toBe(ids[0]);
  });

  test.each([7, null, undefined, '', 'x', `${STATEMENT}0`, {}])(
    'that is no UUID (%p) is of no statement',
    (id) => {
      expect(statementsOfPoints(ACCOUNT)(id)).toBeNull();
    },
  );

  test('is refused for a statement without a UUID', () => {
    expect(() => statementPointId(ACCOUNT, 'x')).toThrow(RangeError);
  });
});
