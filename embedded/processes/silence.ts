/** Watches a running server that may come to a state in which it answers nothing, and which only a new start ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { causeText } from '../errors.ts';
import type { Say } from '../names.ts';
import type { RunningServer, ServerSpec } from './server-process.ts';

const ASK_EVERY_MS = 5_000;
/** Long: a busy machine makes a server slow, and a slow answer is an answer. */
const ANSWER_WITHIN_MS = 10_000;
/** So many questions in a row without an answer: a minute where it refuses, three where it is silent. */
const MOST_UNANSWERED = 12;

export interface Watched {
  readonly spec: ServerSpec;
  readonly server: RunningServer;
  /** Ends the server. */
  readonly end: (server: RunningServer) => Promise<void>;
  /** Ends the watching, not the server. */
  readonly stopping: AbortSignal;
}

/** Waits until the server has ended, by itself or because it answered nothing more; answers why. */
export async function untilEnded(
  { spec, server, end, stopping }: Watched,
  { say, askEveryMs }: { readonly say: Say; readonly askEveryMs?: number },
): Promise<string> {
  if (spec.startsAgainWhenSilent !== true) return server.ended;
  const ended = new AbortController();
  const byItself = server.ended.then(() => ended.abort());
  const over = AbortSignal.any([stopping, ended.signal]);
  const silence = await Promise.race([byItself, untilSilent(spec, over, askEveryMs)]);
  if (silence === undefined) return server.ended;
  await end(server).catch((error: unknown) => say(causeText(error)));
  await server.ended;
  return silence;
}

/** Resolves when the server left so many questions in a row unanswered; never once the watching is over. */
async function untilSilent(
  spec: ServerSpec,
  over: AbortSignal,
  askEveryMs = ASK_EVERY_MS,
): Promise<string> {
  const never = Promise.withResolvers<string>().promise;
  let unanswered = 0;
  while (unanswered < MOST_UNANSWERED) {
    await sleep(askEveryMs, undefined, { signal: over, ref: false }).catch(() => undefined);
    if (over.aborted) return never;
    const within = AbortSignal.any([over, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
    const isReady = await spec.isReady(within).catch(() => false);
    unanswered = isReady ? 0 : unanswered + 1;
  }
  return `it left ${MOST_UNANSWERED} questions in a row unanswered`;
}
