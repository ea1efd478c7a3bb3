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
  limitField,
  queryField,
  readerField,
  readScopeField,
} from './fields.ts';
import { authoriseRead } from './reader.ts';

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
      '`semantic` compares meanings; `exact` compares words and asks no model. `full_text` and `lexical` are other names of `exact`.',
    wire: { default: 'semantic' },
  });

const result = z
  .object({
    message_id: z.uuid(),
    session_id: z
      .string()
      .nullable()
      .describe('As given with the observation. Null for the passages of a document.'),
    scope_path: z.string(),
    peer_key: z.string().describe('Who said it.'),
    peer_name: z.string(),
    role: z.string(),
    occurred_at: z.string(),
    excerpt: z.string().describe('Around the words of the query; `…` where something is left out.'),
    score: z
      .number()
      .min(0)
      .max(1)
      .describe('Of this mode and this answer only: do not compare it with other answers.'),
    rank: z.int().min(1),
  })
  .meta({ id: 'SourceResult', description: 'A message that a source search found.' });

function view({ excerpt, message, rank, score }: SourceResult): z.input<typeof result> {
  return { ...message, excerpt, score, rank };
}

export const sourceSearchOutput = z.object({
  status: z
    .enum(SOURCE_STATUSES)
    .describe(
      '`ready`: all messages that the reader may read were compared. `stale`: some could not be compared, or an index was away. `empty`: nothing was found. `unavailable`: no message that the reader may read can be compared by meaning. `failed`: the embedder or the index failed.',
    ),
  failure_class: z
    .enum(SOURCE_FAILURE_CLASSES)
    .nullable()
    .describe('Why the search failed, is unavailable, or answered with less.'),
  mode: z.enum(SOURCE_MODES),
  scope_path: z.string(),
  reader_posture: z
    .enum(['peer', 'public_only', 'internal'])
    .describe('On whose behalf the search read. A reader without a peer reads no messages.'),
  results: z.array(result).describe('The best one first.'),
});

export const searchSources = defineOperation({
  id: 'memory.source_search',
  access: 'any_identity',
  effect: 'read',
  summary: 'Search the messages that statements were drawn from',
  description:
    'Finds messages of a scope and its ancestors that the reader said, passed on, or was present at: what search does not know yet, or was never drawn into a statement. Messages are shown as they were received and were judged by nobody. A failure of a provider or an index is a status, never an error.',
  refusals: ['forbidden', 'unknown_peer'],
  input: z
    .object({
      query: queryField,
      scope_path: readScopeField,
      mode: modeField,
      limit: limitField,
      excerpt_chars: boundedField({
        least: 80,
        most: 2_000,
        unless: 480,
        what: 'The most characters of an excerpt, as people count them.',
      }),
      peer_key: readerField,
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
    const read = await authoriseRead(context, {
      scopePath: input.scope_path,
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
      excerptChars: input.excerpt_chars,
      traceId: context.traceId,
      signal: context.signal,
    });
    return {
      status,
      failure_class: failureClass,
      mode: input.mode,
      scope_path: read.scopePath,
      reader_posture: read.posture,
      results: results.map(view),
    };
  },
});
