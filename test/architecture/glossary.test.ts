/** Words that are settled: the names that code exports have each in its own rooms alone, and the glossary explains it once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readFiles, ROOT, SOURCE_FOLDERS } from './source-tree.ts';

/** Folders and files whose exported names may have the word, in the meaning of the glossary. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  alias: ['domain/entities/alias.ts'],
  attestation: ['domain/statements/attestation.ts'],
  'attribute claim': ['domain/statements/attributes.ts'],
  'browser session': [
    'api/console/',
    'domain/identity/',
    'operations/identity/',
    'stores/postgres/identity/',
  ],
  candidate: [
    'domain/extraction/',
    'domain/statements/candidate.ts',
    'domain/statements/confidence.ts',
    'engine/extraction/',
    'engine/models/masking.ts',
    'engine/retrieval/',
    'operations/retrieval/',
    'stores/postgres/retrieval/candidates.store.ts',
    'stores/qdrant/point-reader.ts',
  ],
  derivation: ['domain/lineage/'],
  evidence: [
    'console/design/words.ts',
    'domain/answers/',
    'domain/extraction/',
    'domain/identities.ts',
    'domain/observations/roles.ts',
    'domain/statements/confidence.ts',
    'engine/answers/',
    'operations/extraction/',
    'operations/retrieval/',
    'stores/postgres/extraction/',
    'stores/postgres/knowledge/evidence-details.store.ts',
  ],
  'first transaction': ['engine/retrieval/first-transaction.ts'],
  lane: ['activities/', 'domain/actors/', 'runtime/', 'workflows/'],
  operator: ['operations/', 'runtime/start/'],
  planner: ['engine/answers/recall/'],
  'possible name': ['domain/entities/possible-names.ts'],
  projection: ['activities/', 'domain/actors/', 'workflows/projection/'],
  'query operator': ['domain/query/', 'domain/retrieval/', 'engine/retrieval/'],
  recall: ['domain/answers/recall/', 'engine/answers/', 'operations/retrieval/recall/'],
  ruling: ['domain/governance/desk.ts', 'domain/knowledge/'],
  session: [
    'console/pages/sources/',
    'domain/questions/',
    'operations/questions/',
    'operations/sources/',
    'stores/postgres/erasure/',
    'stores/postgres/observations/',
  ],
  'short name': ['domain/answers/short-names.ts'],
  standing: ['domain/statements/statement.ts'],
};

/** Longer ones first: a browser session is no session, and a query operator is no operator. */
const SETTLED = Object.keys(ROOMS)
  .toSorted((a, b) => b.length - a.length)
  .map((word) => ({ word, pattern: new RegExp(`\\b${word}(?:e?s)?\\b`, 'g') }));

const EXPORTED =
  /^export (?:async |abstract )*(?:class|const|function\*?|interface|let|type) (?<name>\w+)/gm;

/** The name in small letters, its words apart: `MOST_QUERY_NAMES` and `mostQueryNames` are `most query names`. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase();
}

/** The settled words of a name. */
function settledIn(name: string): readonly string[] {
  let rest = wordsOf(name);
  return SETTLED.flatMap(({ word, pattern }) => {
    const without = rest.replaceAll(pattern, '');
    const isIn = without !== rest;
    rest = without;
    return isIn ? [word] : [];
  });
}

const exported = readFiles(SOURCE_FOLDERS, '.ts')
  .filter(({ path }) => !/^(?:measure|test)\//.test(path))
  .flatMap(({ path, text }) =>
    [...text.matchAll(EXPORTED)].map(({ groups }) => ({ path, name: groups?.['name'] ?? '' })),
  );

test.each([
  ['LONGEST_BROWSER_SESSION_MS', ['browser session']],
  ['SessionsOfRecall', ['session', 'recall']],
  ['aliasesOf', ['alias']],
  ['HTTPLanes', ['lane']],
  ['planetOf', []],
])('%s has the words %j', (name, words) => {
  expect(settledIn(name).toSorted()).toEqual(words.toSorted());
});

test('exported names have a settled word in its rooms alone', () => {
  expect(exported.length).toBeGreaterThan(1_000);
  const outside = exported.flatMap(({ name, path }) =>
    settledIn(name)
      .filter((word) => !(ROOMS[word] ?? []).some((room) => path.startsWith(room)))
      .map((word) => `${path} exports ${name}: "${word}" means something else here`),
  );
  expect(outside).toEqual([]);
});

test('the glossary has one row for each settled word', () => {
  const glossary = readFileSync(join(ROOT, 'docs/GLOSSARY.md'), 'utf8');
  const rows = [...glossary.matchAll(/^\| (?<words>[^|]+) \|/gm)].flatMap(({ groups }) =>
    (groups?.['words'] ?? '').split(', '),
  );
  const counted = SETTLED.map(({ word }) => [word, rows.filter((row) => row === word).length]);
  expect(counted.filter(([, count]) => count !== 1)).toEqual([]);
});
