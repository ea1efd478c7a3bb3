/** What context answers: parts made of context cards, and statements. */
import { z } from 'zod';
import { BOUNDS, MOST_ENTITY_CARDS, SUMMARY_MODES } from '../../domain/context/kinds.ts';
import { FACT_CLUSTERS } from '../../domain/context/facts.ts';
import type { ShownPart } from '../../domain/context/parts.ts';
import { PIPELINE_IDENTITY, PROFILE_IDENTITY } from '../../domain/identities.ts';
import { scopesOutput } from '../fields/read-scopes.ts';
import { pendingMember } from '../questions/pending.ts';
import { statementCandidate } from './candidates.ts';

const fact = z
  .object({
    id: z.uuid(),
    statement: z
      .string()
      .describe(`The first ${FACT_CLUSTERS} characters of the statement, with its dates.`),
  })
  .meta({ id: 'ContextFact', description: 'A statement that a part of a context shows.' });

const partFields = {
  summary: z
    .string()
    .nullable()
    .describe(
      'Null if there are fewer than three sources, or if there is no summary that the reader may read.',
    ),
  summary_mode: z
    .enum(SUMMARY_MODES)
    .describe(
      '`model`: a model wrote the summary. `source_extract`: the built-in provider took it from the sources. `unavailable`: there is no summary at the moment. `none`: there are too few sources for one.',
    ),
  summary_provenance: z
    .object({
      provider: z.string(),
      model: z.string().nullable(),
      model_version: z.string().nullable(),
      prompt_version: z.string().nullable(),
      pipeline_version: z.literal(PIPELINE_IDENTITY),
    })
    .nullable(),
  pinned_facts: z.array(fact),
};

const facts = (kind: keyof typeof BOUNDS): string => `At most ${BOUNDS[kind].facts} facts.`;

export const contextOutput = z.object({
  ...scopesOutput,
  profile_version: z.literal(PROFILE_IDENTITY),
  session_summary: z
    .object({ session_id: z.string(), status: z.literal('open'), ...partFields })
    .nullable()
    .describe(
      `A summary and facts of the session of the request. Only a reader who was there from the first message on gets it. ${facts('session_summary')}`,
    ),
  peer_profile: z
    .array(z.object({ scope_path: z.string(), ...partFields }))
    .describe(`Facts about the reader, one slice for each scope. ${facts('peer_profile')}`),
  scope_cards: z
    .array(z.object({ path: z.string(), name: z.string(), ...partFields }))
    .describe(`Facts that all readers of a scope may read. ${facts('scope_card')}`),
  entity_cards: z
    .array(
      z.object({
        label: z.string().nullable().describe('The name, as the statements of its scope spell it.'),
        kind: z.enum(['person', 'org', 'system', 'concept']).nullable(),
        sensitivity: z.enum(['public', 'internal', 'personal', 'restricted']),
        scope_path: z.string(),
        ...partFields,
      }),
    )
    .describe(
      `Facts about the names that most statements of a scope mention, at most ${MOST_ENTITY_CARDS} names a scope. ${facts('entity_card')}`,
    ),
  knowledge: z
    .array(z.union([statementCandidate, fact]))
    .describe(
      'The facts of all parts, each once, and then statements: with a `query` those that a `balanced` search finds, without a query the most salient ones.',
    ),
  projection_cache_hit: z
    .boolean()
    .describe('Whether the answer has a part that the service built before.'),
  fast_fallback: z
    .boolean()
    .describe('True if no part has a fact, or if a change has waited for more than 30 seconds.'),
  ...pendingMember,
});

export type ContextOutput = z.input<typeof contextOutput>;

function partView({ facts: pinned, summary, summaryMode, summaryProvenance }: ShownPart) {
  return {
    summary,
    summary_mode: summaryMode,
    summary_provenance:
      summaryProvenance === null
        ? null
        : {
            provider: summaryProvenance.provider,
            model: summaryProvenance.model,
            model_version: summaryProvenance.modelVersion,
            prompt_version: summaryProvenance.promptVersion,
            pipeline_version: PIPELINE_IDENTITY,
          },
    pinned_facts: pinned.map(({ id, statement }) => ({ id, statement })),
  };
}

/** The last segment of a path; of the root the root. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1) || path;

/** The members of an answer that are made of parts. */
export function partsView(
  parts: readonly ShownPart[],
  sessionId: string | null,
): Pick<ContextOutput, 'session_summary' | 'peer_profile' | 'scope_cards' | 'entity_cards'> {
  const of = (kind: ShownPart['kind']): readonly ShownPart[] =>
    parts.filter((part) => part.kind === kind);
  const [session] = of('session_summary');
  return {
    session_summary:
      session === undefined || sessionId === null
        ? null
        : { session_id: sessionId, status: 'open', ...partView(session) },
    peer_profile: of('peer_profile').map((part) => ({
      scope_path: part.scopePath,
      ...partView(part),
    })),
    scope_cards: of('scope_card').map((part) => ({
      path: part.scopePath,
      name: nameOf(part.scopePath),
      ...partView(part),
    })),
    entity_cards: of('entity_card').map((part) => ({
      label: part.label,
      kind: part.entityKind,
      sensitivity: part.sensitivity,
      scope_path: part.scopePath,
      ...partView(part),
    })),
  };
}
