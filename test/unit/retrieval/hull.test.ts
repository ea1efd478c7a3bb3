/** The indexes' filters hold a hull of the predicate: whatever it lets through, they let through. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Condition } from '../../../domain/governance/visibility.ts';
import { NO_SOURCE_FILTERS } from '../../../domain/retrieval/source-filters.ts';
import { MANY, MOST_LISTED, listed, listedAudience } from '../../../domain/retrieval/listed.ts';
import { instantOrNever } from '../../../domain/retrieval/statement-search.ts';
import {
  renderCondition as renderForMeilisearch,
  quoted,
} from '../../../stores/meilisearch/filter.ts';
import { flattened, renderCondition, statementFilter } from '../../../stores/qdrant/filter.ts';
import { condition, holds, row, type Row, type Values } from '../governance/governed-rows.ts';
import { passes, type Payload } from './point-conditions.ts';
import { sized } from '../../support/run.ts';

function payloadOf(row: Row): Payload {
  const now = row.periods.at(-1);
  const ever = (field: keyof Values) => row.periods.map((period) => period[field]);
  return {
    now_scope: now?.scope_id,
    now_state: now?.state,
    now_sensitivity: now?.sensitivity,
    now_level: now?.target_level,
    ever_scope: ever('scope_id'),
    ever_state: ever('state'),
    ever_sensitivity: ever('sensitivity'),
    ever_level: ever('target_level'),
    subject_peer: row.subject_peer_id ?? undefined,
    submitters: row.submitting_peer_ids,
    audience: row.audience === null ? undefined : listedAudience(row.audience),
    expires_at: instantOrNever(row.expires_at),
  };
}

describe('the Qdrant filter', () => {
  test('of today is the predicate itself', () => {
    fc.assert(
      fc.property(row, condition, (row, wanted) => {
        const now = row.periods.at(-1);
        const visible = now !== undefined && holds(wanted, row, now);
        const filter = renderCondition(wanted, false);
        expect(passes(filter, payloadOf(row))).toBe(visible);
        expect(passes(flattened(filter), payloadOf(row))).toBe(visible);
      }),
      { numRuns: sized({ short: 400, long: 2_000 }) },
    );
  });

  test('of a past instant lets through every unit that was visible in any period', () => {
    fc.assert(
      fc.property(row, condition, (row, wanted) => {
        const visible = row.periods.some((period) => holds(wanted, row, period));
        const passed = passes(renderCondition(wanted, true), payloadOf(row));
        expect(passed || !visible).toBe(true);
      }),
      { numRuns: sized({ short: 400, long: 2_000 }) },
    );
  });

  test('lets through a unit with longer lists than an index is told of', () => {
    const many = Array.from({ length: MOST_LISTED + 1 }, (_, index) => `p${index}`);
    expect([listed(many), listed(many.slice(1))]).toEqual([[MANY], many.slice(1)]);
    const payload = { submitters: listed(many), ever_scope: listed(many), now_scope: 's1' };
    const submitted: Condition = { field: 'submitting_peer_ids', contains: 'p7' };
    const within: Condition = { field: 'scope_id', in: ['p7'] };
    expect(passes(renderCondition(submitted, false), payload)).toBe(true);
    expect(passes(renderCondition(within, true), payload)).toBe(true);
    expect(passes(renderCondition(within, false), payload)).toBe(false);
    expect(renderForMeilisearch(submitted, false)).toBe('submitters IN ["p7", "*"]');
    expect(renderForMeilisearch(within, true)).toBe('ever_scope IN ["p7", "*"]');
  });

  test('lets nothing through for empty disjunctions and empty lists', () => {
    for (const nothing of [{ any: [] }, { field: 'scope_id', in: [] }] as const) {
      expect(passes(renderCondition(nothing, false), {})).toBe(false);
    }
    expect(passes(renderCondition({ all: [] }, false), {})).toBe(true);
  });

  test('joins alternatives of operators, none of which means nothing passes', () => {
    const search = {
      accountId: '018f0000-0000-7000-8000-000000000001',
      visible: { all: [] },
      asOf: null,
      sourceFilters: NO_SOURCE_FILTERS,
    };
    const payload = { account: search.accountId, unit: 'statement' };
    expect(passes(statementFilter({ ...search, queryOperators: null }), payload)).toBe(true);
    expect(passes(statementFilter({ ...search, queryOperators: [] }), payload)).toBe(false);
    const free = { onlyIds: null, exceptIds: [] };
    expect(passes(statementFilter({ ...search, queryOperators: [free] }), payload)).toBe(true);
    const none = { onlyIds: [], exceptIds: [] };
    expect(passes(statementFilter({ ...search, queryOperators: [none] }), payload)).toBe(false);
  });
});

describe('the Meilisearch filter', () => {
  test('quotes every value and never ends a literal early', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        // A literal is over at the first quote that is not escaped.
        expect(/^"(?:[^"\\]|\\["\\])*"$/u.test(quoted(text))).toBe(true);
        expect(
          quoted(text)
            .slice(1, -1)
            .replaceAll(/\\(["\\])/g, '$1'),
        ).toBe(text);
      }),
    );
  });

  test('renders empty lists as nothing and empty conjunctions as everything', () => {
    expect(renderForMeilisearch({ any: [] }, false)).toBe('account NOT EXISTS');
    expect(renderForMeilisearch({ field: 'state', in: [] }, false)).toBe('account NOT EXISTS');
    expect(renderForMeilisearch({ all: [] }, false)).toBe('account EXISTS');
    expect(renderForMeilisearch({ any: [{ field: 'state', in: ['active', 'stale'] }] }, true)).toBe(
      '(ever_state IN ["active", "stale", "*"])',
    );
  });
});
