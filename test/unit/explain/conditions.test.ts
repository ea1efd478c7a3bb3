/** Which conditions of the visibility predicate are said to fail. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { failedConditions, fieldConditions } from '../../../domain/explain/conditions.ts';
import { visibleByDefault, type Condition } from '../../../domain/governance/visibility.ts';
import { sized } from '../../support/run.ts';
import { condition, holds, row, type Row, type Values } from '../governance/governed-rows.ts';

const failed = (wanted: Condition, of: Row, now: Values) =>
  failedConditions(
    wanted,
    fieldConditions(wanted).map((one) => holds(one, of, now)),
  );

test('none fails exactly where the predicate lets the statement through', () => {
  fc.assert(
    fc.property(row, condition, (row, wanted) => {
      const now = row.periods.at(-1);
      if (now === undefined) return;
      expect(failed(wanted, row, now).length === 0).toBe(holds(wanted, row, now));
    }),
    { numRuns: sized({ short: 500, long: 10_000 }) },
  );
});

describe('what a search shows to a peer', () => {
  const wanted = visibleByDefault({
    scopeIds: ['s1'],
    reader: { posture: 'peer', peerId: 'p1' },
    at: '2026-02-01T00:00:00.000Z',
  });
  const NOW: Values = {
    scope_id: 's1',
    state: 'active',
    sensitivity: 'personal',
    target_level: 'peer',
  };
  const ROW = {
    periods: [],
    subject_peer_id: 'p2',
    submitting_peer_ids: ['p2'],
    audience: null,
    expires_at: null,
    is_served: true,
  };
  const of = (now: Partial<Values>, row: Partial<Row> = {}) =>
    failed(wanted, { ...ROW, ...row }, { ...NOW, ...now });

  test('fails by the audience alone, where the state and the scope are right', () => {
    expect(of({})).toEqual([
      'sensitivity',
      'subject_peer_id',
      'target_level',
      'submitting_peer_ids',
    ]);
    expect(of({}, { subject_peer_id: 'p1' })).toEqual([]);
  });

  test('fails by whom it is for, where its audience leaves the reader out', () => {
    const shared = { sensitivity: 'internal' };
    expect(of(shared, { audience: ['p3'] })).toEqual([
      'audience',
      'subject_peer_id',
      'submitting_peer_ids',
    ]);
    expect(of(shared, { audience: ['p1'] })).toEqual([]);
  });

  test('fails by the submitters of what is provisional, and by the state of what is neither', () => {
    expect(of({ state: 'provisional' })).toEqual(['submitting_peer_ids']);
    expect(of({ state: 'held' })).toEqual(['state']);
  });

  test('fails by scope and expiry beside', () => {
    expect(
      of({ scope_id: 's2', sensitivity: 'public' }, { expires_at: '2026-01-01T00:00:00.000Z' }),
    ).toEqual(['expires_at', 'scope_id']);
  });
});

test('a predicate that lets nobody through says so', () => {
  expect(failedConditions({ any: [] }, [])).toEqual(['nobody']);
});
