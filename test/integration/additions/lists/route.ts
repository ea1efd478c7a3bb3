/** A route over stores that exist: one statement by its id, for its reader. */
import type { Edit } from '../scratch.ts';

const OPERATION = `
/** One statement by its id, for a reader who may read it. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { visibleByDefault } from '../../domain/governance/visibility.ts';
import { defineOperation } from '../operation.ts';
import { knowledgeOutput } from '../observations/knowledge-output.ts';
import { authoriseRead } from '../access/reader.ts';
import { readScopeField } from '../fields/read.ts';

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

export const ROUTE: readonly Edit[] = [
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
    file: 'api/rest/routes/reads.ts',
    before: "  {\n    method: 'GET',\n    path: '/api/v1/knowledge',",
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
  {
    file: 'test/contract/matrix/routes/reads.ts',
    before: "  {\n    route: 'GET /api/v1/knowledge',",
    insert: `  {
    route: 'GET /api/v1/knowledge/:knowledge_id',
    request: (asked) => ({
      path: \`/api/v1/knowledge/\${idIn(asked, asked.scene.foreign.statementId, undefined)}?scope_path=/\`,
    }),
    borrows: [parameter('scope_path', 'scope')],
    vary: { target: ['malformed', 'missing', 'foreign'] },
    rows: [...withId(ANYBODY), HIDDEN],
  },
`,
  },
  {
    file: 'test/contract/matrix/routes/reads.ts',
    before: "type RouteTable } from './route-table.ts'",
    insert: 'withId, ',
  },
  {
    file: 'test/content-safety/reads.ts',
    before:
      '    { status: 200, call: { path: lineage, headers, json: { scope_path, target_id: statementId } } },',
    insert: `    {
      status: 200,
      call: {
        path: \`/api/v1/knowledge/\${statementId}?scope_path=\${encodeURIComponent(scope_path)}\`,
        headers,
      },
    },
    { status: 404, call: { path: \`/api/v1/knowledge/\${nowhere}\`, headers } },
`,
  },
  {
    file: 'CHANGELOG.md',
    before: '- `POST /mcp` offers',
    insert: '- `GET /api/v1/knowledge/{knowledge_id}` reads one statement.\n',
  },
];
