/** Who reads a statement, and the rule that says so. */
import { describe, expect, test } from '@jest/globals';
import { SENSITIVITIES, TARGET_LEVELS } from '../../../domain/statements/candidate.ts';
import {
  AUDIENCE_REASONS,
  audienceAfterRejection,
  audienceOf,
  audienceReasonOf,
  audiencesOf,
} from '../../../domain/governance/audience.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import { AUDIENCE_BECAUSE } from '../../../console/design/words.ts';

const ALL = KNOWLEDGE_STATES.flatMap((state) =>
  SENSITIVITIES.flatMap((sensitivity) =>
    TARGET_LEVELS.flatMap((level) =>
      [true, false].flatMap((isAboutPeer) =>
        [true, false].map((hasAudience) => ({
          state,
          sensitivity,
          level,
          isAboutPeer,
          hasAudience,
        })),
      ),
    ),
  ),
);

const placed = {
  state: 'active',
  sensitivity: 'personal',
  level: 'peer',
  isAboutPeer: true,
  hasAudience: false,
} as const;

describe('the rule that decides who reads a statement', () => {
  test.each([
    [placed, 'about_peer', 'subject'],
    [{ ...placed, level: 'scope' }, 'shared_level', 'scope'],
    [{ ...placed, isAboutPeer: false }, 'about_scope', 'scope'],
    [{ ...placed, sensitivity: 'internal' }, 'internal', 'scope'],
    [{ ...placed, sensitivity: 'internal', hasAudience: true }, 'addressed', 'addressed'],
    [{ ...placed, sensitivity: 'public', hasAudience: true }, 'addressed', 'addressed'],
    [{ ...placed, hasAudience: true }, 'about_peer', 'subject'],
    [{ ...placed, sensitivity: 'public' }, 'public', 'everyone'],
    [{ ...placed, sensitivity: 'public', state: 'held' }, 'not_placed', 'submitters'],
    [{ ...placed, sensitivity: 'public', state: 'redacted' }, 'withdrawn', 'nobody'],
  ] as const)('of %j is %s: read by %s', (statement, reason, readers) => {
    expect([audienceReasonOf(statement), audienceOf(statement)]).toEqual([reason, readers]);
  });

  test('is one of those that people are told of, and each of them decides somewhere', () => {
    expect([...new Set(ALL.map(audienceReasonOf))].toSorted()).toEqual(
      [...AUDIENCE_REASONS].toSorted(),
    );
    expect(Object.keys(AUDIENCE_BECAUSE).toSorted()).toEqual([...AUDIENCE_REASONS].toSorted());
  });

  test('alone decides: statements that it judges alike are read alike', () => {
    const readers = new Map<string, Set<string>>();
    for (const one of ALL) {
      const reason = audienceReasonOf(one);
      readers.set(reason, (readers.get(reason) ?? new Set()).add(audienceOf(one)));
    }
    expect([...readers.values()].every((all) => all.size === 1)).toBe(true);
  });
});

describe('what a decision makes visible to whom', () => {
  const knowledge = {
    scope_path: '/team/a',
    target_level: 'peer',
    sensitivity: 'personal',
    state: 'active',
    subject_peer_id: 'ana',
    has_audience: false,
  } as const;
  const wider = {
    kind: 'gate_b',
    target_scope_path: '/team',
    target_level: 'scope',
    proposed_sensitivity: null,
    knowledge,
  } as const;

  test('approval of a wider place shows it there, rejection leaves it where it is', () => {
    expect(audiencesOf(wider).after).toEqual({
      scope_path: '/team',
      target_level: 'scope',
      readers: 'scope',
    });
    expect(audienceAfterRejection(wider)).toEqual(audiencesOf(wider).before);
    const addressed = {
      ...wider,
      knowledge: { ...wider.knowledge, sensitivity: 'internal', has_audience: true },
    } as const;
    expect(audiencesOf(addressed)).toMatchObject({
      before: { readers: 'addressed' },
      after: { readers: 'scope' },
    });
  });

  test('dismissal of a contest shows it to those who saw it before, and to no others', () => {
    const contested = { ...knowledge, state: 'contested', sensitivity: 'internal' } as const;
    const contest = {
      ...wider,
      kind: 'contest',
      target_scope_path: null,
      knowledge: contested,
    } as const;
    const dismissed = (restored_state: 'provisional' | 'active' | 'stale') =>
      audiencesOf({ ...contest, restored_state }).after.readers;
    expect([dismissed('active'), dismissed('stale'), dismissed('provisional')]).toEqual([
      'scope',
      'scope',
      'submitters',
    ]);
    expect(audiencesOf(contest).before.readers).toBe('submitters');
  });

  test('rejection of anything else leaves it to those who said it', () => {
    const contest = { ...wider, kind: 'contest', target_scope_path: null } as const;
    expect(audienceAfterRejection(contest).readers).toBe('submitters');
    expect(audienceAfterRejection({ ...contest, kind: 'revalidation' }).readers).toBe('submitters');
  });

  test('rejection of a stricter sensitivity leaves it as it is', () => {
    const stricter = {
      ...wider,
      kind: 'conflict',
      target_scope_path: null,
      proposed_sensitivity: 'restricted',
      knowledge: { ...knowledge, sensitivity: 'public' },
    } as const;
    expect(audienceAfterRejection(stricter).readers).toBe('everyone');
    expect(audiencesOf(stricter).after.readers).toBe('subject');
  });
});
