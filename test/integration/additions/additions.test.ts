/** What an engineer must touch to add something. All of it is added in a copy of the tree, and works there. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { drain, literalExtractor, pipeline, usePreset } from '../extraction/scene.ts';
import { Scene } from '../observations/scene.ts';
import { Scratch, type Edit } from './scratch.ts';

/** One copy for all additions: its types take a quarter of a minute to be checked. */
let scratch: Scratch;
/** The generated description of its API. */
let api: unknown;
beforeAll(() => {
  scratch = new Scratch();
  for (const edit of [...SHOWN_FIELD, ...RULE_COLUMN, ...ROUTE]) scratch.apply(edit);
  api = scratch.describeApi();
});
afterAll(() => scratch.remove());

test('the tree with the additions has the right types', () => {
  expect(scratch.typeErrors()).toBe('');
});

const filesOf = (edits: readonly Edit[]) => new Set(edits.map(({ file }) => file));

const MIGRATION = 'alter table knowledge add column mood text';

/** Beside these, two generated files change: `stores/postgres/schema.sql` and `docs/openapi.json`. */
const SHOWN_FIELD: readonly Edit[] = [
  { file: 'stores/postgres/migrations/9999_mood.sql', insert: `${MIGRATION};\n` },
  {
    file: 'domain/knowledge/columns.ts',
    before: '  embedding_provider: column(',
    insert: '  mood: column(text, nullable, listed),\n',
  },
  {
    file: 'domain/knowledge/columns.ts',
    before: "  statement: '",
    insert: "  mood: 'How it was said.',\n",
  },
];

/** Prints what the copy's own store reads of all statements of an account. */
const READ_ALL = `
import { EVERYTHING } from './domain/governance/visibility.ts';
import { createInAccount } from './stores/postgres/in-account.ts';
import { openPool } from './stores/postgres/pool.ts';
const pool = await openPool(process.env.DATABASE_URL, { maxPoolSize: 1 });
const rows = await createInAccount(pool)(process.env.ACCOUNT, ({ knowledge }) =>
  knowledge.read({
    selection: { by: 'listing', limit: 10 },
    visible: EVERYTHING,
    reader: { reader: { posture: 'internal' }, scopeIds: [] },
  }),
);
console.log(JSON.stringify(rows.map(({ mood }) => mood)));
await pool.end();
`;

test('a field that answers show touches four files at most, two of them generated', async () => {
  expect(filesOf(SHOWN_FIELD).size + 2).toBeLessThanOrEqual(4);
  expect(api).toMatchObject({
    components: {
      schemas: { Statement: { properties: { mood: { description: 'How it was said.' } } } },
    },
  });

  const scene = await Scene.open();
  try {
    const account = await scene.account();
    await usePreset(scene, account, 'assisted');
    await scene.ingest(await scene.caller(account, { key: 'relay' }), {
      content: 'as=public I like tea.',
    });
    await drain(scene, account, pipeline(scene, { extract: literalExtractor }));
    await scene.admin.query(`${MIGRATION}; update knowledge set mood = 'merry'`);
    scratch.apply({ file: 'read-all.ts', insert: READ_ALL });
    const environment = { DATABASE_URL: scene.database.appUrl, ACCOUNT: account };
    expect(JSON.parse(scratch.node(['read-all.ts'], environment))).toEqual(['merry']);
  } finally {
    await scene.close();
  }
});

const RULE_MIGRATION = 'alter table gate_rules add column minimum_age_hours integer';

/** Beside these, the same generated files change. */
const RULE_COLUMN: readonly Edit[] = [
  { file: 'stores/postgres/migrations/9998_minimum_age.sql', insert: `${RULE_MIGRATION};\n` },
  {
    file: 'domain/governance/rule-columns.ts',
    before: '  revalidate_after_days: {',
    insert: `  minimum_age_hours: {
    member: 'minimumAgeHours',
    type: 'count',
    most: MOST_PENDING_HOURS,
    nullable: true,
    description: 'How old a statement has to be.',
  },
`,
  },
  {
    file: 'domain/governance/presets.ts',
    before: '    revalidateAfterDays: 90,',
    insert: '    minimumAgeHours: 24,\n',
  },
  {
    file: 'cli/nouns/rules.ts',
    before: '  revalidate_after_days: [',
    insert: "  minimum_age_hours: ['--minimum-age <hours>', 'how old it has to be, or never'],\n",
  },
];

