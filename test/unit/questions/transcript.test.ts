/** What a transcript shows: quotations, answers, and answers that say the opposite. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fitsTo, questionWords } from '../../../domain/questions/shared-words.ts';
import {
  isAnswered,
  plainAnswer,
  quotes,
  type TranscriptTurn,
} from '../../../domain/questions/transcript.ts';

const STATEMENT = 'Ana owns a red canoe.';

describe('a quotation', () => {
  test.each([
    ['with other quotes, case and spaces', 'Is this right:  „ANA owns\n a red canoe”?'],
    ['with other signs of the same letters', 'Ａna owns a ｒed canoe'],
    ['inside a longer sentence', 'You once said that Ana owns a red canoe, still true?'],
  ])('is found %s', (_how, text) => {
    expect(quotes(text, STATEMENT)).toBe(true);
  });

  test.each([
    ['with another word', 'Ana owns a blue canoe.'],
    ['with a word left out', 'Ana owns a canoe.'],
    ['that is the beginning of another word', 'Ana owns a red canoeing school.'],
    ['of a text without words', 'Ana owns a red canoe.', '!?'],
  ])('is not found %s', (_how, text, statement = STATEMENT) => {
    expect(quotes(text, statement)).toBe(false);
  });

  test('is found in scripts without spaces inside a longer run', () => {
    expect(quotes('你说过安娜有红色独木舟对吗', '安娜有红色独木舟')).toBe(true);
    expect(quotes('你说过安娜有蓝色独木舟对吗', '安娜有红色独木舟')).toBe(false);
  });

  test('is found wherever it stands, and agrees with a search word by word', () => {
    const word = fc.constantFrom('a', 'b', 'ab');
    const sentence = fc.array(word, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(sentence, sentence, (text, part) => {
        const found = ` ${text.join(' ')} `.includes(` ${part.join(' ')} `);
        expect(quotes(text.join(', '), part.join(' '))).toBe(found);
      }),
    );
  });
});

const turn = (role: string, text: string, bySubject = false): TranscriptTurn => ({
  role,
  text,
  bySubject,
});
const quoted = turn('assistant', `Is it true that “${STATEMENT}”`);
const filler = turn('assistant', 'One moment.');

describe('an answer', () => {
  test('is a turn of the person within six turns after the quotation', () => {
    const after = (between: number) => [
      quoted,
      ...Array.from({ length: between }, () => filler),
      turn('user', 'Yes.', true),
    ];
    expect(isAnswered(after(0), STATEMENT, 'confirm')).toBe(true);
    expect(isAnswered(after(5), STATEMENT, 'confirm')).toBe(true);
    expect(isAnswered(after(6), STATEMENT, 'confirm')).toBe(false);
  });

  test.each([
    ['nothing was quoted', [filler, turn('user', 'Yes.', true)]],
    ['the person spoke before', [turn('user', 'Yes.', true), quoted]],
    ['somebody else answered', [quoted, turn('user', 'Yes.')]],
    [
      'the answer was an assistant turn in the name of the person',
      [quoted, turn('assistant', 'Yes.', true)],
    ],
    ['a person quoted it and no assistant', [turn('user', STATEMENT), turn('user', 'Yes.', true)]],
    ['nobody said anything', []],
  ])('is none where %s', (_why, turns) => {
    expect(isAnswered(turns, STATEMENT, 'confirm')).toBe(false);
    expect(isAnswered(turns, STATEMENT, 'reject')).toBe(false);
  });

  test.each([
    ['Yes.', 'confirm'],
    ['yes, thank you!', 'confirm'],
    ['Sure, yes.', 'confirm'],
    ['Yes, that is right.', 'confirm'],
    ["That's correct, thanks", 'confirm'],
    ['Ja, das stimmt. Danke!', 'confirm'],
    ['Oui, c’est vrai, merci', 'confirm'],
    ['はい', 'confirm'],
    ['是的，谢谢', 'confirm'],
    ['No.', 'reject'],
    ['No, never.', 'reject'],
    ['Absolutely not!', 'reject'],
    ["No, that isn't true.", 'reject'],
    ['Nein, das stimmt nicht.', 'reject'],
    ['不是', 'reject'],
    ['아니요', 'reject'],
  ] as const)('that is nothing but a yes or a no says so: %s, %s', (text, verdict) => {
    const other = verdict === 'confirm' ? 'reject' : 'confirm';
    const turns = [quoted, turn('user', text, true)];
    expect(isAnswered(turns, STATEMENT, verdict)).toBe(true);
    expect(isAnswered(turns, STATEMENT, other)).toBe(false);
  });

  test.each([
    "Please don't share that.",
    'Let us talk about lunch',
    'Sure, go ahead',
    'Yes, but no longer',
    "No, that's right",
    'No, that was my sister.',
    'Yes, I told you so, now stop asking.',
    'Yes?',
    'Sure, no.',
    'Right now I am busy.',
    'True friends are rare.',
    'Not now.',
    'No problem.',
    'No doubt.',
    'Of course!',
    'I sold it last year.',
    'Thanks!',
    'ja nein',
    '是不是',
    '不对吗？',
    '',
    '…',
    '👍',
    `${'yes '.repeat(40)}but no`,
  ])('that says anything else verifies nothing: %s', (text) => {
    const turns = [quoted, turn('user', text, true)];
    expect(isAnswered(turns, STATEMENT, 'confirm')).toBe(false);
    expect(isAnswered(turns, STATEMENT, 'reject')).toBe(false);
  });

  test('says the same in whatever case, and with whatever signs between its words', () => {
    const words = fc.array(fc.constantFrom('Yes', 'YES', 'right', 'Thanks', 'no', 'lunch'), {
      maxLength: 6,
    });
    const between = fc.constantFrom(' ', ', ', '. ', ' – ', '! ');
    fc.assert(
      fc.property(words, between, (said, sign) => {
        const text = said.join(sign);
        expect(plainAnswer(text)).toBe(plainAnswer(said.join(' ').toLowerCase()));
        const isMixed = said.includes('no') || said.includes('lunch');
        const isYes = said.some((word) => /yes|right/i.test(word));
        expect(plainAnswer(text) === 'confirm').toBe(isYes && !isMixed);
      }),
    );
  });

  test('never comes of turns that were there before the quotation, however many', () => {
    const any = fc.record({
      role: fc.constantFrom('user', 'assistant', 'tool'),
      bySubject: fc.boolean(),
      text: fc.constantFrom('Yes.', 'No.', 'Hello.', 'Ana owns a canoe.'),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), (turns) => {
        expect(isAnswered([...turns, quoted], STATEMENT, 'confirm')).toBe(false);
      }),
    );
  });
});

describe('the words that a read and a statement share', () => {
  const shares = (query: string, statement: string) => fitsTo(questionWords(query), statement);

  test('are of three letters or more, in any case and form', () => {
    expect(shares('Where is the CANOE?', STATEMENT)).toBe(true);
    expect(shares("Ana's boat", STATEMENT)).toBe(true);
    expect(shares('is a do', 'This is a do.')).toBe(false);
    expect(shares('weather in Porto', STATEMENT)).toBe(false);
  });

  test('are pairs of characters where words are not spaced, and two syllables in Korean', () => {
    expect(shares('独木舟', '安娜有红色独木舟')).toBe(true);
    expect(shares('红', '安娜有红色独木舟')).toBe(false);
    expect(shares('한국 여행', '안나는 한국 사람')).toBe(true);
  });

  test('are not asked for by a read without a query', () => {
    expect(fitsTo(null, STATEMENT)).toBe(true);
  });
});
