/** No file needs itself: imports, those of types too, form no cycle. */
import { expect, test } from '@jest/globals';
import { importsOf, readFiles, SOURCE_FOLDERS } from './source-tree.ts';

type Graph = ReadonlyMap<string, readonly string[]>;

/** Files that remain when all that import nothing of the others are taken away, again and again: the cycles, and what needs them. */
function tied(graph: Graph): readonly string[] {
  const left = new Map(graph);
  for (;;) {
    const free = [...left].filter(([, targets]) => !targets.some((target) => left.has(target)));
    if (free.length === 0) break;
    for (const [file] of free) left.delete(file);
  }
  // What only needs a cycle is no part of it.
  for (;;) {
    const needed = new Set([...left.values()].flat());
    const ends = [...left.keys()].filter((file) => !needed.has(file));
    if (ends.length === 0) return [...left.keys()].toSorted();
    for (const file of ends) left.delete(file);
  }
}

test('no files import each other in a cycle', () => {
  const files = readFiles(SOURCE_FOLDERS, '.ts');
  const graph: Graph = new Map(
    files.map((file) => [file.path, importsOf(file).flatMap(({ target }) => target ?? [])]),
  );
  expect(files.length).toBeGreaterThan(900);
  expect(tied(graph)).toEqual([]);
});

test('a cycle is found, and what needs it is not named', () => {
  const graph: Graph = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['b', 'd']],
    ['d', []],
  ]);
  expect(tied(graph)).toEqual(['b', 'c']);
});
