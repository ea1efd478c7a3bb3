/** A decision of the gates as answers show it. */
import { z } from 'zod';
import { TARGET_LEVELS } from '../../domain/statements/candidate.ts';
import { KNOWLEDGE_STATES } from '../../domain/statements/states.ts';

export const decisionOutput = z.object({
  gate: z.string(),
  decision: z.string(),
  reason: z.string(),
  channel: z.string(),
  from_state: z.enum(KNOWLEDGE_STATES).nullable(),
  to_state: z.enum(KNOWLEDGE_STATES),
  from_level: z.enum(TARGET_LEVELS),
  to_level: z.enum(TARGET_LEVELS),
  decided_at: z.iso.datetime(),
});
