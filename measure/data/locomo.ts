/** LoCoMo's two-person conversations: turns, the facts that people noted from them, and questions with answers. */
import { z } from 'zod';
import { message } from './conversation.ts';
import { readEach } from './folder.ts';

const conversation = z.object({
  conversation_id: z.string(),
  messages: z.array(message),
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

/** The conversations in the order of their file names, or null where there is no such folder. */
export function readLocomo(dataFolder: string): LocomoConversation[] | null {
  return readEach(dataFolder, 'locomo', conversation);
}
