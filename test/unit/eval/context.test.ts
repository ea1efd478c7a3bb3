import { expect, test } from '@jest/globals';
import { shareOf } from '../../../measure/eval/abilities/context.ts';

test('the share of an answer counts its stems, each once', () => {
  expect(shareOf('She moved to Bergen and Bergen', ['Ana moves.', 'Nothing of Oslo.'])).toBe(0.5);
  expect(shareOf('Bergen', ['Ana lives in Bergen.'])).toBe(1);
  expect(shareOf('Bergen', [])).toBe(0);
});

test('an answer of stop words alone has no share', () => {
  expect(shareOf('to be or not to be', ['to be'])).toBeNull();
});
