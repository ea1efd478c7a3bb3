import { describe, expect, test } from '@jest/globals';
import {
  MOST_MENTIONS,
  mentionsOf,
  readNames,
  type NamedPeer,
} from '../../../domain/entities/mentions.ts';

const ANNA: NamedPeer = { key: 'anna@harbour.example', name: 'Anna Smith' };

function aliases(text: string, subject: NamedPeer | null = null, known: readonly string[] = []) {
  return mentionsOf(readNames(text), subject, new Set(known)).map(({ alias }) => alias);
}

const surely = (text: string) =>
  mentionsOf(readNames(text), null)
    .filter(({ isSure }) => isSure)
    .map(({ alias }) => alias);

describe('the names of a statement', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'capitalised words together',
      'She joined Acme Rockets in New York',
      ['acme rockets', 'new york'],
    ],
    [
      'without possessives',
      "We toured Acme Rockets' hall and Dana's boat",
      ['acme rockets', 'dana'],
    ],
    ['with words that join', 'He left the Bank of America', ['bank of america']],
    ['with numbers behind them', 'They watched Apollo 11 land', ['apollo 11']],
    ['with hyphens and apostrophes folded', 'We met Jean-Luc O’Brien', ['jean luc obrien']],
    ['without titles', 'They asked Dr. Dana Jones', ['dana jones']],
    ['of four words at most', 'It is the Old Red Lion Inn Club', ['old red lion inn', 'club']],
    ['in other alphabets with capitals', 'Мы видели Москву', ['москву']],
    [
      'addresses, and none of their parts',
      'Write to Anna.Smith@Harbour.example',
      ['anna.smith@harbour.example'],
    ],
    ['no weekdays, months and pronouns', 'On Monday I saw him; in March He left', []],
    ['quotes in scripts without capitals', '他读了《三体》和「活着」', ['三体', '活着']],
    ['no quotes in scripts with capitals', 'She said "good night" to all', []],
  ])('%s', (_, text, expected) => {
    expect(surely(text)).toEqual(expected);
  });

  test('that only begin a sentence are not sure', () => {
    expect(mentionsOf(readNames('Tea is good. Acme pays. NASA flies.'), null)).toEqual([
      { alias: 'tea', isSure: false, isOfSubject: false },
      { alias: 'acme', isSure: false, isOfSubject: false },
      { alias: 'nasa', isSure: true, isOfSubject: false },
    ]);
  });

  test('include name and key of the subject where the text says either', () => {
    const both = ['anna smith', 'anna@harbour.example'];
    expect(aliases('Anna Smith likes tea', ANNA)).toEqual(both);
    expect(aliases('anna smith likes tea', ANNA)).toEqual(both);
    expect(aliases('Tea is liked by anna@harbour.example', ANNA).toSorted()).toEqual([
      ...both,
      'tea',
    ]);
  });

  test('do not include a subject that the text does not name', () => {
    expect(aliases('likes tea', ANNA)).toEqual([]);
  });

  test('include names that the scope knows, in any script and without capitals', () => {
    expect(aliases('we asked bob-7 and 玛丽亚喜欢茶', null, ['bob 7', '玛丽亚'])).toEqual([
      'bob 7',
      '玛丽亚',
    ]);
    expect(aliases('قابلت أحمد أمس', null, ['أحمد'])).toEqual(['أحمد']);
    expect(aliases('मैं सीता से मिला', null, ['सीता'])).toEqual(['सीता']);
    expect(aliases('ฉันพบสมชายเมื่อวาน', null, ['สมชาย'])).toEqual(['สมชาย']);
  });

  test('are bounded in number, and long ones are none', () => {
    const many = Array.from({ length: 40 }, (_, n) => `then X${'a'.repeat(n + 1)} came`).join(
      ' and ',
    );
    expect(aliases(many)).toHaveLength(MOST_MENTIONS);
    expect(aliases(`we met X${'y'.repeat(200)} today`)).toEqual([]);
  });

  test('are the same for the same text in capitals of another width', () => {
    expect(surely('we met Ａｎｎａ today')).toEqual(['anna']);
  });
});
