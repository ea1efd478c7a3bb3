/**
 * What an engineer must touch to add something: the lists of docs/adding.md, each applied as a whole in one copy of the tree,
 * on which the guards of a commit run. A list that misses a file fails a guard; one that names other files than the page fails.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../architecture/source-tree.ts';
import { Scene } from '../observations/scene.ts';
import { FIELD } from './lists/field.ts';
import { METRIC } from './lists/metric.ts';
import { PAGE_LIST } from './lists/page.ts';
import { ROUTE } from './lists/route.ts';
import { RULE } from './lists/rule.ts';
import { SETTING } from './lists/setting.ts';
import { TABLE } from './lists/table.ts';
import { WORKFLOW } from './lists/workflow.ts';
import { MOOD_TEST, WRITE_RULES } from './programs.ts';
import { Scratch, type Edit } from './scratch.ts';

/** By the heading of the page. `most` are edits by hand, generated files left out. */
const LISTS: Readonly<Record<string, { readonly edits: readonly Edit[]; readonly most: number }>> =
  {
    'A field that answers show': { edits: FIELD, most: 6 },
    'A route': { edits: ROUTE, most: 6 },
    'A value of gate rules': { edits: RULE, most: 4 },
    'A page of the console': { edits: PAGE_LIST, most: 5 },
    'A table': { edits: TABLE, most: 6 },
    'A metric': { edits: METRIC, most: 1 },
    'A setting': { edits: SETTING, most: 2 },
    'A workflow': { edits: WORKFLOW, most: 2 },
  };

const filesOf = (edits: readonly Edit[]): readonly string[] => [
  ...new Set(edits.map(({ file }) => file)),
];

/** The files of a list on the page, as patterns: `NNNN` is a number, `<name>` a name of one's own. */
function listed(heading: string): readonly RegExp[] {
  const page = readFileSync(join(ROOT, 'docs/adding.md'), 'utf8');
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = '']) => {
    const escaped = path.replaceAll(/[.*+?^$()|[\]\\/]/g, '\\$&');
    return new RegExp(
      `^${escaped.replaceAll('NNNN', '\\d{4}').replaceAll(/<[^>]+>/g, '[\\w-]+')}$`,
    );
  });
}

let scratch: Scratch;
let scene: Scene;
/** The generated description of its API. */
let api: unknown;
beforeAll(async () => {
  scratch = new Scratch();
  const edits = Object.values(LISTS).flatMap((list) => list.edits);
  for (const edit of edits) scratch.apply(edit);
  scene = await Scene.open();
  await scene.admin.query('set role vouch_owner');
  for (const { file, insert } of edits) if (file.endsWith('.sql')) await scene.admin.query(insert);
  await scene.admin.query('reset role');
  const database = { DATABASE_URL: scene.database.appUrl };
  scratch.write('stores/postgres/schema.sql', scratch.node(['bin/schema-dump.ts'], database));
  scratch.node(['bin/generate.ts']);
  api = JSON.parse(scratch.read('docs/openapi.json'));
});
afterAll(async () => {
  await scene?.close();
  scratch?.remove();
});

describe.each(Object.entries(LISTS))('%s', (heading, { edits, most }) => {
  const files = filesOf(edits);

  test('touches the files that the page lists, and each of them', () => {
    const patterns = listed(heading);
    expect(files.filter((file) => !patterns.some((pattern) => pattern.test(file)))).toEqual([]);
    expect(patterns.filter((pattern) => !files.some((file) => pattern.test(file)))).toEqual([]);
  });

  test(`is at most ${most} files to edit by hand`, () => {
    expect(files.length).toBeLessThanOrEqual(most);
  });
});

test('the tree with all additions has the right types', () => {
  expect(scratch.typeErrors()).toBe('');
});

test('the guards that need no server find nothing that is missing', () => {
  const guards =
    'test/architecture|unit/(matrix/complete|generated-pages|openapi|deploy|erasure|extraction-model|knowledge|governance|gates|console|telemetry)';
  expect(scratch.testComplaints('pure', guards)).toBe('');
});

test('the guard of histories asks for one of the new workflow', () => {
  expect(scratch.testComplaints('pure', 'test/replay')).toContain('countAccounts has no history');
});

test('the guards on servers find nothing that is missing; the field is extracted, written and read; the page shows', () => {
  scratch.apply({ file: 'test/integration/extraction/mood.test.ts', insert: MOOD_TEST });
  const guards =
    'integration/(extraction/mood|schema/snapshot|erasure/registry)|contract/governance-rules|console/places';
  expect(scratch.testComplaints('real', guards)).toBe('');
});

test('the API describes the field', () => {
  expect(api).toMatchObject({
    components: {
      schemas: {
        Statement: {
          properties: {
            mood: { description: 'How it was said. Null if the words do not show it.' },
          },
        },
      },
    },
  });
});

test('the value of gate rules is written, read and described, and the command line takes it', async () => {
  expect(api).toMatchObject({
    components: {
      schemas: {
        GateRule: { properties: { trial_hours: { type: ['integer', 'null'] } } },
        GateRuleInput: {
          properties: {
            trial_hours: {
              description: 'How long a trial lasts.',
              anyOf: [{ type: 'integer', minimum: 1, maximum: 8_760 }, { type: 'null' }],
            },
          },
        },
      },
    },
  });
  const help = scratch.node(['bin/vouch.mjs', 'governance', 'rules', 'set', '--help']);
  expect(help).toContain('--trial <hours>');
  const account = await scene.account();
  scratch.apply({ file: 'write-rules.ts', insert: WRITE_RULES });
  const environment = { DATABASE_URL: scene.database.appUrl, ACCOUNT: account };
  const ages: unknown = JSON.parse(scratch.node(['write-rules.ts'], environment));
  expect(ages).toEqual(Array.from({ length: 24 }, () => 24));
});

test('the route is described, and the page and the setting stand on the generated pages', () => {
  expect(api).toMatchObject({
    paths: { '/api/v1/knowledge/{knowledge_id}': { get: { summary: 'Read one statement' } } },
  });
  expect(scratch.read('docs/reference/surfaces.md')).toContain('`GET /console/places`');
  expect(scratch.read('docs/reference/settings.md')).toContain('`SERVICE_LONGEST_PAUSE_SECONDS`');
});
