/** The common form of the conversations of every set: messages in order, each with its session and time. */
import { z } from 'zod';
import type { Turn } from './conversation-file.ts';

export const message = z.object({
  dia_id: z.string(),
  session_id: z.string(),
  speaker: z.string(),
  occurred_at: z.iso.datetime({ offset: true }),
  content: z.string(),
});

/** `role` where the set names one. */
interface Conversation {
  readonly messages: readonly (z.output<typeof message> & { readonly role?: string })[];
}

/** The messages in the form in which they are sent to the service. */
export function turnsOf({ messages }: Conversation): Turn[] {
  return messages.map(({ session_id, speaker, role, occurred_at, content }) => ({
    sessionId: session_id,
    speaker,
    ...(role === undefined ? {} : { role }),
    occurredAt: occurred_at,
    content,
  }));
}
