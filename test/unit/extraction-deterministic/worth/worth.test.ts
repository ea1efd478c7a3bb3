/** A sentence becomes a statement only when it holds something that lasts; the rest stays findable as a message. */
import { expect, test } from '@jest/globals';
import { tagged } from '../../../../engine/english/tagger.ts';
import { readClause } from '../../../../engine/english-extractor/clause/reading.ts';
import { ruleOf } from '../../../../engine/english-extractor/worth/rule-of.ts';
import { RULES } from '../../../../engine/english-extractor/worth/rules.ts';
import { statements } from '../conversation.ts';
import { KEPT, LEFT_OUT } from './cases.ts';

test.each(KEPT)('%s: %s', (_, said, told) => {
  expect(statements(said)).toEqual([told]);
});

test.each(KEPT.filter(([, said]) => !/^(?:Since|Last|Turns|Funny|Thanks)\b/u.test(said)))(
  'the rule that finds a sentence is %s: %s',
  (rule, said) => {
    const reading = readClause(tagged(said));
    expect(typeof reading === 'string' ? reading : ruleOf(reading, said)).toBe(rule);
  },
);

test('every rule about a sentence alone has an example', () => {
  const tried = new Set(KEPT.map(([rule]) => rule));
  expect(RULES.filter((rule) => rule !== 'answer' && !tried.has(rule))).toEqual([]);
});

test.each(LEFT_OUT)('nothing is drawn from: %s', (said) => {
  expect(statements(said)).toEqual([]);
});

test.each(LEFT_OUT)('a fact beside it is drawn all the same: %s', (said) => {
  expect(statements(`I keep two goats.\n\n${said}`)).toEqual(['Ada keeps two goats.']);
  expect(statements(`${said}\n\nI keep two goats.`)).toEqual(['Ada keeps two goats.']);
});
