import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBeam } from '../../../measure/data/beam.ts';
import { readDateExpressions } from '../../../measure/data/temporal.ts';

const folder = mkdtempSync(join(tmpdir(), 'vouch-eval-data-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(set: string, content: unknown): void {
  mkdirSync(join(folder, set), { recursive: true });
  writeFileSync(join(folder, set, 'one.json'), JSON.stringify(content));
}

describe('a data folder', () => {
  test('that is missing, or has no such set, gives null', () => {
    expect(readBeam(join(folder, 'nowhere'))).toBeNull();
    expect(readBeam(folder)).toBeNull();
  });

  test('gives each file of a set, moments in UTC', () => {
    write('recognizers-datetime', [
      { Input: 'next week', Context: { ReferenceDateTime: '2016-11-07T00:00:00' } },
      { Input: ' ' },
      { Input: 'at noon' },
    ]);
    expect(readDateExpressions(folder)).toEqual([
      [
        { text: 'next week', reference: '2016-11-07T00:00:00Z' },
        { text: 'at noon', reference: null },
      ],
    ]);
  });

  test('with another shape is refused without quoting it', () => {
    write('beam', { secret: 'kettle' });
    expect(() => readBeam(folder)).toThrow('file 1 of beam has another shape');
  });
});
