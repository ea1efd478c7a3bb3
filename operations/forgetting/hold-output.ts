/** Requests to forget as curators are shown them. */
import { z } from 'zod';
import { HOLD_KINDS, HOLD_STATES } from '../../domain/forgetting/holds.ts';
import type { FoundHold } from '../../stores/postgres/forgetting/holds.store.ts';

export const holdOutput = z
  .object({
    id: z.uuid(),
    version: z.int(),
    kind: z
      .enum(HOLD_KINDS)
      .describe(
        '`own`: the values are those of who asks. `others`: they are not, or the request names none.',
      ),
    state: z.enum(HOLD_STATES),
    is_acting: z.boolean().describe('Whether nobody but who said them is shown the values now.'),
    scope_path: z.string().describe('It holds at this scope and below.'),
    requester_peer_key: z
      .string()
      .nullable()
      .describe('Who asked. Null once the person is erased.'),
    value_count: z.int().describe('The values that the request names.'),
    opened_at: z.string(),
    due_at: z
      .string()
      .describe('When a curator should have decided. Nothing happens by itself then.'),
    is_overdue: z.boolean(),
    decided_at: z.string().nullable(),
  })
  .meta({ id: 'ForgetHold', description: 'A request to forget, and what became of it.' });

export function shownHold(hold: FoundHold): z.input<typeof holdOutput> {
  const { requester_id: _, requester_key: key, ...shown } = hold;
  return { ...shown, requester_peer_key: key };
}
