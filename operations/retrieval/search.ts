/** `search`: ranked retrieval of statements for a reader, in a scope and its ancestors. */
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { withQuestion } from '../questions/pending.ts';
import { queryField } from '../fields/read.ts';
import { searchFields } from './search-fields.ts';
import { searchOutput } from './search-output.ts';
import { searchFor } from './searching.ts';

export const search = defineOperation({
  id: 'memory.search',
  access: 'any_identity',
  effect: 'read',
  summary: 'Search memory',
  description:
    'Returns ranked statements of a scope and its ancestors that the reader may see, and chunks of documents that the reader uploaded there. If a part of the search is unavailable or late, the answer is `degraded` instead of an error.',
  refusals: ['forbidden', 'unknown_peer'],
  input: z
    .object({ query: queryField, ...searchFields })
    .meta({ wire: { examples: [{ query: 'where does Ana live', scope_path: '/team/project' }] } }),
  output: searchOutput,
  async run(context, input) {
    const { output, read } = await searchFor(context, input, 'all');
    const { as_of: asOf, query, session_id: sessionId } = input;
    const asked = { sessionId, asOf, query, operation: 'memory.search' };
    return withQuestion(context, read, asked, output);
  },
});