/** Writes a preset by the copy's own store, and prints what the gates and people read of it. */
const WRITE_RULES = `
import { presetRules } from './domain/governance/presets.ts';
import { createInAccount } from './stores/postgres/in-account.ts';
import { openPool } from './stores/postgres/pool.ts';
const pool = await openPool(process.env.DATABASE_URL, { maxPoolSize: 1 });
const ages = await createInAccount(pool)(process.env.ACCOUNT, async ({ gateRules }) => {
  await gateRules.replaceAccountWide(presetRules('strict'), new Date());
  const [rules, rows] = [await gateRules.ofPlaces([]), await gateRules.inForce()];
  return [...rules.map((rule) => rule.minimumAgeHours), ...rows.map((row) => row.minimum_age_hours)];
});
console.log(JSON.stringify(ages));
await pool.end();
`;

test('a column of gate rules touches four files, beside generated ones', async () => {
  expect(filesOf(RULE_COLUMN).size).toBe(4);
  const shown = { type: ['integer', 'null'] };
  const given = {
    description: 'How old a statement has to be.',
    anyOf: [{ type: 'integer', minimum: 1, maximum: 8_760 }, { type: 'null' }],
  };
  expect(api).toMatchObject({
    components: {
      schemas: {
        GateRule: { properties: { minimum_age_hours: shown } },
        GateRuleInput: { properties: { minimum_age_hours: given } },
      },
    },
  });
  expect(scratch.node(['bin/vouch.mjs', 'governance', 'rules', 'set', '--help'])).toContain(
    '--minimum-age <hours>',
  );

  const scene = await Scene.open();
  try {
    const account = await scene.account();
    await scene.admin.query(RULE_MIGRATION);
    scratch.apply({ file: 'write-rules.ts', insert: WRITE_RULES });
    const environment = { DATABASE_URL: scene.database.appUrl, ACCOUNT: account };
    const ages: unknown = JSON.parse(scratch.node(['write-rules.ts'], environment));
    expect(ages).toEqual(Array.from({ length: 24 }, () => 24));
  } finally {
    await scene.close();
  }
});

const OPERATION = `
/** One statement by its id. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { visibleByDefault } from '../../domain/governance/visibility.ts';
import { defineOperation } from '../operation.ts';
import { knowledgeOutput } from '../observations/knowledge-output.ts';
import { readScopeField } from './fields.ts';
import { authoriseRead } from './reader.ts';

export const readOneStatement = defineOperation({
  id: 'knowledge.read_one',
  access: 'any_identity',
  effect: 'read',
  summary: 'Read one statement',
  description: 'Only a statement that the caller may read.',
  refusals: ['not_found'],
  input: z.object({ knowledge_id: z.uuid(), scope_path: readScopeField }),
  output: knowledgeOutput,
  async run(context, input) {
    const read = await authoriseRead(context, { scopePath: input.scope_path, peerKey: null });
    const { scopeIds, reader } = read;
    const [row] = await context.inAccount(context.caller.accountId, (stores) =>
      stores.knowledge.read({
        selection: { by: 'ids', ids: [input.knowledge_id] },
        visible: visibleByDefault({ scopeIds, reader, at: context.now.toISOString() }),
        reader: read,
      }),
    );
    if (row === undefined) throw new Refusal('not_found');
    return row;
  },
});
`;

/** Beside these, the generated `docs/openapi.json` changes. */
const ROUTE: readonly Edit[] = [
  { file: 'operations/retrieval/one-statement.ts', insert: OPERATION.trimStart() },
  {
    file: 'operations/registry.ts',
    before: 'import { requestReconcile }',
    insert: "import { readOneStatement } from './retrieval/one-statement.ts';\n",
  },
  {
    file: 'operations/registry.ts',
    before: '  requestReconcile,',
    insert: '  readOneStatement,\n',
  },
  {
    file: 'api/rest/routes.ts',
    before: "  {\n    method: 'POST',\n    path: '/api/v1/operations/reconcile',",
    insert: `  {
    method: 'GET',
    path: '/api/v1/knowledge/:knowledge_id',
    operation: 'readOneStatement',
    query: { scope_path: 'text' },
    status: 200,
    envelope: 'data',
  },
`,
  },
];

test('a route over stores that exist touches seven files at most, one of them generated', () => {
  expect(filesOf(ROUTE).size + 1).toBeLessThanOrEqual(7);
  expect(api).toMatchObject({
    paths: { '/api/v1/knowledge/{knowledge_id}': { get: { summary: 'Read one statement' } } },
  });
});
