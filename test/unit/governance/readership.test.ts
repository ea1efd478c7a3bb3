/** What a preview tells of many decisions: the statements whose readers change, by their readers. */
import { describe, expect, test } from '@jest/globals';
import type { StatementAudience } from '../../../domain/governance/audience.ts';
import { isFiltered, queueOfKind } from '../../../domain/governance/queue-filter.ts';
import { groupedByReaders } from '../../../domain/governance/readership.ts';
import { MOST_TOLD_AT_DESK, toldCount } from '../../../domain/governance/told-counts.ts';

const at = (readers: StatementAudience, scope_path = '/team') =>
  ({ scope_path, target_level: 'peer', readers }) as const;

describe('statements by their readers after a decision', () => {
  test('are in one group where place and readers are the same', () => {
    const before = at('submitters');
    const changes = [
      { knowledgeId: 'one', before, after: at('scope') },
      { knowledgeId: 'two', before, after: at('subject') },
      { knowledgeId: 'three', before, after: at('scope') },
      { knowledgeId: 'four', before, after: at('scope', '/') },
    ];
    expect(groupedByReaders(changes)).toEqual({
      groups: [
        { scope_path: '/team', readers: 'scope', knowledgeIds: ['one', 'three'] },
        { scope_path: '/team', readers: 'subject', knowledgeIds: ['two'] },
        { scope_path: '/', readers: 'scope', knowledgeIds: ['four'] },
      ],
      unchanged: 0,
    });
  });

  test('are only counted where their readers stay, and change where the place is wider', () => {
    const changes = [
      { knowledgeId: 'stays', before: at('scope'), after: at('scope') },
      { knowledgeId: 'moves', before: at('scope'), after: at('scope', '/') },
    ];
    expect(groupedByReaders(changes)).toEqual({
      groups: [{ scope_path: '/', readers: 'scope', knowledgeIds: ['moves'] }],
      unchanged: 1,
    });
  });
});

describe('a count', () => {
  test.each([
    [0, { count: 0, is_capped: false }],
    [MOST_TOLD_AT_DESK, { count: MOST_TOLD_AT_DESK, is_capped: false }],
    [MOST_TOLD_AT_DESK + 1, { count: MOST_TOLD_AT_DESK, is_capped: true }],
  ])('of %s is told as %j', (met, told) => {
    expect(toldCount(met)).toEqual(told);
  });
});

describe('a page of the queue', () => {
  const all = { kind: null, state: null, subjectPeerId: null, order: 'due' } as const;

  test('of a kind by date has a queue of its own, and by age none', () => {
    expect(queueOfKind({ ...all, kind: 'contest' })).toBe('contest');
    expect(queueOfKind({ ...all, kind: 'contest', order: 'newest' })).toBeNull();
  });

  test.each([
    [{}, false],
    [{ kind: 'contest' }, false],
    [{ kind: 'contest', order: 'newest' }, true],
    [{ order: 'newest' }, false],
    [{ state: 'deferred' }, true],
    [{ kind: 'contest', subjectPeerId: 'alice' }, true],
  ] as const)('asked for by %j leaves out items that it looks at: %s', (asked, expected) => {
    expect(isFiltered({ ...all, ...asked })).toBe(expected);
  });
});
