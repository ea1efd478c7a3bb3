/** Who opens an operation sees everything that it does: what stands where. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { importsOf, readFiles, ROOT, SOURCE_FOLDERS } from './source-tree.ts';

const SERVICE = [
  'activities',
  'api',
  'cli',
  'console',
  'domain',
  'engine',
  'operations',
  'runtime',
  'stores',
  'workflows',
];

/** Files of the service outside of `rooms` whose code, comments left out, has the pattern. */
function outside(rooms: readonly string[], pattern: RegExp, folders: readonly string[] = SERVICE) {
  return readFiles(folders, '.ts')
    .filter(({ path }) => !rooms.some((room) => path.startsWith(room)))
    .filter(({ text }) => pattern.test(text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')))
    .map(({ path }) => path);
}

describe('the work of a use-case is in its operation', () => {
  test('a store refuses nothing: database errors become refusals in one place', () => {
    expect(outside(['stores/postgres/errors.ts'], /\bRefusal\b/, ['stores'])).toEqual([]);
  });

  test('transactions of an account are opened by operations, and by the named steps of workers', () => {
    const rooms = [
      'operations/',
      'runtime/container/',
      'stores/postgres/in-account.ts',
      // Writing the indexes and searching, each in several short transactions.
      'engine/indexes/',
      'engine/retrieval/',
      'engine/source-search/',
      // Asking a person beside a read, which does not wait for it.
      'engine/questions/asking.ts',
      // Building what context answers from, each place and each summary by itself.
      'engine/context-cards/builder.ts',
      'engine/context-cards/summaries.ts',
      'runtime/processes/context-cards.ts',
      // Comparing an index with the database, page by page.
      'engine/reconcile/compared-scopes.ts',
      'engine/reconcile/message-vectors.ts',
      // How runs begin and end.
      'activities/governance.ts',
      'activities/reconciler.ts',
      'engine/knowledge/contests.ts',
      'engine/desk/scheduled.ts',
      'engine/blobs/comparison.ts',
    ];
    expect(outside(rooms, /\binAccount\b/)).toEqual([]);
  });

  test('audit events are recorded by operations, by the commit of statements and by the ends of erasures and of the retention', () => {
    const rooms = [
      'operations/',
      'stores/postgres/knowledge/commit.store.ts',
      // A decision that waited, in the name of who decided.
      'engine/desk/scheduled.ts',
      'stores/postgres/erasure/pages.store.ts',
      // What requests to forget bring about: at the commit of extractions, and in a pass.
      'stores/postgres/forgetting/holds.store.ts',
      // What nobody asked for: the counts of a daily pass go in the transaction of their event.
      'stores/postgres/retention/retention.store.ts',
      'stores/postgres/audit/audit.store.ts',
      'stores/postgres/stores.ts',
    ];
    expect(outside(rooms, /\baudit\.record\b|\bAuditStore\b/)).toEqual([]);
  });

  test('no ports.ts file exists', () => {
    const files = readFiles(SOURCE_FOLDERS, '.ts').map(({ path }) => path);
    expect(files.filter((path) => path.endsWith('/ports.ts'))).toEqual([]);
  });
});

test('every exported type has a unique name', () => {
  const names = readFiles([...SERVICE, 'embedded'], '.ts').flatMap(({ text }) =>
    [...text.matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm)].map(
      ([, name]) => name,
    ),
  );
  expect(names.length).toBeGreaterThan(400);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe('the code map lists the rooms', () => {
  const map = readFileSync(join(ROOT, 'docs/design/code-map.md'), 'utf8');
  const files = readFiles(['domain', 'engine'], '.ts');

  /** The rooms of the table of the folder, in its order. */
  const listed = (folder: string): readonly string[] => {
    const [, table = ''] = map.split(`| room of \`${folder}\` | holds |`);
    const [rows = ''] = table.split('\n\n');
    return [...rows.matchAll(/^\| `(?<room>[a-z-]+)` \|/gm)].map(
      ({ groups }) => groups?.['room'] ?? '',
    );
  };
  const roomOf = (path: string): string | null => {
    const [, room, ...rest] = path.split('/');
    return rest.length === 0 ? null : (room ?? null);
  };

  test.each(['domain', 'engine'])('of %s: each once', (folder) => {
    const rooms = new Set(
      files
        .filter(({ path }) => path.startsWith(`${folder}/`))
        .flatMap(({ path }) => roomOf(path) ?? []),
    );
    expect(listed(folder).toSorted()).toEqual([...rooms].toSorted());
  });

  test.each(['domain', 'engine'])('of %s: each below all that it needs', (folder) => {
    const order = listed(folder);
    const climbing = files
      .flatMap(importsOf)
      .filter(
        ({ from, target }) => from.startsWith(`${folder}/`) && target?.startsWith(`${folder}/`),
      )
      .filter(({ from, target }) => {
        const [needing, needed] = [roomOf(from), roomOf(target ?? '')];
        return (
          needing !== null && needed !== null && order.indexOf(needed) > order.indexOf(needing)
        );
      })
      .map(({ from, target }) => `${from} -> ${target}`);
    expect(climbing).toEqual([]);
  });
});
