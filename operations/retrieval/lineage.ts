/** `lineage`: what a statement, a message or a version of a document was made from. */
import { z } from 'zod';
import { isUuid } from '../../domain/actors/safe-text.ts';
import { Refusal } from '../../domain/errors.ts';
import { visibleInLineage } from '../../domain/governance/visibility.ts';
import {
  LINEAGE_OPERATIONS,
  LINEAGE_TYPES,
  REFERENCE_VISIBILITIES,
  walkLineage,
  type Lineage,
} from '../../domain/lineage/lineage.ts';
import { defineOperation } from '../operation.ts';
import { boundedField, readerField, readScopeField } from './fields.ts';
import { authoriseRead } from './reader.ts';

const count = z.int().min(0);
const type = z.enum(LINEAGE_TYPES);

const node = z
  .object({
    id: z.uuid(),
    type,
    derivation_level: count.describe('0 for messages and documents; 1 or higher for statements.'),
    operation: z.enum(LINEAGE_OPERATIONS).describe('How it came to be.'),
    traversal_depth: count.describe('How many steps it is away from the target.'),
    source_references: z.array(
      z.object({
        type,
        visibility: z.enum(REFERENCE_VISIBILITIES),
        id: z.uuid().optional().describe('Present for a visible reference only.'),
      }),
    ),
  })
  .meta({ id: 'LineageNode', description: 'One thing, and what it was made from directly.' });

const output = z.object({
  target: z.object({ type, id: z.uuid() }),
  nodes: z.array(node).describe('Breadth first, the target first.'),
  terminations: z
    .object({
      cycle: count,
      depth: count,
      fan_out: count,
      total_nodes: count,
      missing_source: count,
      lifecycle_hidden: count,
      authorization_hidden: count,
    })
    .describe('References that the service did not follow, by the reason.'),
  truncated: z.boolean().describe('Whether `max_depth`, `max_fan_out` or `max_nodes` stopped it.'),
});

function view({ nodes, terminations, truncated }: Lineage) {
  return {
    nodes: nodes.map((each) => ({
      id: each.id,
      type: each.type,
      derivation_level: each.derivationLevel,
      operation: each.operation,
      traversal_depth: each.traversalDepth,
      source_references: each.references.map(({ id, type: of, visibility }) => ({
        type: of,
        visibility,
        ...(id === null ? {} : { id }),
      })),
    })),
    terminations: { ...terminations },
    truncated,
  };
}

export const readLineage = defineOperation({
  id: 'memory.lineage',
  access: 'any_identity',
  effect: 'read',
  summary: 'Read what something was made from',
  description:
    'Goes from the target to its sources, breadth first, always in the same order. Of what the reader may not see, the answer says only that it exists, and no id. A target that does not exist, that the reader may not see, or that has expired, is not found.',
  refusals: ['forbidden', 'not_found', 'unknown_peer'],
  input: z.object({
    target_id: z.string().describe('The id of the statement, message or version of a document.'),
    target_type: type
      .nullish()
      .transform((word) => word ?? 'knowledge')
      .meta({ wire: { default: 'knowledge' } }),
    scope_path: readScopeField,
    peer_key: readerField,
    max_depth: boundedField({ least: 0, most: 8, unless: 3, what: 'Steps away from the target.' }),
    max_fan_out: boundedField({ least: 1, most: 24, unless: 8, what: 'References of one node.' }),
    max_nodes: boundedField({ least: 1, most: 100, unless: 40, what: 'Nodes of the answer.' }),
  }),
  output,
  async run(context, input) {
    const { scopeIds, reader } = await authoriseRead(context, {
      scopePath: input.scope_path,
      peerKey: input.peer_key,
    });
    // Like an id that names nothing, after the same questions.
    if (!isUuid(input.target_id)) throw new Refusal('not_found');
    const target = { type: input.target_type, id: input.target_id };
    const at = context.now.toISOString();
    const read = { scopeIds, reader, visibility: visibleInLineage({ scopeIds, reader, at }) };
    const budget = {
      maxDepth: input.max_depth,
      maxFanOut: input.max_fan_out,
      maxNodes: input.max_nodes,
    };
    const lineage = await context.inAccount(context.caller.accountId, ({ lineage: store }) =>
      walkLineage(target, budget, (targets, maxFanOut) => store.facts(targets, maxFanOut, read)),
    );
    if (lineage === null) throw new Refusal('not_found');
    return { target, ...view(lineage) };
  },
});
