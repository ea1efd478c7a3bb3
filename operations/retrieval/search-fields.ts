/** The input fields of a search beside its query. */
import { z } from 'zod';
import { NO_SOURCE_FILTERS } from '../../domain/retrieval/source-filters.ts';
import { PROFILES } from '../../domain/retrieval/strategies.ts';
import { sessionField } from '../questions/pending.ts';
import { flagField, instantField, limitField, readerField } from '../fields/read.ts';
import { readScopesFields } from '../fields/read-scopes.ts';

/** Names of providers, models and versions have fewer characters. */
const LONGEST_FILTER_CHARS = 256;

const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? null)
  .refine((text) => text === null || text.length <= LONGEST_FILTER_CHARS, {
    message: `must have at most ${LONGEST_FILTER_CHARS} characters`,
  });

const sourceFilters = z
  .object({
    provider: optionalText,
    model: optionalText,
    pipeline_version: optionalText,
    minimum_corroboration: z
      .int()
      .nullish()
      .transform((count) => count ?? null),
    source_message_id: z
      .uuid()
      .nullish()
      .transform((id) => id ?? null),
    source_document_id: z
      .uuid()
      .nullish()
      .transform((id) => id ?? null),
  })
  .nullish()
  .transform((filters) =>
    filters === null || filters === undefined
      ? NO_SOURCE_FILTERS
      : {
          ...NO_SOURCE_FILTERS,
          provider: filters.provider,
          model: filters.model,
          pipelineVersion: filters.pipeline_version,
          minimumCorroboration: filters.minimum_corroboration,
          sourceMessageId: filters.source_message_id,
          sourceDocumentId: filters.source_document_id,
        },
  )
  .meta({
    description:
      'The search ranks only candidates that meet all of these conditions. Only chunks of documents can meet `source_document_id`, and only statements the others.',
  });

/** What every search takes beside its query; an answer built on a search takes it too. */
export const searchFields = {
  ...readScopesFields,
  peer_key: readerField,
  profile: z
    .enum(PROFILES)
    .nullish()
    .transform((profile) => profile ?? 'balanced')
    .meta({
      description:
        'How much time the search has: `fast` 100 ms, `balanced` 300 ms, `thorough` 1.5 s with a reranker. An operator may set other values for a scope (`profile_override` of the answer). `minimal` is an experiment that operators switch on.',
      wire: { default: 'balanced' },
    }),
  limit: limitField,
  session_id: sessionField,
  include_cross_links: flagField.meta({
    description:
      'Also searches the scopes that are linked to a scope of the chain, if the caller may read both ends of the link.',
    wire: { default: false },
  }),
  as_of: instantField,
  min_score: z
    .number()
    .nullish()
    .transform((score) => score ?? null)
    .refine((score) => score === null || (score >= 0 && score <= 1), {
      message: 'must be from 0 to 1',
    })
    .meta({
      description:
        'The search drops hits of a strategy that have a lower score, before it fuses the strategies. 0 to 1: for words the share of the weight of the query that a text contains, for meanings the cosine.',
    }),
  source_filters: sourceFilters,
  deadline: z
    .literal('disabled')
    .nullish()
    .transform((word) => word ?? null)
    .meta({
      description: 'Removes the time limit of the profile. Only account administrators may use it.',
    }),
  include_identity_profile: flagField.meta({
    description:
      'Adds the stable profile of the reader to the answer. It does not change the ranking.',
    wire: { default: false },
  }),
  strategies: z
    .unknown()
    .optional()
    .meta({
      description: 'Not supported. The service refuses the field.',
      wire: { type: 'null' },
    }),
};
