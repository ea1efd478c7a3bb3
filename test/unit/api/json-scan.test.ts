/** What is looked at in a JSON body before anything is built of it. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Base64Text } from '../../../api/base64-text.ts';
import { JsonScan, LONGEST_JSON_NAME_BYTES, MOST_JSON_VALUES } from '../../../api/json-scan.ts';
import { cleanJson, DEEPEST_JSON } from '../../../api/json-text.ts';
import { Refusal } from '../../../domain/errors.ts';
import { expectGrowth } from '../../support/processor-time.ts';

const MEBIBYTE = 1_048_576;

function pieces(bytes: Buffer, size: number): Buffer[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

function scanned(text: string, pieceBytes = 65_536): unknown {
  const scan = new JsonScan(4 * MEBIBYTE);
  try {
    for (const piece of pieces(Buffer.from(text), pieceBytes)) scan.take(piece);
    return Buffer.from(scan.finish()).toString();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.fields?.[0]?.message ?? error.code;
  }
}

const TOO_MANY = 'must hold at most 10000 values';
const TOO_DEEP = 'must not nest deeper than 64 levels';
const TOO_LONG = 'must have no name of more than 1024 bytes';
const list = (values: number): string => `[${Array(values).fill('1').join()}]`;
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('a body within the bounds is passed on unchanged', () => {
  test.each([
    ['as many values as there may be', list(MOST_JSON_VALUES - 1)],
    ['as deep as it may be', deep(DEEPEST_JSON)],
    ['the longest name', `{"${'k'.repeat(LONGEST_JSON_NAME_BYTES)}":1}`],
    ['a long text with every mark in it', `{"a":"${'[{,:}]\\"\\\\'.repeat(100_000)}"}`],
    ['a number of a million digits', `{"a":${'9'.repeat(1_000_000)}}`],
    ['__proto__, and one name twice', '{"__proto__":1,"a":1,"a":2}'],
  ])('%s', (_name, text) => {
    expect(scanned(text)).toBe(text);
  });

  test('in pieces of any size', () => {
    const text = '{"a\\"":["\\\\",{"b":"[é"}],"c":null}';
    for (let size = 1; size < 12; size += 1) expect(scanned(text, size)).toBe(text);
  });
});

describe('a body past a bound is refused before it is parsed', () => {
  test.each([
    ['a value more', list(MOST_JSON_VALUES), TOO_MANY],
    ['4 MiB of empty lists', `[${'[],'.repeat(1_300_000)}[]]`, TOO_MANY],
    ['a million names', `{${'"k":1,'.repeat(600_000)}"k":1}`, TOO_MANY],
    ['a level more', deep(DEEPEST_JSON + 1), TOO_DEEP],
    ['objects in objects', '{"a":'.repeat(65) + '1' + '}'.repeat(65), TOO_DEEP],
    ['4 MiB of one name', `{"${'k'.repeat(4 * MEBIBYTE - 10)}":1}`, TOO_LONG],
    ['nesting without end', '['.repeat(1_000_000), 'malformed_json'],
    ['more bytes than it may have', ' '.repeat(4 * MEBIBYTE + 1), 'payload_too_large'],
  ])('%s', (_name, text, problem) => {
    expect(scanned(text)).toBe(problem);
  });
});

test('the path to a text costs nothing while nothing is refused', () => {
  const under = (name: string): unknown => ({ [name]: Array(20_000).fill('x') });
  const [short, long] = [under('k'), under('k'.repeat(1_000_000))];
  const [few, many] = [() => cleanJson(short), () => cleanJson(long)];
  expectGrowth({ few, many, times: 10, besidesMs: 5 });
});

describe('a text of base64', () => {
  const NAME = 'content_base64';
  const read = (body: string, size: number): { json: string; bytes: string } => {
    const lifted = new Base64Text(NAME, MEBIBYTE, null);
    const scan = new JsonScan(4 * MEBIBYTE, lifted);
    for (const piece of pieces(Buffer.from(body), size)) scan.take(piece);
    const json = Buffer.from(scan.finish()).toString();
    return { json, bytes: Buffer.from(lifted.finish()).toString('hex') };
  };

  test('is decoded whatever its bytes are, its spelling, and the pieces it comes in', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.integer({ min: 1, max: 64 }),
        fc.constantFrom('/', '\\/', '\\u002f'),
        (given, size, slash) => {
          const text = Buffer.from(given).toString('base64').replaceAll('/', slash);
          const { json, bytes } = read(`{"a":"x","${NAME}" : "${text}","b":{"${NAME}":"y"}}`, size);
          expect(json).toBe(`{"a":"x","${NAME}" : "","b":{"${NAME}":"y"}}`);
          expect(bytes).toBe(Buffer.from(given).toString('hex'));
        },
      ),
    );
  });

  test('given twice counts as it does in JSON: the last', () => {
    expect(read(`{"${NAME}":"QUJD","${NAME}":"Rg=="}`, 7).bytes).toBe('46');
  });

  test.each(['QUJ', 'QUJ!', 'Q===', 'QQ==QUJD', 'QQ\\n==', 'QUJDé', '\\u00'])(
    '%s is none',
    (text) => {
      expect(() => read(`{"${NAME}":"${text}"}`, 3)).toThrow(Refusal);
    },
  );
});
