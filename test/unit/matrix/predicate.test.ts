/** The predicate, over every statement that can be, every reader and every view, against the tables of the matrix. */
import { describe, expect, test } from '@jest/globals';
import * as visibility from '../../../domain/governance/visibility.ts';
import type { ChainReader, Condition } from '../../../domain/governance/visibility.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import { checkPredicate, type Predicate } from '../../contract/matrix/statements/check.ts';

const READERS = 3;
const CELLS = 112_752;
/** Believed, in lineage, in readiness, spoken of, each state listed; and one reader has a record of its own. */
const VIEWS = 4 + KNOWLEDGE_STATES.length;

test('every statement that can be is shown to whom the tables say, and hidden from everybody else', () => {
  const { compared, faults } = checkPredicate(visibility);
  expect(faults.slice(0, 5)).toEqual([]);
  expect(faults).toHaveLength(0);
  expect(compared).toBe(CELLS * (READERS * VIEWS + 1));
});

describe('a predicate that was changed by mistake is found out', () => {
  const widened = (condition: Condition, also: Condition): Condition => ({
    any: [condition, also],
  });
  const isPublicOnly = (reader: ChainReader): boolean => reader.posture === 'public_only';
  const faulty: Readonly<Record<string, Partial<Predicate>>> = {
    'internal statements shown to a reader without a peer': {
      visibleByDefault(query) {
        const condition = visibility.visibleByDefault(query);
        if (!isPublicOnly(query.reader)) return condition;
        return widened(condition, {
          all: [
            { field: 'scope_id', in: query.scopeIds },
            { field: 'state', in: ['active'] },
            { field: 'sensitivity', in: ['internal'] },
            { field: 'expires_at', nullOrAfter: query.at },
          ],
        });
      },
    },
    'restricted statements listed to curators': {
      visibleInState(state, query, curated) {
        const condition = visibility.visibleInState(state, query, curated);
        if (state !== 'held') return condition;
        return widened(condition, {
          all: [
            { field: 'state', in: ['held'] },
            { field: 'scope_id', in: curated },
          ],
        });
      },
    },
    'expired statements found': {
      visibleByDefault: (query) => visibility.visibleByDefault({ ...query, at: '2020-01-01' }),
    },
    'what was never placed shown after its end': {
      visibleInState: (state, query, curated) =>
        visibility.visibleInState(state === 'superseded' ? 'stale' : state, query, curated),
    },
    'withdrawn statements in the own record': {
      aboutSubject: (peerId) => visibility.aboutSubject(peerId, 'any'),
    },
    'scopes outside of the chain': {
      visibleInLineage: (query) =>
        visibility.visibleInLineage({ ...query, scopeIds: [...query.scopeIds, 'elsewhere'] }),
    },
    'nothing shown at all': { visibleByDefault: () => visibility.NOTHING },
  };

  test.each(Object.entries(faulty))('%s', (_, changed) => {
    expect(checkPredicate({ ...visibility, ...changed }, 1).faults).toHaveLength(1);
  });
});
