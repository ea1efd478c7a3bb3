import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { segments, words } from '../../../domain/text/tokens.ts';
import { foldText } from '../../../domain/text/fold.ts';
import { foldStatement } from '../../../domain/extraction/fold.ts';
import { analyze, contentTerms } from '../../../engine/text/analyze.ts';
import { quotedBigrams } from '../../../engine/text/quoted-bigrams.ts';

const anyText = fc.string({ unit: 'grapheme', maxLength: 80 });

describe('folding', () => {
  test('is idempotent for every text', () => {
    fc.assert(fc.property(anyText, (text) => foldText(foldText(text)) === foldText(text)));
    fc.assert(
      fc.property(anyText, (text) => foldStatement(foldStatement(text)) === foldStatement(text)),
    );
  });

  test('makes statements equal that differ in case, punctuation, width and white space only', () => {
    expect(foldStatement(' ADA  likes “Tea”!! ')).toBe(foldStatement('Ada likes ｔｅａ'));
    expect(foldStatement('Ada doesn’t smoke')).toBe(foldStatement("ada doesn't smoke."));
  });

  test('keeps statements apart whose numbers or signs differ', () => {
    expect(foldStatement('It costs 1.5 dollars')).not.toBe(foldStatement('It costs 15 dollars'));
    expect(foldStatement('She codes C')).not.toBe(foldStatement('She codes C#'));
  });
});

describe('tokens', () => {
  test('combining marks never split a word', () => {
    expect(segments('हिन्दी')).toEqual([{ kind: 'word', text: 'हिन्दी' }]);
    expect(words('cafe\u0301')).toEqual(['café']);
  });

  test('scripts without spaces become runs of their own beside words', () => {
    expect(segments('GPT4模型 タワー ไทย').map((s) => s.kind)).toEqual([
      'word',
      'cjk',
      'cjk',
      'unspaced',
    ]);
  });

  test('a possessive or elided word contains its noun, a negation stays whole', () => {
    expect(words("Anna's l'homme don't")).toEqual(['anna', 's', 'l', 'homme', 'dont']);
  });
});

describe('analysis', () => {
  test('English stems meet across inflection, possessives and irregular families', () => {
    expect(contentTerms('I went hiking')).toEqual(contentTerms('she goes on a hike'));
    expect(contentTerms("Anna's children")).toEqual(contentTerms('Anna child'));
  });

  test('stop words carry nothing', () => {
    expect(analyze('what is the of and').terms.size).toBe(0);
  });

  test('frequencies count repetitions and the length counts content words', () => {
    const { terms, length } = analyze('tea and more tea for Oslo');
    expect(Object.fromEntries(terms)).toEqual({ tea: 2, oslo: 1 });
    expect(length).toBe(3);
  });

  test('Han is analysed by bigrams and Thai by words', () => {
    expect(contentTerms('東京都')).toEqual(['東京', '京都']);
    expect(contentTerms('การเดินทาง').length).toBeGreaterThan(1);
  });

  test('words of other languages meet their compounds and inflections through 4-grams', () => {
    const shared = (a: string, b: string): number =>
      [...analyze(a).terms.keys()].filter((term) => analyze(b).terms.has(term)).length;
    expect(
      shared('Die Verteidigung der Stadt ist nicht gut', 'Verteidigungen und die'),
    ).toBeGreaterThan(5);
    expect(shared('работаю', 'работает')).toBeGreaterThan(0);
    expect(shared('한국어를', '한국어')).toBeGreaterThan(0);
  });

  test('the same text always gives the same terms, whatever its Unicode form', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(analyze(text.normalize('NFD'))).toEqual(analyze(text.normalize('NFC')));
      }),
    );
  });

  test('term weights are positive and finite for every text', () => {
    fc.assert(
      fc.property(anyText, (text) =>
        [...analyze(text).terms.values()].every((tf) => tf > 0 && Number.isFinite(tf)),
      ),
    );
  });
});

describe('quoted bigrams', () => {
  test('code each pair of neighbours as one Latin word, and nothing of spaced scripts', () => {
    expect(quotedBigrams('hello world')).toBe('');
    expect(quotedBigrams('東京都')).toMatch(/^[a-p]{8} [a-p]{8}$/u);
  });

  test('a quoted part of a run is a run of words within the coded text', () => {
    expect(quotedBigrams('私は東京タワーに行った')).toContain(quotedBigrams('東京タワー'));
    expect(quotedBigrams('私は京都に行った')).not.toContain(quotedBigrams('東京'));
  });
});
