import { expect, test } from '@jest/globals';
import { locateSpan } from '../../../domain/extraction/validate-span.ts';
import { foldText } from '../../../domain/text/fold.ts';
import { expectGrowth } from '../../support/processor-time.ts';

test.each(['\u3316', '\uFDFA', '\u3316 '])(
  'a long text of %j folds to at most twice its length',
  (sign) => {
    const text = sign.repeat(10_000);
    expect(foldText(text).length).toBeLessThanOrEqual(2 * text.length + 256);
    expect(foldText(foldText(text))).toBe(foldText(text));
  },
);

test('a short text, and such a sign in a text of others, are written out', () => {
  expect(foldText('5 \u3316')).toBe('5 キロメートル');
  expect(foldText(`${'a long road '.repeat(100)}\u3316`)).toContain('キロメートル');
});

test('a span that a message does not hold is looked for in time that grows with the message', () => {
  const lookedFor = (length: number) => {
    const content = 'I moved to Oslo. '.repeat(length / 17);
    return () => expect(locateSpan(content, 'not there')).toBeNull();
  };
  // Eight times the text took three hundred times as long.
  const [few, many] = [lookedFor(65_536), lookedFor(524_288)];
  expectGrowth({ few, many, times: 8 * 3, besidesMs: 8 * 3 * 4 });
});
