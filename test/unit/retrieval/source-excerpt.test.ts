/** The excerpts of messages that were found. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countClusters } from '../../../domain/text/excerpt.ts';
import { excerptOfFound, termsAskedFor } from '../../../engine/source-search/excerpt.ts';
import { analyze } from '../../../engine/text/analyze.ts';
import { sized } from '../../support/run.ts';

const asked = (query: string) => termsAskedFor(new Set(analyze(query).terms.keys()));
const whole = (text: string, passageAt: number | null = null) => ({
  text,
  passageAt,
  isCutBefore: false,
  isCutAfter: false,
});

describe('an excerpt', () => {
  test('is the whole message where it fits', () => {
    expect(excerptOfFound(whole('A short one.', 0), asked('short'), 80)).toBe('A short one.');
  });

  test('shows the words where most of them stand together, in any form', () => {
    const filler = 'Nothing happened on that day. '.repeat(20);
    const text = `${filler}A boat. ${filler}The boats were sailing home. ${filler}`;
    const shown = excerptOfFound(whole(text), asked('boat sails'), 80);
    expect(shown).toContain('The boats were sailing home');
  });

  test('shows words of scripts without spaces', () => {
    const filler = '今日は天気がとても良いです。'.repeat(30);
    const text = `${filler}田中さんは東京大学で働いています。${filler}`;
    expect(excerptOfFound(whole(text), asked('東京大学'), 80)).toContain('東京大学で働いて');
    const thai = 'วันนี้อากาศดีมาก'.repeat(30);
    const found = excerptOfFound(whole(`${thai}แมวดำนอนหลับ${thai}`), asked('แมวดำ'), 80);
    expect(found).toContain('แมวดำ');
  });

  test('begins where the passage does when it holds none of the words', () => {
    const text = `${'before '.repeat(200)}The passage begins here. ${'after '.repeat(400)}`;
    const shown = excerptOfFound(whole(text, 1_400), asked('meaning'), 80);
    expect(shown.startsWith('…The passage begins here.')).toBe(true);
    expect(countClusters(shown)).toBe(80);
  });

  test('shows a word that may stand for one of the query only where it holds none of these', () => {
    const filler = 'Nothing happened on that day. '.repeat(20);
    const terms = termsAskedFor(new Set(['pet']), new Set(['dog']));
    const text = `${filler}A dog barked. ${filler}`;
    expect(excerptOfFound(whole(text), terms, 80)).toContain('A dog barked');
    const both = excerptOfFound(whole(`${text}A pet slept. ${filler}`), terms, 80);
    expect(both).toContain('A pet slept');
    expect(both).not.toContain('dog');
  });

  test('never has more clusters than asked for, and cuts none of them', () => {
    const family = '👩‍👩‍👧‍👦';
    const piece = fc.constantFrom('word ', 'otter ', family, 'e\u0301', '\r\n', 'ท่ ', '東京', '🇳🇴');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 600 }),
        fc.integer({ min: 80, max: 300 }),
        fc.option(fc.nat(300)),
        fc.boolean(),
        fc.boolean(),
        (parts, clusters, passageAt, isCutBefore, isCutAfter) => {
          const text = parts.join('');
          const at = passageAt === null ? null : Math.min(passageAt, Array.from(text).length);
          const found = { text, passageAt: at, isCutBefore, isCutAfter };
          const shown = excerptOfFound(found, asked('otter 東京'), clusters);
          expect(countClusters(shown)).toBeLessThanOrEqual(clusters);
          const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
          const whole = new Set(Array.from(segmenter.segment(text), ({ segment }) => segment));
          const inside = shown.replace(/^…/u, '').replace(/…$/u, '');
          for (const { segment } of segmenter.segment(inside)) expect(whole).toContain(segment);
        },
      ),
      { numRuns: sized({ short: 60, long: 300 }) },
    );
  });
});
