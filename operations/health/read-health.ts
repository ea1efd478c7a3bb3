/** Liveness and contract identity. Touches no database and no queue. */
import { z } from 'zod';
import { APP_NAME, PIPELINE_IDENTITY } from '../../domain/identities.ts';
import { defineOperation } from '../operation.ts';

export const readHealth = defineOperation({
  id: 'health.read',
  access: 'public',
  effect: 'read',
  summary: 'Check that the process is alive',
  description:
    'The check uses no database and no queue. Containers and load balancers should use it.',
  input: z.object({}),
  output: z.object({
    status: z.literal('ok'),
    app: z.string(),
    version: z
      .literal(PIPELINE_IDENTITY)
      .describe('The identity of extractor and pipeline, not the version of the application.'),
    campaign_admission: z.object({ active: z.literal(false), status: z.literal('inactive') }),
  }),
  run: async () => ({
    status: 'ok' as const,
    app: APP_NAME,
    version: PIPELINE_IDENTITY,
    campaign_admission: { active: false as const, status: 'inactive' as const },
  }),
});
