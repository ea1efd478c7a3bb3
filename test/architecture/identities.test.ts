/** The identities file, the reference page and the changelog say the same, and no other file spells one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CONTRACT_IDENTITIES } from '../../domain/identities.ts';
import { readFiles, ROOT, SOURCE_FOLDERS } from './source-tree.ts';

const page = readFileSync(join(ROOT, 'docs/reference/contract-identities.md'), 'utf8');
const cells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const listed = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map(cells);
const IDENTITIES = CONTRACT_IDENTITIES.map(({ identity }) => identity);
const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');

describe('contract identities', () => {
  test('the reference page lists them all and no other, each with its place and its state', () => {
    const rows = CONTRACT_IDENTITIES.map(({ covers, identity, state, where }) => [
      `\`${identity}\``,
      where,
      covers,
      state,
    ]);
    expect(listed).toEqual(rows);
  });

  test.each([...IDENTITIES])('%s stands in the changelog', (identity) => {
    expect(changelog).toContain(`\`${identity}\``);
  });

  // An identity whose constant nothing imports is carried by nothing.
  test.each([...CONTRACT_IDENTITIES])(
    '$identity is $state, and used accordingly',
    ({ identity, state }) => {
      const source = readFileSync(join(ROOT, 'domain/identities.ts'), 'utf8');
      const name = new RegExp(`export const (\\w+) = '${identity}'`).exec(source)?.[1] ?? '';
      const users = readFiles(SOURCE_FOLDERS, '.ts').filter(
        ({ path, text }) =>
          path !== 'domain/identities.ts' && new RegExp(`\\b${name}\\b`).test(text),
      );
      expect(users.length > 0).toBe(state === 'there');
    },
  );

  test('no other source file spells an identity out', () => {
    const spelled = readFiles(SOURCE_FOLDERS, '.ts')
      .filter(({ path }) => path !== 'domain/identities.ts')
      .filter(({ text }) => IDENTITIES.some((identity) => text.includes(`'${identity}'`)))
      .map(({ path }) => path);
    expect(spelled).toEqual([]);
  });
});
