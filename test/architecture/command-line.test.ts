/** What a command of `vouch` loads before it does anything: a person waits for it, and so does a client of the bridge. */
import { describe, expect, test } from '@jest/globals';
import { importsOf, readFiles } from './source-tree.ts';

const FILES = new Map(
  readFiles(
    ['bin', 'cli', 'domain', 'embedded', 'engine', 'operations', 'runtime', 'stores'],
    '.ts',
  ).map((file) => [file.path, file]),
);

/** The modules and packages that are loaded at once with the modules at `paths`. */
function loadedWith(paths: readonly string[]): ReadonlySet<string> {
  const loaded = new Set<string>();
  const open = [...paths];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (loaded.has(path)) continue;
    loaded.add(path);
    const file = FILES.get(path);
    const imports = file === undefined ? [] : importsOf(file);
    for (const { isDynamic, specifier, target, typeOnly } of imports) {
      if (!typeOnly && !isDynamic) open.push(target ?? specifier);
    }
  }
  return loaded;
}

/** Outside of these, a module costs nothing worth mentioning. */
const isLight = (name: string): boolean => /^(bin|cli|domain)\/|^node:|^commander$/.test(name);

describe('the command line', () => {
  test('starts with its own modules and the parser of arguments alone', () => {
    const heavy = [...loadedWith(['bin/vouch.ts'])].filter((name) => !isLight(name));
    expect(heavy).toEqual([]);
  });

  test('needs nothing else for the bridge, which only passes messages on', () => {
    const loaded = loadedWith(['bin/vouch.ts', 'cli/nouns/mcp.ts']);
    expect([...loaded].filter((name) => !isLight(name))).toEqual(['zod']);
    expect(loaded).toContain('cli/mcp/bridge.ts');
  });

  test('reaches Postgres without what belongs to the other servers, to models and to threads', () => {
    const loaded = loadedWith(['runtime/command-line.ts', 'runtime/container/for-command.ts']);
    // The log knows the error codes of Meilisearch; its client is not loaded.
    const others = ['@temporalio/', '@qdrant/', 'stores/meilisearch/', 'ai', '@ai-sdk/', 'piscina'];
    const needed = ['pg', 'slonik'];
    const isAnyOf = (starts: readonly string[]) => (name: string) =>
      starts.some((start) => (start.endsWith('/') ? name.startsWith(start) : name === start));
    expect([...loaded].filter(isAnyOf(others))).toEqual([]);
    expect([...loaded].filter(isAnyOf(needed)).toSorted()).toEqual(needed);
  });

  test('loads no operation of another noun', () => {
    const operations = [...loadedWith(['cli/nouns/status.ts'])].filter(
      (name) => name.startsWith('operations/') && name.includes('/erase'),
    );
    expect(operations).toEqual([]);
  });
});
