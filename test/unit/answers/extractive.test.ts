import { describe, expect, test } from '@jest/globals';
import type {
  ExtractiveAnswer,
  ExtractiveEvidence,
} from '../../../domain/answers/extractive/types.ts';
import { extractAnswer } from '../../../domain/answers/extractive/answer.ts';
import { answerExtractively, EXTRACTIVE_READER } from '../../../engine/answers/extractive.ts';
import { said } from './evidence.ts';

const REFERENCE = '2026-03-11T12:00:00Z';

function ask(
  question: string,
  evidence: readonly ExtractiveEvidence[],
  referenceTime = REFERENCE,
): ExtractiveAnswer {
  return answerExtractively({ question, referenceTime, evidence });
}

const RACE = said('race', 'Anna', 'Anna ran a charity race in the rain');
const CAKE = said('cake', 'Bob', 'Bob baked a plum cake for the neighbours');
const SHOES = said('shoes', 'Anna', 'Anna bought red shoes in Lisbon', { score: 0.9 });
const PROUD = said('proud', 'Bob', 'Bob is proud of Anna because of the race', { score: 0.9 });

describe('the built-in answerer', () => {
  test.each<readonly [string, string, readonly ExtractiveEvidence[], readonly string[]]>([
    ['one statement', 'What race did Anna run?', [CAKE, RACE], ['race']],
    ['a better score does not outweigh the words', 'Who baked a cake?', [SHOES, CAKE], ['cake']],
    ['inflected words', 'Has Anna been running races?', [RACE, CAKE], ['race']],
    ['a related word', 'Which clothes did Anna buy?', [SHOES, CAKE], ['shoes']],
    ['a name alone', 'Who is Bob?', [RACE, CAKE], ['cake']],
    [
      'two statements that answer',
      'Where does Anna paint lakes?',
      [
        said('a', 'Anna', 'Anna paints lakes in Norway'),
        said('b', 'Anna', 'Anna paints lakes'),
        CAKE,
      ],
      ['a', 'b'],
    ],
  ])('answers with quotes: %s', (_, question, evidence, cited) => {
    const answer = ask(question, evidence);
    expect({ ...answer, confidence: 0 }).toEqual({
      text: cited.map((id) => evidence.find((item) => item.id === id)?.text).join('\n'),
      citedIds: cited,
      confidence: 0,
      abstained: false,
    });
    expect(answer.confidence).toBeGreaterThanOrEqual(50);
  });

  test.each<readonly [string, string, readonly ExtractiveEvidence[]]>([
    ['somebody else did it', 'What charity race did Bob run?', [CAKE, RACE]],
    [
      'somebody else did it, and the person asked about speaks of it',
      'When did Bob run a race in the rain?',
      [PROUD, RACE, CAKE],
    ],
    ['nobody did it', 'Which instrument does Anna play?', [RACE, SHOES]],
    ['nobody of that name is known', 'What charity race did Walter run?', [CAKE, RACE]],
    ['what is asked has a name that nothing has', 'Why did Anna sell her Volvo?', [RACE, SHOES]],
  ])('abstains with at most a lead: %s', (_, question, evidence) => {
    const { abstained, citedIds, confidence } = ask(question, evidence);
    expect(abstained).toBe(true);
    expect(confidence).toBeLessThan(50);
    expect(evidence.map(({ id }) => id)).toEqual(expect.arrayContaining([...citedIds]));
  });

  test.each<readonly [string, string, readonly ExtractiveEvidence[]]>([
    ['no evidence', 'What race did Anna run?', []],
    ['no word in common', 'Quel vélo?', [CAKE, RACE]],
    ['an empty question', '', [RACE]],
    ['a question of signs', '?!', [RACE]],
  ])('abstains without any citation: %s', (_, question, evidence) => {
    expect(ask(question, evidence)).toEqual({
      text: '',
      citedIds: [],
      confidence: 0,
      abstained: true,
    });
  });

  test.each([
    ['German', 'Wo hat Anna die Geige gekauft?', 'Anna hat die Geige in Bremen gekauft'],
    ['French', 'Où est-ce que Anna a acheté un violon?', 'Anna a acheté un violon à Lyon'],
    ['Chinese', '安娜在哪里买了小提琴?', '安娜在不来梅买了小提琴'],
    ['Hindi', 'अन्ना ने वायलिन कहाँ खरीदा?', 'अन्ना ने ब्रेमेन में वायलिन खरीदा'],
    ['Russian', 'Где Анна купила скрипку?', 'Анна купила скрипку в Бремене'],
    ['Thai', 'แอนนาซื้อไวโอลินที่ไหน', 'แอนนาซื้อไวโอลินที่เบรเมิน'],
    ['Korean', '안나는 바이올린을 어디서 샀나요?', '안나는 브레멘에서 바이올린을 샀다'],
  ])('answers in the language of the statements: %s', (_, question, text) => {
    const other = said('other', null, '42 7 99');
    expect(ask(question, [other, said('it', null, text)])).toMatchObject({
      text,
      citedIds: ['it'],
      abstained: false,
    });
  });

  test.each([
    ['Han', '李雷在哪里买了小提琴?', '李雷', '韩梅梅'],
    ['Cyrillic', 'Где Анна купила скрипку?', 'Анна', 'Борис'],
    ['Devanagari', 'अन्ना ने वायलिन कहाँ खरीदा?', 'अन्ना', 'राम'],
  ])('knows who is asked about by a name in %s', (_, question, asked, other) => {
    const text = question.replace('?', '');
    const own = ask(question, [said('own', asked, text), said('other', other, '42')]);
    const foreign = ask(question, [
      said('own', asked, '42'),
      said('other', other, text.replace(asked, other)),
    ]);
    expect(own.abstained).toBe(false);
    expect(foreign.confidence).toBeLessThan(own.confidence);
    expect(foreign.abstained).toBe(true);
  });

  test('takes the person of whose name the question says more', () => {
    const smith = said('smith', 'Anna Smith', 'Anna Smith lives in Rome');
    const jones = said('jones', 'Anna Jones', 'Anna Jones lives in Paris');
    expect(ask('Where does Anna Jones live?', [smith, jones]).citedIds).toEqual(['jones']);
    expect(ask('Where does Anna live?', [smith, jones]).citedIds).toEqual(['jones', 'smith']);
  });

  test('finds a verb whose form is also a noun', () => {
    expect(
      ask('Where does Anna live?', [said('rome', 'Anna', 'Anna lives in Rome'), SHOES]),
    ).toMatchObject({
      citedIds: ['rome'],
      abstained: false,
    });
  });

  test.each([
    ['a word of another language', 'What cake did Dan bake?', 'Dan'],
    ['a little word, by its capital', 'What cake did Will bake?', 'Will'],
    ['with a possessive', "What was Will's cake like?", 'Will'],
  ])('knows a name that is also %s', (_, question, name) => {
    const own = said('own', name, `${name} baked a cake`);
    const others = said('others', 'Bob', 'Bob baked a cake');
    expect(ask(question, [own, others]).citedIds).toEqual(['own']);
    expect(ask(question, [said('own', name, `${name} sleeps`), others]).abstained).toBe(true);
  });

  test('takes a little word without a capital for no name', () => {
    const sleeps = said('will', 'Will', 'Will sleeps');
    const cake = said('cake', 'Bob', 'Bob will bake a cake');
    expect(ask('Who will bake a cake?', [sleeps, cake])).toMatchObject({
      citedIds: ['cake'],
      abstained: false,
    });
  });

  test('takes what is about nobody for what its speaker knows', () => {
    const office = said('office', null, 'The office is in Oslo', { spokenBy: 'Bob' });
    expect(ask('Where is the office of Bob?', [office, RACE]).abstained).toBe(false);
    expect(ask('Where is the office of Anna?', [office, RACE]).abstained).toBe(true);
  });

  test('counts a statement less that holds at another time than the one asked about', () => {
    const lived = (from: string, until: string): ExtractiveEvidence =>
      said('lived', 'Anna', 'Anna lived in Rome', { validity: { from, until } });
    const question = 'Where did Anna live in 2019?';
    const then = ask(question, [lived('2018-01-01T00:00:00Z', '2020-01-01T00:00:00Z')]);
    const before = ask(question, [lived('2011-01-01T00:00:00Z', '2013-01-01T00:00:00Z')]);
    expect(then.confidence).toBeGreaterThan(before.confidence);
    expect(before.abstained).toBe(true);
  });

  test('reads a relative time against the reference time', () => {
    const evidence = [
      said('trip', 'Anna', 'Anna visited Rome', {
        validity: { from: '2025-07-01T00:00:00Z', until: '2025-08-01T00:00:00Z' },
      }),
    ];
    const asked = (referenceTime: string): number =>
      ask('Did Anna visit Rome last year?', evidence, referenceTime).confidence;
    expect(asked('2026-03-11T12:00:00Z')).toBeGreaterThan(asked('2029-03-11T12:00:00Z'));
  });

  test('finds the day of a statement that a question names', () => {
    const walk = said('walk', 'Anna', 'Anna went on a walk', { saidAt: '2024-05-24T09:00:00Z' });
    const run = said('run', 'Anna', 'Anna went on a run', { saidAt: '2024-02-02T09:00:00Z' });
    expect(ask('What did Anna do on 24 May 2024?', [run, walk]).citedIds[0]).toBe('walk');
  });

  test('prefers a statement that names a time where a time is asked for', () => {
    const when = said('when', 'Anna', 'Anna moved to Oslo in 2019');
    const that = said('that', 'Anna', 'Anna moved to Oslo');
    expect(ask('When did Anna move to Oslo?', [that, when]).citedIds[0]).toBe('when');
  });

  test('shows what disputes the first quote, and is less sure', () => {
    const rome = said('rome', 'Anna', 'Anna lives in Rome', { score: 1, disagreesWith: ['oslo'] });
    const oslo = said('oslo', 'Anna', 'Anna has her home in Oslo', { score: 0.01 });
    const alone = ask('Where in Rome does Anna live?', [{ ...rome, disagreesWith: [] }, oslo]);
    const disputed = ask('Where in Rome does Anna live?', [rome, oslo]);
    expect(disputed.citedIds).toEqual(['rome', 'oslo']);
    expect(disputed.confidence).toBeLessThan(alone.confidence);
    expect(
      ask('Where in Rome does Anna live?', [{ ...rome, disagreesWith: ['gone'] }]).confidence,
    ).toBe(ask('Where in Rome does Anna live?', [{ ...rome, disagreesWith: [] }]).confidence);
  });

  test('is less sure of what waits for governance', () => {
    const waiting = ask('Which long race did Anna run?', [{ ...RACE, isProvisional: true }]);
    const settled = ask('Which long race did Anna run?', [RACE]);
    expect(waiting.confidence).toBeLessThan(settled.confidence);
  });

  test('reads a bounded part of long texts and quotes them whole', () => {
    const long = said('long', 'Anna', `Anna ran a race ${'and then she rested '.repeat(50_000)}`);
    const evidence = [
      long,
      ...Array.from({ length: 49 }, (_, n) => said(`${n}`, 'Bob', long.text)),
    ];
    let readChars = 0;
    const reader: typeof EXTRACTIVE_READER = {
      ...EXTRACTIVE_READER,
      termsOf: (text) => {
        readChars += text.length;
        return EXTRACTIVE_READER.termsOf(text);
      },
    };
    const question = 'What race did Anna run?';
    const answer = extractAnswer({ question, referenceTime: REFERENCE, evidence }, reader);
    // Of forty-five million.
    expect(readChars).toBeLessThan(100_000);
    expect(answer.text.split('\n')[0]).toBe(long.text);
  });

  test('does not read past fifty items', () => {
    const many = Array.from({ length: 60 }, (_, n) => said(`${n}`, 'Bob', 'Bob sleeps'));
    expect(ask('What race did Anna run?', [...many, RACE]).citedIds).toEqual([]);
  });
});
