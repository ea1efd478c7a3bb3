/** A dirty mark as it is read. */
import { z } from 'zod';

export const dirtyMark = z.object({
  engine: z.enum(['qdrant', 'meilisearch']),
  unit: z.enum(['message', 'statement']),
  unit_id: z.string(),
  generation: z.number(),
});
export type DirtyMark = z.infer<typeof dirtyMark>;
