/** `lineage`: what a statement, a message or a version of a document was made from. */
import { z } from 'zod';
import { isUuid } from '../../domain/workflow-history/safe-text.ts';
import { Refusal } from '../../domain/errors.ts';
import { visibleInLineage } from '../../domain/governance/visibility.ts';
import {
  DERIVATIONS,
  LINEAGE_TYPES,
  REFERENCE_VISIBILITIES,
  walkLineage,
  type Lineage,
} from '../../domain/lineage/lineage.ts';
import { defineOperation } from '../operation.ts';
import { boundedField, readerField, readScopeField } from '../fields/read.ts';
import { authoriseRead } from '../access/reader.ts';

const count = z.int().min(0);
const type = z.enum(LINEAGE_TYPES);

const node = z
  .object({
    id: z.uuid(),
    type,
    derivation_level: count.describe('0 for messages and documents; 1 or higher for statements.'),
    operation: z.enum(DERIVATIONS).describe('The step of the service that made it.'),
    traversal_depth: count.describe('The number of steps between it and the target.'),
    source_references: z.array(
      z.object({
        type,
        visibility: z.enum(REFERENCE_VISIBILITIES),
        id: z.uuid().optional().describe('Present for a visible reference only.'),
      }),
    ),
  })
  .meta({
    id: 'LineageNode',
    description: 'A statement, message or document version, with its direct sources.',
  });

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
    .describe('The references that the service did not follow, with the reason.'),
  truncated: z
    .boolean()
    .describe('Whether `max_depth`, `max_fan_out` or `max_nodes` stopped the walk.'),
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
  summary: 'Read the sources of a statement, message or document version',
  description:
    'The service walks from the target to its sources, breadth first, always in the same order. For a source that the reader may not see, the answer says only that it exists, without an id. A target gets 404 if it does not exist, if the reader may not see it, or if it has expired.',
  refusals: ['forbidden', 'not_found', 'unknown_peer'],
  input: z.object({
    target_id: z.string().describe('The id of the statement, message or version of a document.'),
    target_type: type
      .nullish()
      .transform((word) => word ?? 'knowledge')
      .meta({ wire: { default: 'knowledge' } }),
    scope_path: readScopeField,
    peer_key: readerField,
    max_depth: boundedField({
      least: 0,
      most: 8,
      unless: 3,
      what: 'The most steps from the target.',
    }),
    max_fan_out: boundedField({
      least: 1,
      most: 24,
      unless: 8,
      what: 'The most references to follow from one node.',
    }),
    max_nodes: boundedField({
      least: 1,
      most: 100,
      unless: 40,
      what: 'The most nodes in the answer.',
    }),
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
