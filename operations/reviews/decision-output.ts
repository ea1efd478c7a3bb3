/** A decision of the gates as answers show it. */
import { z } from 'zod';
import { GOVERNANCE_IDENTITY } from '../../domain/identities.ts';
import { TARGET_LEVELS } from '../../domain/statements/candidate.ts';
import { KNOWLEDGE_STATES } from '../../domain/statements/states.ts';

export const decisionOutput = z.object({
  record_version: z.literal(GOVERNANCE_IDENTITY),
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

/** A decision with the version of its form, as everybody who parses it needs it. */
export function versioned<Decision>(
  decision: Decision,
): Decision & { readonly record_version: typeof GOVERNANCE_IDENTITY } {
  return { ...decision, record_version: GOVERNANCE_IDENTITY };
}
