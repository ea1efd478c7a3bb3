/** Parts of the pages of the queue that need no server. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { asked, carried } from '../../../console/pages/governance/asked.ts';
import { resultsInAddress, resultsOf } from '../../../console/pages/governance/bulk.ts';
import { namedStatement, queryOf } from '../../../console/pages/governance/merge.ts';
import { reasonWords } from '../../../console/pages/reasons.ts';
import { queryProblem } from '../../../domain/query/bounds.ts';
import { audiencesOf } from '../../../domain/governance/audience.ts';

const ID = '0192f0c4-7d1e-7cc0-8a5b-5e3c6c1f0a11';

describe('the results of many decisions', () => {
  const results = fc.array(
    fc.oneof(
      fc.record({
        id: fc.uuid(),
        status: fc.constant('decided' as const),
        code: fc.constant(null),
      }),
      fc.record({
        id: fc.uuid(),
        status: fc.constant('refused' as const),
        code: fc.constantFrom('conflict', 'forbidden', 'not_found', 'unavailable'),
      }),
    ),
    { maxLength: 25 },
  );

  test('come back from the address as they were', () => {
    fc.assert(
      fc.property(results, (sent) => {
        const told = resultsOf(new URLSearchParams(resultsInAddress(sent)));
        const expected = sent.map(({ code, id }) => ({ id, code }));
        const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
        expect(told.toSorted(byId)).toEqual(expected.toSorted(byId));
      }),
    );
  });

  test('of an address that somebody wrote are ids and at most a hundred', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (decided, refused) => {
        const told = resultsOf(new URLSearchParams({ decided, refused }));
        expect(told).toEqual([]);
      }),
    );
    const many = Array.from({ length: 1_000 }, () => ID).join(',');
    expect(resultsOf(new URLSearchParams({ decided: many, refused: many }))).toHaveLength(100);
  });
});

describe('the address of the queue', () => {
  test('carries its filters and nothing else', () => {
    const query = new URLSearchParams(
      'scope=%2Fteam&order=newest&cursor=1&done=x&all=1&kind=+&keys=off',
    );
    expect(carried(query)).toBe('?scope=%2Fteam&order=newest&keys=off');
    expect(carried(query, { walk: '1' })).toBe('?scope=%2Fteam&order=newest&keys=off&walk=1');
    expect(carried(new URLSearchParams('cursor=1'))).toBe('');
    expect(asked(query)).toEqual({
      scope_path: '/team',
      kind: null,
      state: null,
      subject_key: null,
      order: 'newest',
    });
  });
});

test.each([
  [ID, ID],
  [` ${ID} `, ID],
  [`https://here.example/console/knowledge/${ID}?x=1`, ID],
  ['no id', 'no id'],
])('%j names a statement as %j', (text, id) => {
  expect(namedStatement(text)).toBe(id);
});

describe('what is looked for beside a statement', () => {
  test('is a query that a search takes, whatever the statement says', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3_000 }),
      fc
        .array(fc.constantFrom('or', 'OR', '"a', '-b', 'word', '𝒳'.repeat(600)), { maxLength: 400 })
        .map((words) => words.join(' ')),
    );
    fc.assert(fc.property(text, (statement) => queryProblem(queryOf(statement)) === null));
  });

  test('is its words', () => {
    expect(queryOf('Alice\'s "red" canoe or -boat, in Porto.')).toBe(
      'Alice s red canoe boat in Porto',
    );
  });
});

test('a reason is said in words, and one without words by its code', () => {
  expect(reasonWords('person_decides')).toBe('the rule asks a person to decide');
  expect(reasonWords('some_new_code')).toBe('some new code');
  expect(reasonWords('constructor')).toBe('constructor');
});

describe('who reads a statement before and after approval', () => {
  const knowledge = {
    scope_path: '/team',
    target_level: 'peer',
    sensitivity: 'personal',
    state: 'provisional',
    subject_peer_id: ID,
    has_audience: false,
  } as const;
  const item = {
    kind: 'gate_a_b',
    target_scope_path: null,
    target_level: 'scope',
    proposed_sensitivity: null,
    knowledge,
  } as const;

  test('stays with its place unless the item is about a wider one', () => {
    expect(audiencesOf(item)).toEqual({
      before: { scope_path: '/team', target_level: 'peer', readers: 'submitters' },
      after: { scope_path: '/team', target_level: 'peer', readers: 'subject' },
    });
    const active = { ...knowledge, state: 'active', sensitivity: 'internal' } as const;
    const wider = { ...item, kind: 'gate_b', target_scope_path: '/', knowledge: active } as const;
    expect(audiencesOf(wider).after).toEqual({
      scope_path: '/',
      target_level: 'scope',
      readers: 'scope',
    });
  });

  test('is judged by the sensitivity that approval gives it', () => {
    const open = {
      ...item,
      knowledge: { ...knowledge, sensitivity: 'public', state: 'active' },
    } as const;
    expect(audiencesOf(open).before.readers).toBe('everyone');
    expect(audiencesOf({ ...open, proposed_sensitivity: 'personal' }).after.readers).toBe(
      'subject',
    );
  });
});
