/**
 * No file needs itself, and no room needs one that needs it: imports, those of types too, form no cycle over files, nor
 * over the files and folders that stand side by side in any folder.
 */
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

const files = readFiles(SOURCE_FOLDERS, '.ts');
const imports: Graph = new Map(
  files.map((file) => [file.path, importsOf(file).flatMap(({ target }) => target ?? [])]),
);

/** Of each folder: its files and folders, and which of them need which others. The empty path is the root. */
function neighbours(graph: Graph): ReadonlyMap<string, Graph> {
  const rooms = new Map<string, Map<string, string[]>>();
  for (const [file, targets] of graph) {
    for (const target of targets) {
      const [from, to] = [file.split('/'), target.split('/')];
      const at = from.findIndex((part, depth) => part !== to[depth]);
      const [needing, needed] = [from[at], to[at]];
      if (needing === undefined || needed === undefined) continue;
      const folder = from.slice(0, at).join('/');
      const room = rooms.get(folder) ?? new Map<string, string[]>();
      rooms.set(folder, room);
      room.set(needing, [...(room.get(needing) ?? []), needed]);
      if (!room.has(needed)) room.set(needed, []);
    }
  }
  return rooms;
}

/** The rooms that need each other, by the folder in which they stand. */
function circles(graph: Graph): readonly string[] {
  return [...neighbours(graph)].flatMap(([folder, room]) => {
    const names = tied(room);
    return names.length === 0 ? [] : [`${folder}: ${names.join(', ')}`];
  });
}

test('no files import each other in a cycle', () => {
  expect(files.length).toBeGreaterThan(900);
  expect(tied(imports)).toEqual([]);
});

test('no files and folders of one folder need each other in a circle', () => {
  expect(circles(imports)).toEqual([]);
});

test('a circle of two rooms is found, though no file imports itself', () => {
  const graph: Graph = new Map([
    ['domain/gates/rule.ts', ['domain/plans/statement.ts']],
    ['domain/plans/plan.ts', ['domain/gates/rule.ts', 'domain/text.ts']],
  ]);
  expect(tied(graph)).toEqual([]);
  expect(circles(graph)).toEqual(['domain: gates, plans']);
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
