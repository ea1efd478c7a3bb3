import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { excerptAround, excerptOf } from '../../../domain/text/excerpt.ts';
import { spanFinder } from '../../../domain/text/span.ts';

const FAMILY = '👨‍👩‍👧';
const text = fc.string({
  unit: fc.constantFrom('a', ' ', 'é', '😀', FAMILY, 'e\u0301'),
  maxLength: 80,
});

/** The code points of `text` from the span's first to its last. */
const cut = (content: string, { length, offset }: { offset: number; length: number }) =>
  Array.from(content)
    .slice(offset, offset + length)
    .join('');

describe('a span', () => {
  test('is counted in code points, and is where the part stands first', () => {
    fc.assert(
      fc.property(text, text, text, (before, part, after) => {
        const content = `${before}${part}${after}`;
        const span = spanFinder(content)(part);
        if (part === '') expect(span).toBeNull();
        else {
          expect(span && cut(content, span)).toBe(part);
          expect(span?.offset).toBeLessThanOrEqual(Array.from(before).length);
        }
      }),
    );
  });

  test('is found for each of several parts, and for none that the text does not hold', () => {
    const find = spanFinder('😀 I like tea. 😀 I like rain.');
    expect([find('I like tea.'), find('I like rain.'), find('I like snow.')]).toEqual([
      { offset: 2, length: 11 },
      { offset: 16, length: 12 },
      null,
    ]);
  });
});

describe('an excerpt around a span', () => {
  const around = (content: string, part: string, clusters: number, isCutBefore = false) =>
    excerptAround({ text: content, span: spanFinder(content)(part), isCutBefore }, clusters);

  test.each([
    ['shows as much before it as after it', 'abcdefgTEAhijklmn', 'TEA', 7, '…fgTEAhi…'],
    ['shows more after it where nothing is before it', 'TEAhijklmn', 'TEA', 7, 'TEAhijk…'],
    ['shows more before it where nothing is after it', 'abcdefgTEA', 'TEA', 7, '…defgTEA'],
    ['shows a short text as it is', 'aTEAb', 'TEA', 7, 'aTEAb'],
    ['shows the beginning of a longer span', 'abTEATEATEAc', 'TEATEATEA', 5, '…TEATE…'],
    [
      'cuts no character in two',
      `${FAMILY}${FAMILY}TEA${FAMILY}`,
      'TEA',
      5,
      `…${FAMILY}TEA${FAMILY}`,
    ],
    ['shows the beginning where nothing supports it', 'abcdefgh', 'TEA', 4, 'abcd…'],
  ])('%s', (_what, content, part, clusters, expected) => {
    expect(around(content, part, clusters)).toBe(expected);
  });

  test('of a passage that is cut drops the half of a character that the passage begins with', () => {
    expect(around('\u0301abTEA', 'TEA', 9, true)).toBe('…abTEA');
  });

  test('holds the span, at most as many clusters as asked for, and nothing that the text does not', () => {
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.integer({ min: 1, max: 60 }),
        (before, part, after, most) => {
          const content = `${before}|${part}|${after}`;
          const marked = `|${part}|`;
          const excerpt = around(content, marked, most);
          const shown = excerpt.replace(/^…/u, '').replace(/…$/u, '');
          const clusters = [...new Intl.Segmenter('und').segment(shown)].length;
          expect(content).toContain(shown);
          expect(clusters).toBeLessThanOrEqual(most);
          const asked = [...new Intl.Segmenter('und').segment(marked)].length;
          if (asked <= most) expect(shown).toContain(marked);
          else expect(content.slice(content.indexOf(marked))).toContain(shown);
        },
      ),
    );
  });
});

test('an excerpt of a text without a span is its beginning', () => {
  expect(excerptOf('abcdef', 4)).toBe('abcd…');
  expect(excerptOf('abc', 4)).toBe('abc');
});
