/** From a form to the call of a tool. */
import { describe, expect, test } from '@jest/globals';
import { sizeOf } from '../../../console/pages/sources/words.ts';
import { answerText, argumentsOf, requestText } from '../../../console/pages/tools/arguments.ts';
import { toolFields } from '../../../console/pages/tools/fields.ts';

const CARD = {
  name: 'a_tool',
  title: 'A tool',
  description: 'Does something.',
  reads: true,
  whyNot: null,
  usual: ['place'],
  inputSchema: {
    properties: {
      words: { type: 'string', description: 'Words <b>of yours</b>.', examples: ['a', 'b'] },
      limit: { type: 'integer', default: 12 },
      flag: { type: 'boolean' },
      state: { type: 'string', enum: ['on', 'off'] },
      content: { type: 'string', maxLength: 100_000 },
      place: { type: 'string' },
      places: { type: 'array', items: { type: 'string' } },
    },
    required: ['words'],
  },
} as const;

describe('the arguments of a form', () => {
  test('have the types of the tool, and leave out what is empty or no field of it', () => {
    expect(
      argumentsOf(CARD, {
        words: 'a',
        limit: ' 7 ',
        flag: 'true',
        state: '',
        _csrf: 'x',
        other: 'y',
      }),
    ).toEqual({ words: 'a', limit: 7, flag: true });
  });

  test('have a list of one entry for each line that is not blank', () => {
    expect(argumentsOf(CARD, { places: '/a\r\n\n /b ' })).toEqual({ places: ['/a', ' /b '] });
    expect(argumentsOf(CARD, { places: ' \n' })).toEqual({});
  });

  test('go as they were typed where they are no number and no switch, for the tool to refuse', () => {
    expect(argumentsOf(CARD, { words: '', limit: 'many', flag: 'maybe' })).toEqual({
      limit: 'many',
      flag: 'maybe',
    });
    expect(argumentsOf(CARD, { limit: '9'.repeat(40) })).toEqual({ limit: '9'.repeat(40) });
  });

  test('have the line ends that were typed', () => {
    expect(argumentsOf(CARD, { words: 'one\r\ntwo' })).toEqual({ words: 'one\ntwo' });
  });

  test('are shown as the call and the answer that a client would see', () => {
    expect(JSON.parse(requestText('a_tool', { words: 'a' }))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'a_tool', arguments: { words: 'a' } },
    });
    expect(JSON.parse(answerText({ isError: true }))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { isError: true },
    });
  });
});

describe('the form of a tool', () => {
  test('has a field for every argument, with its words as text, an example and what else stands', () => {
    const page = toolFields(CARD, {}).toString();
    for (const name of Object.keys(CARD.inputSchema.properties)) {
      expect(page).toContain(`name="${name}"`);
    }
    expect(page).toContain('Words &lt;b&gt;of yours&lt;/b&gt;. For example: a');
    expect(page).toContain('Left out: 12.');
    expect(page).toContain('<textarea');
    expect(page).toContain('<details>');
  });

  test('folds away neither what a call needs nor what most calls give', () => {
    const [open = '', folded = ''] = toolFields(CARD, {}).toString().split('<details>');
    expect(open).toContain('name="words"');
    expect(open).toContain('Place (optional)');
    expect(folded).toContain('name="places"');
    expect(folded).toContain('One a line.');
  });

  test('shows what was typed, and folds nothing away that was', () => {
    const page = toolFields(CARD, { state: 'off', limit: '3' }).toString();
    expect(page).not.toContain('<details>');
    expect(page).toMatch(/<option value="off" +selected/);
    expect(page).toContain('value="3"');
  });
});

test('sizes are said in the unit that fits', () => {
  expect([17, 2_048, 32 * 1_048_576].map(sizeOf)).toEqual(['17 bytes', '2.0 KiB', '32.0 MiB']);
});
