/** Parts of the pages of skill cards that need no server. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inheritance, type Card } from '../../../console/pages/skills/inheritance.ts';
import { freshnessWords, selectorParts } from '../../../console/pages/skills/requirement.ts';
import { cardOf, hasStrangers } from '../../../console/pages/skills/card-text.ts';
import { keysOf } from '../../../console/pages/typed-keys.ts';
import { effectiveRequirements } from '../../../domain/skills/inherit.ts';
import { ANY_STATEMENT } from '../../../domain/skills/read-selector.ts';
import { Refusal } from '../../../domain/errors.ts';

const SCOPES = ['/', '/a', '/a/b', '/a/b/c'] as const;

function card(scope_path: string, keys: Readonly<Record<string, boolean>>): Card {
  return {
    id: scope_path,
    skill: 'trip',
    scope_id: scope_path,
    scope_path,
    version: 1,
    description: null,
    published_at: '2030-01-01T00:00:00Z',
    retired_at: null,
    requirement_schema_version: 'f9-1',
    requirements: Object.entries(keys).map(([key, enabled]) => ({
      key,
      description: null,
      level: 'required',
      source_policy: 'either',
      selector: ANY_STATEMENT as Card['requirements'][number]['selector'],
      freshness: null,
      prompt: null,
      enabled,
    })),
  };
}

describe('what cards of a chain inherit', () => {
  const chains = fc
    .subarray([...SCOPES])
    .chain((scopes) =>
      fc.tuple(
        ...scopes.map((scope) =>
          fc
            .dictionary(fc.constantFrom('x', 'y', 'z'), fc.boolean())
            .map((keys) => card(scope, keys)),
        ),
      ),
    );

  test('is shown as readiness checks it, whatever the cards and their order', () => {
    fc.assert(
      fc.property(chains, fc.boolean(), (cards, isTurned) => {
        const shown = inheritance(isTurned ? cards.toReversed() : cards)
          .filter(({ replacedBy, requirement }) => replacedBy === null && requirement.enabled)
          .map(({ card: of, requirement }) => `${requirement.key} of ${of.scope_path}`);
        const checked = effectiveRequirements(
          cards.map((one) => ({ ...one, scopeId: one.scope_id, scopePath: one.scope_path })),
        ).map(({ card: of, requirement }) => `${requirement.key} of ${of.scopePath}`);
        expect(shown.toSorted()).toEqual(checked.toSorted());
      }),
    );
  });

  test('names the nearest card that replaces one', () => {
    const found = inheritance([
      card('/a', { x: true }),
      card('/a/b', { x: false }),
      card('/', { x: true }),
    ]);
    expect(found.map(({ replacedBy }) => replacedBy?.scope_path)).toEqual([
      '/a/b',
      '/a/b',
      undefined,
    ]);
  });
});

describe('a card as text', () => {
  test('is an object with known members, or refused with words that quote nothing of it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          expect(typeof cardOf(text)).toBe('object');
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
          const [fault] = (error as Refusal).fields ?? [];
          expect(fault?.path).toBe('card');
          expect(fault?.message).toMatch(
            /^(?:is not JSON(?:: look at line \d+, column \d+)$|must )/,
          );
        }
      }),
    );
  });

  test('has strangers where a member is none of a card, also one that reaches into the prototype', () => {
    expect(hasStrangers(cardOf('{"skill": "x", "requirements": []}'))).toBe(false);
    expect(hasStrangers(cardOf('{"skil": "x"}'))).toBe(true);
    expect(hasStrangers(cardOf('{"__proto__": {"skill": "x"}}'))).toBe(true);
  });

  test('is checked for people named by line or comma, however they are spaced', () => {
    expect(keysOf(' alice,bob \r\n\n carol jones ,, ')).toEqual(['alice', 'bob', 'carol jones']);
    expect(keysOf(' \n , ')).toEqual([]);
  });
});

test('a requirement names what it asks and nothing else', () => {
  const any = ANY_STATEMENT as Card['requirements'][number]['selector'];
  expect(selectorParts(any)).toEqual([]);
  expect(selectorParts({ ...any, topic: ['tea', 'coffee'], minimum_confidence: 0.5 })).toEqual([
    'topic: tea, coffee',
    'minimum confidence: 0.5',
  ]);
  expect(freshnessWords({ revalidated_within_seconds: 86_400 })).toBe('at most a day old');
});
