/**
 * Sends observations at a steady pace, each when it is due, whether or not the earlier ones are answered. A load
 * generator that sends the share of a second at once would measure a queue of its own making. One that waits for
 * answers would hide the delay of the observations that it did not send meanwhile. Latencies run from the moment an
 * observation was due.
 */
import { Agent, request, type ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentiles, type Durations } from '../timing.ts';
import type { LoadObservation } from './observations.ts';
import type { LoadedStack } from './stack.ts';

/** Sends `body` over a kept connection; rejects unless the answer is 202. */
function send(stack: LoadedStack, agent: Agent, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${stack.apiKey}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const asked: ClientRequest = request(
      `${stack.url}/api/v1/ingest`,
      { method: 'POST', agent, headers },
      (answer) => {
        answer.resume();
        answer.once('error', reject);
        answer.once('end', () => {
          if (answer.statusCode === 202) resolve();
          else reject(new Error(`answered ${answer.statusCode}, not 202`));
        });
      },
    );
    asked.once('error', reject);
    asked.end(body);
  });
}

/**
 * `amount` observations at `rate` a second; answers the latencies in milliseconds. Throws the first failure when
 * any answer is not 202.
 */
export async function sendAtPace(
  stack: LoadedStack,
  next: () => LoadObservation,
  { rate, amount }: { readonly rate: number; readonly amount: number },
): Promise<Durations> {
  const agent = new Agent({ keepAlive: true });
  const startedAt = performance.now();
  const latencies: number[] = [];
  const failures: unknown[] = [];
  const sendOne = async (dueAt: number): Promise<void> => {
    try {
      await send(stack, agent, JSON.stringify(next()));
      latencies.push(performance.now() - dueAt);
    } catch (error) {
      failures.push(error);
    }
  };
  const sent: Promise<void>[] = [];
  for (let number = 0; number < amount && failures.length === 0; number += 1) {
    const dueAt = startedAt + (number / rate) * 1_000;
    const early = dueAt - performance.now();
    if (early >= 1) await sleep(early);
    sent.push(sendOne(dueAt));
  }
  await Promise.all(sent);
  agent.destroy();
  if (failures.length > 0) throw failures[0];
  return percentiles(latencies);
}
