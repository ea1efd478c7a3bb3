/** LoCoMo's two-person conversations: turns, the facts that people noted of them, and questions with answers. */
import { z } from 'zod';
import type { Turn } from '../../bench/conversation-file.ts';
import { readEach } from './folder.ts';

const conversation = z.object({
  conversation_id: z.string(),
  messages: z.array(
    z.object({
      dia_id: z.string(),
      session_id: z.string(),
      speaker: z.string(),
      occurred_at: z.iso.datetime({ offset: true }),
      content: z.string(),
    }),
  ),
  observations: z.array(
    z.object({ speaker: z.string(), text: z.string(), evidence: z.array(z.string()) }),
  ),
  questions: z.array(
    z.object({
      question: z.string(),
      answer: z.union([z.string(), z.number()]).nullish(),
      category: z.number(),
      evidence: z.array(z.string()),
    }),
  ),
});
export type LocomoConversation = z.infer<typeof conversation>;

/** The conversations by name of their file, or null where there is no such folder. */
export function readLocomo(dataFolder: string): LocomoConversation[] | null {
  return readEach(dataFolder, 'locomo', conversation);
}

export function turnsOf({ messages }: LocomoConversation): Turn[] {
  return messages.map(({ session_id, speaker, occurred_at, content }) => ({
    sessionId: session_id,
    speaker,
    occurredAt: occurred_at,
    content,
  }));
}
