/** Holds the process of the other account and what it has measured so far. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { KINDS, type Sample } from './judge.ts';

const PROGRAM = fileURLToPath(new URL('./bystander-process.ts', import.meta.url));

const heard = z.union([
  z.object({
    sample: z.object({
      kind: z.enum([...KINDS, 'own_clock']),
      startedAt: z.number(),
      ms: z.number(),
      fault: z.string().nullable(),
    }),
  }),
  z.object({ started: z.literal(true) }),
  z.object({ finished: z.int() }),
  z.object({ failed: z.string() }),
]);

export interface Bystander {
  /** Asks while `work` runs; resolves with what was begun until its end, when all of it has been answered. */
  during(work: () => Promise<unknown>): Promise<readonly Sample[]>;
  stop(): void;
}

/**
 * Starts it; resolves when it is ready to measure. `mostOpen` is how many requests of one kind it leaves unanswered
 * before it lets the next moment of that kind pass, and `paceTimes` how many times longer than five to ten in a second
 * its moments are apart.
 */
export async function startBystander(service: {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly mostOpen: number;
  readonly paceTimes: number;
}): Promise<Bystander> {
  const child = fork(PROGRAM, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const samples: Sample[] = [];
  const finishing = new Map<number, () => void>();
  const started = Promise.withResolvers<void>();
  let finishes = 0;
  child.on('message', (message) => {
    const told = heard.parse(message);
    if ('sample' in told) samples.push(told.sample);
    else if ('started' in told) started.resolve();
    else if ('finished' in told) finishing.get(told.finished)?.();
    else started.reject(new Error(`the bystander failed: ${told.failed}`));
  });
  child.once('exit', () => started.reject(new Error('the bystander ended')));
  child.send({ say: 'start', ...service });
  await started.promise;
  return {
    async during(work) {
      const from = Date.now();
      child.send({ say: 'begin' });
      await work();
      const to = Date.now();
      const { promise, resolve } = Promise.withResolvers<void>();
      const number = ++finishes;
      finishing.set(number, resolve);
      child.send({ say: 'finish', number });
      await promise;
      return samples.filter(({ startedAt }) => startedAt >= from && startedAt < to);
    },
    stop: () => void child.kill(),
  };
}
