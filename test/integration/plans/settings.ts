/** How large the seed is, and where the page about its plans goes; set for `npm run bench:plans`. */
import { z } from 'zod';

const shape = z.object({
  VOUCH_PLANS_MESSAGES: z.coerce.number().int().min(10_000).max(1_000_000).default(40_000),
  VOUCH_PLANS_REPORT: z.string().min(1).optional(),
});

export interface PlansSettings {
  /** Messages, and as many statements; a tenth as many scopes and peers. */
  readonly messages: number;
  readonly reportFile: string | undefined;
}

export function plansSettings(): PlansSettings {
  // oxlint-disable-next-line node/no-process-env
  const given = shape.parse(process.env);
  return { messages: given.VOUCH_PLANS_MESSAGES, reportFile: given.VOUCH_PLANS_REPORT };
}
