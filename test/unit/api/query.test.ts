import { expect, test } from '@jest/globals';
import { readQuery } from '../../../api/rest/query.ts';
import { expectGrowth } from '../../support/processor-time.ts';

test('a parameter is a text, one that is given several times a list of texts', () => {
  expect(readQuery('a=1&b=x%20y+z&a=2&c&__proto__=p')).toEqual(
    Object.fromEntries([
      ['a', ['1', '2']],
      ['b', 'x y z'],
      ['c', ''],
      ['__proto__', 'p'],
    ]),
  );
  expect(readQuery('')).toEqual({});
});

test('a parameter given thousands of times costs what as many bytes cost, not their square', () => {
  // The headers of a request have room for 16 KiB.
  const [few, many] = ['a&'.repeat(800), 'a&'.repeat(8_000)];
  readQuery(many);
  const times = (count: number, text: string) => () => {
    for (let n = 0; n < count; n += 1) readQuery(text);
  };
  // As many parameters on both sides: where a name cost the square of its values, the second cost ten times as much.
  expectGrowth({ few: times(500, few), many: times(50, many), times: 4, besidesMs: 20 });
});
