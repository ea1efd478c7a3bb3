/** `source-search`: messages as they were received, for a reader who was there, in a scope and its ancestors. */
import { z } from 'zod';
import {
  SOURCE_FAILURE_CLASSES,
  SOURCE_MODES,
  SOURCE_STATUSES,
  type SourceMode,
} from '../../domain/retrieval/source-status.ts';
import type { SourceResult } from '../../engine/source-search/results.ts';
import { defineOperation } from '../operation.ts';
import {
  boundedField,
  flagField,
  includeQuestionsField,
  limitField,
  queryField,
  readerField,
} from '../fields/read.ts';
import { namedScopes, readScopesFields, scopesOutput } from '../fields/read-scopes.ts';
import { authoriseRead } from '../access/reader.ts';

/** Other words for `exact`. */
const EXACT_ALIASES = ['full_text', 'lexical'] as const;

const modeField = z
  .enum([...SOURCE_MODES, ...EXACT_ALIASES])
  .nullish()
  .transform((word): SourceMode => {
    if (word === null || word === undefined || word === 'semantic') return 'semantic';
    return 'exact';
  })
  .meta({
    description:
      '`semantic` compares meanings. `exact` compares words and calls no model. `full_text` and `lexical` are other names of `exact`.',
    wire: { default: 'semantic' },
  });

const turn = z
  .object({
    message_id: z.uuid(),
    peer_key: z.string().describe('The key of the speaker.'),
    peer_name: z.string(),
    role: z.string(),
    occurred_at: z.string(),
    excerpt: z.string().describe('The beginning of the message. `…` stands for the rest.'),
  })
  .meta({ id: 'SourceTurn', description: 'A message that stands beside another one.' });

const neighbour = (side: string) =>
  turn
    .nullable()
    .optional()
    .describe(
      `The turn ${side} the message in its session and scope, of those that the reader may read. Null if there is none. Present if the request asks for neighbours.`,
    );

const result = z
  .object({
    message_id: z.uuid(),
    session_id: z
      .string()
      .nullable()
      .describe('The `session_id` of the observation. Null for a chunk of a document.'),
    scope_path: z.string(),
    peer_key: z.string().describe('The key of the speaker.'),
    peer_name: z.string(),
    role: z.string(),
    occurred_at: z.string(),
    excerpt: z
      .string()
      .describe(
        'A part of the message around the words of the query. `…` stands for text that is left out.',
      ),
    score: z
      .number()
      .min(0)
      .max(1)
      .describe(
        'The score orders the results of this answer. Do not compare it with scores of other answers or of the other mode.',
      ),
    rank: z.int().min(1),
    before: neighbour('before'),
    after: neighbour('after'),
  })
  .meta({ id: 'SourceResult', description: 'A message that a source search found.' });

function view({ excerpt, message, rank, score, turns }: SourceResult): z.input<typeof result> {
  return { ...message, excerpt, score, rank, ...turns };
}

export const sourceSearchOutput = z.object({
  status: z
    .enum(SOURCE_STATUSES)
    .describe(
      '`ready`: the search compared all messages that the reader may read. `stale`: the search could not compare some messages, or an index was unavailable. `empty`: the search found nothing. `unavailable`: the search can compare no message that the reader may read by meaning. `failed`: the embedder or the index failed.',
    ),
  failure_class: z
    .enum(SOURCE_FAILURE_CLASSES)
    .nullable()
    .describe('Why the search failed, was unavailable, or left messages out.'),
  mode: z.enum(SOURCE_MODES),
  ...scopesOutput,
  reader_posture: z
    .enum(['peer', 'public_only', 'internal'])
    .describe('The reader of the search. A reader without a peer reads no messages.'),
  results: z.array(result).describe('The messages, the best match first.'),
});

export const searchSources = defineOperation({
  id: 'memory.source_search',
  access: 'any_identity',
  effect: 'read',
  summary: 'Search source messages',
  description:
    'Finds messages of a scope and its ancestors that the reader said, relayed, or was present at. Use it for messages that the service has not extracted yet, or drew no statement from. The answer shows messages as the service received them; no gate has judged them. If a provider or an index fails, the answer says so in `status` instead of an error.',
  refusals: ['forbidden', 'unknown_peer'],
  input: z
    .object({
      query: queryField,
      ...readScopesFields,
      mode: modeField,
      limit: limitField,
      excerpt_chars: boundedField({
        least: 80,
        most: 2_000,
        unless: 480,
        what: 'The most characters of an excerpt. A letter with its accents is one character.',
      }),
      peer_key: readerField,
      include_questions: includeQuestionsField,
      include_neighbours: flagField.meta({
        description:
          'Each result also has the turns before and after it (`before`, `after`), of those that the reader may read. Phrases, exclusions and `include_questions` are conditions of results, not of these turns. A chunk of a document has none.',
        wire: { default: false },
      }),
      include_cross_links: flagField.meta({
        description: 'Also searches linked scopes, if the reader may read both ends of the link.',
        wire: { default: false },
      }),
    })
    .meta({
      wire: {
        examples: [{ query: 'what did Ana say about the lease', scope_path: '/team/project' }],
      },
    }),
  output: sourceSearchOutput,
  async run(context, input) {
    const { echo, scopes } = namedScopes(input);
    const read = await authoriseRead(context, {
      ...scopes,
      peerKey: input.peer_key,
      crossLinks: input.include_cross_links,
    });
    const { failureClass, results, status } = await context.sourceSearch({
      accountId: context.caller.accountId,
      scopeIds: read.scopeIds,
      reader: read.reader,
      query: input.query,
      mode: input.mode,
      limit: input.limit,
      includesQuestions: input.include_questions,
      includesNeighbours: input.include_neighbours,
      excerptChars: input.excerpt_chars,
      traceId: context.traceId,
      signal: context.signal,
    });
    return {
      status,
      failure_class: failureClass,
      mode: input.mode,
      ...echo,
      reader_posture: read.posture,
      results: results.map(view),
    };
  },
});
