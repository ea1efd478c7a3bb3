/** Laws of the visibility predicate. Its renderings are held to it elsewhere. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  visibleByDefault,
  visibleInState,
  type Condition,
  type NamedReader,
  type Reader,
  type VisibilityQuery,
} from '../../../domain/governance/visibility.ts';
import { KNOWLEDGE_STATES, PLACED_STATES } from '../../../domain/statements/states.ts';
import { standingOf } from '../../../domain/statements/statement.ts';
import { holds, INSTANTS, reader, row, SCOPES, type Row } from './governed-rows.ts';
import { sized } from '../../support/run.ts';

const [AT = ''] = INSTANTS;

const query: fc.Arbitrary<VisibilityQuery> = fc.record({
  scopeIds: fc.subarray([...SCOPES]),
  reader,
  at: fc.constantFrom(...INSTANTS),
});

/** Every view that a query has: the default one, and that of each state. */
const views = (of: VisibilityQuery): readonly Condition[] => [
  visibleByDefault(of),
  ...KNOWLEDGE_STATES.map((state) => visibleInState(state, of, [])),
];

function isVisible(condition: Condition, statement: Row): boolean {
  const now = statement.periods.at(-1);
  return now !== undefined && holds(condition, statement, now);
}

const wasPlaced = ({ periods }: Row): boolean =>
  periods.some(({ state }) => standingOf(state) === 'placed');

const submitted = ({ submitting_peer_ids: ids }: Row, who: Reader): boolean =>
  who.posture === 'peer' && ids.includes(who.peerId);

test('PLACED_STATES holds exactly the states with the standing "placed"', () => {
  expect(KNOWLEDGE_STATES.filter((state) => standingOf(state) === 'placed')).toEqual([
    ...PLACED_STATES,
  ]);
});

describe('a statement that was never placed', () => {
  test('is read by its submitting peers only, whatever ended it', () => {
    fc.assert(
      fc.property(row, query, (statement, of) => {
        fc.pre(!wasPlaced(statement) && of.reader.posture !== 'internal');
        const readable = views(of).some((view) => isVisible(view, statement));
        expect(readable && !submitted(statement, of.reader as Reader)).toBe(false);
      }),
      { numRuns: sized({ short: 600, long: 3_000 }) },
    );
  });
});

describe('a placed statement that has ended', () => {
  test('has the audience that it would have if it were active', () => {
    fc.assert(
      fc.property(
        row,
        query,
        fc.constantFrom('superseded' as const, 'expired' as const),
        (statement, of, state) => {
          fc.pre(wasPlaced(statement));
          const last = statement.periods.at(-1);
          if (last === undefined) return;
          const at = (now: typeof state | 'active'): Row => ({
            ...statement,
            expires_at: null,
            periods: [...statement.periods, { ...last, state: now }],
          });
          expect(isVisible(visibleInState(state, of, []), at(state))).toBe(
            isVisible(visibleByDefault(of), at('active')),
          );
        },
      ),
      { numRuns: sized({ short: 400, long: 2_000 }) },
    );
  });
});

describe('a named reader', () => {
  const named: fc.Arbitrary<NamedReader> = fc.record({
    posture: fc.constant('named' as const),
    named: reader,
    otherwise: reader,
    scopeIds: fc.subarray([...SCOPES]),
  });

  test('applies in the scopes where it may be named, and the caller in every other', () => {
    fc.assert(
      fc.property(row, fc.subarray([...SCOPES]), named, (statement, scopeIds, who) => {
        const scope = statement.periods.at(-1)?.scope_id ?? '';
        const there = who.scopeIds.includes(scope) ? who.named : who.otherwise;
        const read = (as: VisibilityQuery['reader']) =>
          views({ scopeIds, reader: as, at: AT }).map((view) => isVisible(view, statement));
        expect(read(who)).toEqual(read(there));
      }),
      { numRuns: sized({ short: 400, long: 2_000 }) },
    );
  });
});
