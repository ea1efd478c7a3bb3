/** What a sentence gives away decides who may read what is drawn from it. */
import { describe, expect, test } from '@jest/globals';
import { moreSensitive, sensitivityOf } from '../../../domain/sensitivity/sensitivity-of.ts';
import { sensitivityRaiser } from '../../../domain/sensitivity/raise.ts';
import { SENSITIVITIES, type Sensitivity } from '../../../domain/statements/candidate.ts';
import { drawn } from '../extraction-deterministic/conversation.ts';
import { DISCREET, HEALTH, MONEY, NO_MONEY, NO_SECRETS, NOT_DISCREET, SECRETS } from './cases.ts';

test.each(SECRETS)('a secret is restricted: %s', (sentence) => {
  expect(sensitivityOf(sentence)).toBe('restricted');
});

test.each(NO_SECRETS)('what only names one is not: %s', (sentence) => {
  expect(sensitivityOf(sentence)).not.toBe('restricted');
});

test.each(MONEY)('the money of a person is personal: %s', (sentence) => {
  expect(sensitivityOf(sentence)).toBe('personal');
});

test.each([...NO_MONEY, ...NOT_DISCREET])('what everybody may know is internal: %s', (sentence) => {
  expect(sensitivityOf(sentence)).toBe('internal');
});

test.each(HEALTH)('health is personal: %s', (sentence) => {
  expect(sensitivityOf(sentence)).toBe('personal');
});

test.each(DISCREET)('what is asked to be kept is personal: %s', (sentence) => {
  expect(sensitivityOf(sentence)).toBe('personal');
});

test('thirty forms of each kind are tried, and as many that are none', () => {
  for (const kind of [SECRETS, NO_SECRETS, MONEY, NO_MONEY, HEALTH, DISCREET, NOT_DISCREET]) {
    expect(new Set(kind).size).toBeGreaterThanOrEqual(30);
  }
});

test('the more sensitive of two is one of them, and none is more than it', () => {
  for (const one of SENSITIVITIES) {
    for (const other of SENSITIVITIES) {
      const more = SENSITIVITIES.indexOf(moreSensitive(one, other));
      expect(more).toBe(Math.max(SENSITIVITIES.indexOf(one), SENSITIVITIES.indexOf(other)));
    }
  }
});

describe('what an extractor proposes', () => {
  const anchor = (content: string) => ({
    id: 'm1',
    content,
    role: 'user',
    peerKey: 'ada',
    peerName: 'Ada',
    occurredAt: '2026-03-11T12:00:00Z',
    occurredOffsetMinutes: 0,
  });
  const raised = (content: string, statement: string, sensitivity: Sensitivity = 'internal') =>
    sensitivityRaiser({
      scopePath: '/home',
      anchor: anchor(content),
      window: [],
      participants: [],
    })({
      statement,
      supportingSpan: statement,
      sensitivity,
    }).sensitivity;

  test('is as sensitive as its words, whatever a model says', () => {
    expect(raised('x', 'The gate code is 4821.')).toBe('restricted');
    expect(raised('x', 'Ada has diabetes.')).toBe('personal');
    expect(raised('x', 'Ada keeps bees.')).toBe('internal');
  });

  test('is never less sensitive than proposed, and public where nothing says otherwise', () => {
    expect(raised('x', 'Ada keeps bees.', 'public')).toBe('public');
    expect(raised('x', 'Ada has diabetes.', 'public')).toBe('personal');
    expect(raised('x', 'Ada keeps bees.', 'restricted')).toBe('restricted');
  });

  test('is personal where another sentence of the message asks for discretion', () => {
    expect(raised("I left the choir. Don't tell anyone.", 'Ada left the choir.')).toBe('personal');
    const long = `Between us. ${'The weather was fine. '.repeat(1_000)}I left the choir.`;
    expect(raised(long, 'Ada left the choir.')).toBe('personal');
  });

  test('keeps its sensitivity where nobody asks', () => {
    expect(drawn('I keep two goats.')[0]?.sensitivity).toBe('internal');
  });
});
