/** BEAM's long chats of a person with an assistant; single messages reach hundreds of kilobytes. */
import { z } from 'zod';
import { readEach } from './folder.ts';

const conversation = z.object({
  conversation_id: z.string(),
  messages: z.array(
    z.object({
      dia_id: z.string(),
      session_id: z.string(),
      speaker: z.string(),
      role: z.string(),
      occurred_at: z.iso.datetime({ offset: true }),
      content: z.string(),
    }),
  ),
});
export type BeamConversation = z.infer<typeof conversation>;

export function readBeam(dataFolder: string): BeamConversation[] | null {
  return readEach(dataFolder, 'beam', conversation);
}
