/** What a report makes of the statements that a selector matches. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Requirement } from '../../../domain/skills/card.ts';
import {
  judgeRequirement,
  promptOf,
  syntheticBlockers,
  type RequirementMatch,
} from '../../../domain/skills/report.ts';
import { speaksOf } from '../../../domain/skills/topics.ts';
import { cardOf, requirementOf } from './fixtures.ts';

const AT = '2026-03-01T00:00:00.000Z';
const NEW = '2026-02-28T23:00:00.000Z';
const OLD = '2026-01-01T00:00:00.000Z';
const DAY = { revalidated_within_seconds: 86_400 };

const match = (id: string, isBelieved: boolean, since = NEW): RequirementMatch => ({
  id,
  isBelieved,
  since,
});
const judged = (changes: Partial<Requirement>, matches: readonly RequirementMatch[]) =>
  judgeRequirement({ requirement: requirementOf(changes), card: cardOf('/', []) }, matches, AT);

describe('a requirement', () => {
  const rows = [
    { name: 'nothing', matches: [], status: 'missing' },
    { name: 'a believed one', matches: [match('a', true)], status: 'satisfied' },
    { name: 'one that is over', matches: [match('a', false)], status: 'stale' },
    {
      name: 'both',
      matches: [match('a', true), match('b', false)],
      status: 'satisfied',
    },
    { name: 'a fresh one', matches: [match('a', true)], freshness: DAY, status: 'satisfied' },
    { name: 'an old one', matches: [match('a', true, OLD)], freshness: DAY, status: 'stale' },
    {
      name: 'one as old as allowed, to the millisecond',
      matches: [match('a', true, '2026-02-28T00:00:00.000Z')],
      freshness: DAY,
      status: 'satisfied',
    },
    {
      name: 'one a millisecond older',
      matches: [match('a', true, '2026-02-27T23:59:59.999Z')],
      freshness: DAY,
      status: 'stale',
    },
    {
      name: 'a fresh one that is over',
      matches: [match('a', false)],
      freshness: DAY,
      status: 'stale',
    },
  ] as const;

  test.each(rows)('that $name matches is $status', ({ matches, status, ...row }) => {
    const freshness = 'freshness' in row ? row.freshness : null;
    expect(judged({ freshness }, matches)).toMatchObject({
      status,
      isBlocking: status !== 'satisfied',
    });
    expect(judged({ freshness, level: 'preferred' }, matches)).toMatchObject({
      status,
      isBlocking: false,
    });
  });

  test('names each match once, as fresh or as stale', () => {
    const matches = fc.array(
      fc.record({
        id: fc.uuid(),
        isBelieved: fc.boolean(),
        since: fc.constantFrom(NEW, OLD),
      }),
    );
    fc.assert(
      fc.property(matches, fc.constantFrom(null, DAY), (given, freshness) => {
        const { matched, stale, status } = judged({ freshness }, given);
        expect([...matched, ...stale].toSorted()).toEqual(given.map(({ id }) => id).toSorted());
        const unmet = stale.length > 0 ? 'stale' : 'missing';
        expect(status).toBe(matched.length > 0 ? 'satisfied' : unmet);
      }),
    );
  });

  const asked = [
    { policy: 'from-memory', isAsked: false },
    { policy: 'ask-peer', isAsked: true },
    { policy: 'either', isAsked: true },
  ] as const;
  test.each(asked)('with the policy $policy asks the person: $isAsked', ({ isAsked, policy }) => {
    const unmet = judged({ source_policy: policy, prompt: 'Tea?' }, []).elicitation;
    expect(unmet).toEqual(
      isAsked
        ? {
            allowed: true,
            prompt: 'Tea?',
            submit_via: 'ingest',
            // oxlint-disable-next-line unicorn/no-thenable -- the contract's name
            then: 'check_readiness',
          }
        : { allowed: false },
    );
    expect(judged({ source_policy: policy }, [match('a', true)]).elicitation).toEqual({
      allowed: false,
    });
  });

  test('without a prompt asks in the words of its description, or of its key', () => {
    expect(promptOf(requirementOf({ key: 'home-town' }))).toBe('Please tell me: home town.');
    expect(promptOf(requirementOf({ description: 'where you live' }))).toBe(
      'Please tell me: where you live.',
    );
  });
});

test('a report is blocked by no card, and by requirements that were not checked', () => {
  const keys = (cards: number, unchecked: number) =>
    syntheticBlockers(cards, unchecked).map(({ key }) => key);
  expect(keys(0, 0)).toEqual(['__skill_card__']);
  expect(keys(1, 0)).toEqual([]);
  expect(keys(2, 3)).toEqual(['__too_many_requirements__']);
});

test('a statement is about a topic when it has all stems of one of its alternatives', () => {
  const stems = new Set(['green', 'tea']);
  expect(speaksOf(stems, [])).toBe(true);
  expect(speaksOf(stems, [['green', 'tea']])).toBe(true);
  expect(speaksOf(stems, [['green', 'coffe']])).toBe(false);
  expect(speaksOf(stems, [['green', 'coffe'], ['tea']])).toBe(true);
});
