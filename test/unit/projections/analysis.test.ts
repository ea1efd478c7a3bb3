import { describe, expect, test } from '@jest/globals';
import { analyseMessage } from '../../../engine/analysis/message.ts';

const ACCOUNT = '018f0000-0000-7000-8000-000000000001';
const analysed = (content: string) =>
  analyseMessage({ accountId: ACCOUNT, content, surroundings: null }, content);

/** A quarter of a mebibyte, to be quick; every bound is in proportion. */
const BYTES = 262_144;
/** Three bytes that fold to eighteen characters, and to six that are coded in pairs. */
const EXPANDING = { arabic: '\uFDFA', squared: '\u3316' };

describe('the analysis of a message', () => {
  test.each(Object.entries(EXPANDING))(
    'is bounded for a message of expanding characters (%s)',
    (_name, character) => {
      const { passages, termIds, text, coded } = analysed(character.repeat(BYTES / 3));
      const terms = passages.reduce((sum, { sparse }) => sum + sparse.indices.length, 0);
      expect(text.length).toBeLessThanOrEqual(1_048_576);
      expect(coded.length).toBeLessThanOrEqual(3_600_000);
      expect(terms).toBeLessThan(passages.length * 4_800);
      expect(termIds.length).toBeLessThanOrEqual(65_536);
    },
  );

  test('covers the whole message when its characters do not expand', () => {
    const content = 'Ana moved to Porto. 東京都に住んでいます。 '.repeat(200);
    const { passages, text, coded } = analysed(content);
    expect(text.match(/ana/g)).toHaveLength(200);
    expect(coded.split(' ').length).toBeGreaterThan(200 * 8);
    expect(passages.at(-1)?.text).toContain('Porto');
  });

  test('has each term once, in order', () => {
    const { termIds } = analysed('pears and apples, apples and pears');
    expect([...termIds]).toEqual([...new Set(termIds)].toSorted((a, b) => a - b));
    expect(termIds).toHaveLength(2);
  });
});
