/** Reads a two-person conversation in the form of LoCoMo's files: turns in order, with session, speaker and time. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isoInstant } from './spoken-time.ts';

export interface Turn {
  readonly sessionId: string;
  readonly speaker: string;
  /** `user` unless named. */
  readonly role?: string;
  /** ISO 8601 with its zone. */
  readonly occurredAt: string;
  readonly content: string;
}

const file = z.object({
  messages: z
    .array(
      z.object({
        session_id: z.string(),
        speaker: z.string(),
        occurred_at: z.string(),
        content: z.string(),
      }),
    )
    .min(1),
});

/** The turns of a file. Throws when it is no conversation. */
export function readConversation(path: string): readonly Turn[] {
  const parsed = file.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  // The parser's own message is dropped, because it may quote the file.
  if (!parsed.success) throw new Error('the conversation file has no list of messages');
  return parsed.data.messages.map(({ session_id, speaker, occurred_at, content }) => ({
    sessionId: session_id,
    speaker,
    occurredAt: isoInstant(occurred_at),
    content,
  }));
}
