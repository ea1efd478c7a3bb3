/**
 * Sends a whole conversation and waits until all of it is extracted. Sessions are sent side by side, the turns of one
 * session in their order, as agents would send them.
 */
import type { Client, IngestStatus } from './client.ts';
import type { Turn } from '../data/conversation-file.ts';
import { forEachOf, timed } from './timing.ts';

export interface Place {
  readonly scopePath: string;
  /** Begins every session id, so that a run does not continue the sessions of another. */
  readonly sessionPrefix: string;
}

export interface PassOptions {
  readonly place: Place;
  readonly concurrency: number;
  /** The longest time to wait, in milliseconds. */
  readonly patienceMs: number;
  /** The Idempotency-Key of a turn by its position. */
  readonly keyOf?: (index: number) => string;
}

export interface Pass {
  /** In the order of the turns. */
  readonly messageIds: readonly string[];
  readonly statuses: readonly IngestStatus[];
  /** From the first request to the last status. */
  readonly seconds: number;
  /** Milliseconds from request to 202, one a turn. */
  readonly accepts: readonly number[];
}

export function observationOf(turn: Turn, place: Place) {
  return {
    session_id: `${place.sessionPrefix}-${turn.sessionId}`,
    scope_path: place.scopePath,
    peer_key: turn.speaker.toLowerCase(),
    peer_name: turn.speaker,
    ...(turn.role === undefined ? {} : { role: turn.role }),
    occurred_at: turn.occurredAt,
    content: turn.content,
  };
}

function isFinal({ status }: IngestStatus): boolean {
  return status !== 'pending' && status !== 'failed';
}

/** The final status, or the present one when the deadline has passed. */
export async function waitUntilFinal(
  client: Client,
  messageId: string,
  deadline: number,
): Promise<IngestStatus> {
  for (;;) {
    const status = await client.settled(messageId);
    if (isFinal(status) || performance.now() > deadline) return status;
  }
}

/** Sends every turn and waits for all of them. */
export async function runPass(
  client: Client,
  turns: readonly Turn[],
  options: PassOptions,
): Promise<Pass> {
  const startedAt = performance.now();
  const messageIds: string[] = [];
  const accepts: number[] = [];
  const numbered = turns.map((turn, index) => ({ turn, index }));
  const sessions = [...Map.groupBy(numbered, ({ turn }) => turn.sessionId).values()];
  await forEachOf(sessions, options.concurrency, async (session) => {
    for (const { turn, index } of session) {
      const observation = observationOf(turn, options.place);
      const sent = await timed(() => client.ingest(observation, options.keyOf?.(index)));
      messageIds[index] = sent.value;
      accepts.push(sent.ms);
    }
  });
  const deadline = startedAt + options.patienceMs;
  const statuses: IngestStatus[] = [];
  await forEachOf(messageIds, options.concurrency, async (messageId, index) => {
    statuses[index] = await waitUntilFinal(client, messageId, deadline);
  });
  return { messageIds, statuses, accepts, seconds: (performance.now() - startedAt) / 1000 };
}
