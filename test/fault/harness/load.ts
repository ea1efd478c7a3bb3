/**
 * Sends observations as agents do: each session in its order, one after the other was answered, every one with
 * an Idempotency-Key of its own and again with the same key until it is answered. No answer, and 503, mean
 * again; any other answer but 202 is a defect and ends the load.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createSemaphore } from '../../../engine/semaphore.ts';
import { nameOf, type Observation } from './input.ts';

export interface LoadOptions {
  readonly observations: readonly Observation[];
  readonly target: { readonly baseUrl: string; readonly apiKey: string };
  /** Observations that become due in a second; null sends as fast as the service answers. */
  readonly perSecond: number | null;
  /** How many may be sent by now; a load that is ahead of what it accompanies waits. */
  readonly allowed?: () => number;
  /** Ends the load. */
  readonly signal: AbortSignal;
}

export interface Load {
  /** Observations that were answered with 202. */
  accepted(): number;
  /** Requests that were sent again. */
  repeats(): number;
  /** Settles when all are answered: message ids by the observation's number. */
  readonly done: Promise<ReadonlyMap<number, string>>;
}

const IN_FLIGHT = 32;
const ANSWER_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 20;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

const accepted = z.object({ data: z.object({ message_id: z.uuid() }) });

/** The id of the message; null when there was no answer, or one that asks to come again. */
async function attempt(options: LoadOptions, observation: Observation): Promise<string | null> {
  const { target, signal } = options;
  const { number, sessionId, scopePath, speaker, role, occurredAt, content } = observation;
  let status: number;
  let body: string;
  try {
    const response = await fetch(`${target.baseUrl}/api/v1/ingest`, {
      method: 'POST',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
      headers: {
        authorization: `Bearer ${target.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': `observation-${number}`,
      },
      body: JSON.stringify({
        session_id: sessionId,
        scope_path: scopePath,
        peer_key: speaker,
        peer_name: nameOf(speaker),
        role,
        occurred_at: occurredAt,
        content,
      }),
    });
    status = response.status;
    body = await response.text();
  } catch {
    signal.throwIfAborted();
    return null;
  }
  if (status === 503) return null;
  if (status !== 202) throw new Error(`observation ${number} was answered with ${status}: ${body}`);
  return accepted.parse(JSON.parse(body)).data.message_id;
}

/** Starts sending. */
export function startLoad(options: LoadOptions): Load {
  const startedAt = performance.now();
  const inTurn = createSemaphore(IN_FLIGHT);
  const ids = new Map<number, string>();
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  let repeats = 0;

  const send = async (observation: Observation): Promise<void> => {
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      const id = await inTurn.run(signal, () => attempt({ ...options, signal }, observation));
      if (id !== null) {
        ids.set(observation.number, id);
        return;
      }
      repeats += 1;
      await sleep(pauseMs, undefined, { signal });
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    }
  };

  const sendSession = async (session: readonly Observation[]): Promise<void> => {
    for (const observation of session) {
      if (options.perSecond !== null) {
        const dueAt = startedAt + (observation.number / options.perSecond) * 1_000;
        await sleep(Math.max(0, dueAt - performance.now()), undefined, { signal });
      }
      while (observation.number >= (options.allowed?.() ?? Number.POSITIVE_INFINITY)) {
        await sleep(LOOK_EVERY_MS, undefined, { signal });
      }
      await send(observation);
    }
  };

  const sendAll = async (): Promise<ReadonlyMap<number, string>> => {
    const sessions = Map.groupBy(options.observations, ({ sessionId }) => sessionId);
    try {
      await Promise.all([...sessions.values()].map(sendSession));
    } catch (error) {
      failed.abort(error);
      throw error;
    }
    return ids;
  };

  const done = sendAll();
  // A caller that awaits `done` sees the failure; until then it is no unhandled rejection.
  done.catch(() => undefined);
  return { accepted: () => ids.size, repeats: () => repeats, done };
}
