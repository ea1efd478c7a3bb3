/** Sends one observation; a refusal is a result and not an error. */
import { z } from 'zod';
import type { Access } from '../../bench/client.ts';

const accepted = z.object({ data: z.object({ message_id: z.uuid() }) });
const WITHIN_MS = 60_000;

/** Sends an observation; answers the status of the response, and the message id when it was accepted. */
export type AcceptContent = (
  scopePath: string,
  content: string,
) => Promise<{ readonly status: number; readonly messageId: string | null }>;

export function contentAcceptor({ baseUrl, apiKey }: Access): AcceptContent {
  return async (scopePath, content) => {
    const response = await fetch(`${baseUrl}/api/v1/ingest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        session_id: 'sizes',
        scope_path: scopePath,
        peer_key: 'ada',
        content,
      }),
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    const body: unknown = await response.json();
    const messageId = response.ok ? accepted.parse(body).data.message_id : null;
    return { status: response.status, messageId };
  };
}
