/** BEAM's long chats of a person with an assistant; single messages reach hundreds of kilobytes. */
import { z } from 'zod';
import { message } from './conversation.ts';
import { readEach } from './folder.ts';

const conversation = z.object({
  conversation_id: z.string(),
  messages: z.array(message.extend({ role: z.string() })),
});
export type BeamConversation = z.infer<typeof conversation>;

export function readBeam(dataFolder: string): BeamConversation[] | null {
  return readEach(dataFolder, 'beam', conversation);
}
