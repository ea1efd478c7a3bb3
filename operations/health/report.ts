/** The readiness payload `f10-1`. */
import { INDEX_STATES } from './configured-models.ts';
import { z } from 'zod';
import { ERROR_CLASSES } from '../../domain/error-class.ts';
import { MODEL_ROLES } from '../../domain/models/roles.ts';
import { READY_IDENTITY } from '../../domain/identities.ts';
import { RUN_KINDS } from '../../domain/pipeline/run-kinds.ts';
import { QUEUES } from './queue-depths.ts';

const head = {
  status: z.enum(['ok', 'error', 'not_applicable']),
  error_class: z.enum(ERROR_CLASSES).optional(),
};
const count = z.number().int().min(0);
const component = z.object(head).meta({ id: 'ComponentState' });

const depths = z.object({
  available: count,
  scheduled: count,
  executing: count,
  retryable: count,
});

const unfinished = z.object({ count, oldest_age_seconds: count });

const role = z.object({
  provider: z.string(),
  model: z.string().nullable(),
  version: z.string().nullable(),
});

/** ISO time, or `never` before the first completion. */
const sweepTime = z.union([z.literal('never'), z.iso.datetime()]);

export const readinessReport = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    app: z.string(),
    version: z.literal(READY_IDENTITY),
    checks: z.object({
      database: component,
      job_queue: component,
      queues: z.object({ ...head, depths: z.partialRecord(z.enum(QUEUES), depths) }),
      lifecycle_sweeps: z.object({
        ...head,
        last_completed_at: z.object({
          revalidation: sweepTime,
          expiry: sweepTime,
          ageing: sweepTime,
          questions: sweepTime,
        }),
        failed_accounts: count
          .nullable()
          .describe('The number of accounts in which the last completed sweep left work undone.'),
        set_aside: count
          .nullable()
          .describe(
            'The number of statements that sweeps set aside after a failure, counted up to 10,000.',
          ),
      }),
      retention: z
        .object({
          ...head,
          last_completed_at: sweepTime,
          late: z
            .boolean()
            .nullable()
            .describe('True if no pass was complete in the last two days.'),
          failed_accounts: count
            .nullable()
            .describe('The number of accounts in which the last completed pass left rows.'),
        })
        .describe(
          'The daily pass that deletes what is kept for a time only. It does not affect the status of the report. Numbers that the service cannot read are null.',
        ),
      model_roles: z.object({ ...head, configured: z.partialRecord(z.enum(MODEL_ROLES), role) }),
      model_calls: z
        .object({
          ...head,
          window_seconds: count,
          attempts: count.nullable(),
          errors: count.nullable(),
          error_rate: z.number().min(0).max(1).nullable(),
          unmetered: count.nullable(),
          error_classes: z.partialRecord(z.enum(ERROR_CLASSES), count),
        })
        .describe(
          'Calls to models in the last 24 hours. They do not affect the status of the report. Numbers that the service cannot read are null.',
        ),
      embedding_index: z.object({
        ...head,
        provider: z.string().nullable(),
        model: z.string().nullable(),
        version: z.string().nullable(),
        configured_dimensions: count.nullable(),
        indexed_dimensions: z.array(count).readonly(),
        index_state: z
          .enum(INDEX_STATES)
          .nullable()
          .describe(
            'Whether searches by meaning have an index of the configured embedder. Until it is ready, searches compare words only.',
          ),
        answered_dimensions: count
          .nullable()
          .describe('The width of the last vectors that the embedder returned.'),
      }),
      search_index: z.object({ ...head, meilisearch: component, qdrant: component }),
      pipeline_runs: z.object({
        ...head,
        unfinished: z.partialRecord(z.enum(RUN_KINDS), unfinished),
      }),
    }),
    governance: z
      .object({
        status: z.enum(['ok', 'error']),
        error_class: z.enum(ERROR_CLASSES).optional(),
        unattended: z.boolean().nullable(),
        pending_human_reviews: count.nullable(),
        restricted_withheld: count.nullable(),
      })
      .describe('For information only. Numbers that the service cannot read are null.'),
  })
  .meta({
    id: 'ReadinessReport',
    description:
      'The state of every component. The report has no content of observations or documents.',
  });

export type ReadinessReport = z.input<typeof readinessReport>;
export type ReadinessChecks = ReadinessReport['checks'];
