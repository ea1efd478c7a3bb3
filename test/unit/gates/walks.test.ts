import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SENSITIVITIES, TARGET_LEVELS } from '../../../domain/statements/candidate.ts';
import {
  EVERYTHING,
  NOTHING,
  visibleByDefault,
  visibleInState,
  type Condition,
  type Reader,
} from '../../../domain/governance/visibility.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import { walksOf, type Walk } from '../../../domain/governance/walks.ts';
import { sized } from '../../support/run.ts';

const SCOPES = ['a', 'b', 'c'];
const PEERS = ['ana', 'bo', 'cleo'];
const CIRCLES = ['care team', 'board'];

const row = fc.record({
  scope_id: fc.constantFrom(...SCOPES),
  state: fc.constantFrom(...KNOWLEDGE_STATES),
  sensitivity: fc.constantFrom(...SENSITIVITIES),
  target_level: fc.constantFrom(...TARGET_LEVELS),
  subject_peer_id: fc.option(fc.constantFrom(...PEERS)),
  submitters: fc.subarray(PEERS),
  audience: fc.option(fc.subarray([...PEERS, ...CIRCLES])),
  ever: fc.subarray([...KNOWLEDGE_STATES]),
});
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

const reader: fc.Arbitrary<Reader> = fc.oneof(
  fc.record({
    posture: fc.constant('peer' as const),
    peerId: fc.constantFrom(...PEERS),
    memberships: fc.subarray(CIRCLES),
  }),
  fc.constant({ posture: 'public_only' } as const),
  fc.constant({ posture: 'internal' } as const),
);

/** The predicate on a row that never expires. */
function holds(condition: Condition, of: Row): boolean {
  if ('all' in condition) return condition.all.every((part) => holds(part, of));
  if ('any' in condition) return condition.any.some((part) => holds(part, of));
  switch (condition.field) {
    case 'subject_peer_id':
      return 'is' in condition ? of.subject_peer_id === condition.is : of.subject_peer_id === null;
    case 'submitting_peer_ids':
      return of.submitters.includes(condition.contains);
    case 'audience': {
      if (of.audience === null) return true;
      const { admits } = condition;
      const principals = admits === null ? [] : [admits.peerId, ...admits.memberships];
      return of.audience.some((named) => principals.includes(named));
    }
    case 'expires_at':
    case 'is_served':
      return true;
    case 'ever_state':
      return condition.in.some((state) => of.ever.includes(state));
    case 'scope_id':
    case 'state':
    case 'sensitivity':
    case 'target_level':
      return (condition.in as readonly string[]).includes(of[condition.field]);
  }
}

/** As the column `shelf` has it. */
function audienceOf({ audience, sensitivity, subject_peer_id, target_level }: Row): string {
  if (audience !== null) return 'addressed';
  if (sensitivity === 'public') return 'everybody';
  const isOpen = sensitivity === 'internal' || subject_peer_id === null || target_level !== 'peer';
  return isOpen ? 'scope' : 'few';
}

function meets({ scopeIds, shelf, state }: Walk, of: Row): boolean {
  if (!scopeIds.includes(of.scope_id) || state !== of.state) return false;
  if ('submitterId' in shelf) return of.submitters.includes(shelf.submitterId);
  if ('addressees' in shelf) {
    const named = [...(of.audience ?? []), of.subject_peer_id];
    return of.audience !== null && shelf.addressees.some((one) => named.includes(one));
  }
  if ('audience' in shelf) return shelf.audience === audienceOf(of);
  return audienceOf(of) === 'few' && of.subject_peer_id === shelf.subjectId;
}

describe('walks along shelves', () => {
  test('together meet every statement that the predicate lets through, for any reader, state and scopes', () => {
    fc.assert(
      fc.property(
        row,
        reader,
        fc.subarray(SCOPES),
        fc.subarray(SCOPES),
        fc.constantFrom(null, ...KNOWLEDGE_STATES),
        (of, who, scopeIds, curated, state) => {
          const query = { scopeIds, reader: who, at: '2026-01-01T00:00:00.000Z' };
          const visible =
            state === null ? visibleByDefault(query) : visibleInState(state, query, curated);
          const walks = walksOf(visible) ?? [];
          return !holds(visible, of) || walks.some((walk) => meets(walk, of));
        },
      ),
      { numRuns: sized({ short: 400, long: 2_000 }) },
    );
  });

  test('of a peer cover statements that all may read, that are about it, and that it submitted', () => {
    const query = { scopeIds: ['a'], reader: { posture: 'peer', peerId: 'ana' }, at: '' } as const;
    const walks = walksOf(visibleByDefault(query)) ?? [];
    expect(walks.map(({ shelf, state }) => [state, shelf])).toEqual([
      ['active', { audience: 'everybody' }],
      ['active', { audience: 'scope' }],
      ['active', { addressees: ['ana'] }],
      ['active', { subjectId: 'ana' }],
      ['active', { submitterId: 'ana' }],
      ['provisional', { submitterId: 'ana' }],
    ]);
  });

  test('of NOTHING are none, and a predicate without a scope cannot be walked', () => {
    expect(walksOf(NOTHING)).toEqual([]);
    expect(walksOf(EVERYTHING)).toBeNull();
    expect(walksOf({ field: 'state', in: ['active'] })).toBeNull();
  });
});
