/** A dirty mark as it is read. */
import { z } from 'zod';
import { INDEX_NAMES } from '../../domain/retrieval/index-failure.ts';

export const dirtyMark = z.object({
  engine: z.enum(INDEX_NAMES),
  unit: z.enum(['message', 'statement']),
  unit_id: z.string(),
  generation: z.number(),
});
export type DirtyMark = z.infer<typeof dirtyMark>;
