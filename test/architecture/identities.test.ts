/** The identities file, the reference page and the changelog say the same, and no other file spells one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { IDENTITIES } from '../../domain/identities.ts';
import { readFiles, ROOT, SOURCE_FOLDERS } from './source-tree.ts';

const page = readFileSync(join(ROOT, 'docs/reference/contract-identities.md'), 'utf8');
const listed = [...page.matchAll(/^\| `([^`]+)` +\|/gm)].map((match) => match[1]);
const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');

describe('contract identities', () => {
  test.each([...IDENTITIES])('%s stands in the reference page and in the changelog', (identity) => {
    expect(listed).toContain(identity);
    expect(changelog).toContain(`\`${identity}\``);
  });

  test('the reference page lists no other', () => {
    expect(listed.toSorted()).toEqual([...IDENTITIES].toSorted());
  });

  test('no other source file spells an identity out', () => {
    const spelled = readFiles(SOURCE_FOLDERS, '.ts')
      .filter(({ path }) => path !== 'domain/identities.ts')
      .filter(({ text }) => IDENTITIES.some((identity) => text.includes(`'${identity}'`)))
      .map(({ path }) => path);
    expect(spelled).toEqual([]);
  });
});
