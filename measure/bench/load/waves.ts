/**
 * Observations in waves of one size: a wave is sent as fast as it is accepted and is over when the last of it is
 * completed, so that every wave begins and ends with the same sessions at work and the last one can be held
 * against the first.
 */
import { sendObservations } from './http-load.ts';
import type { LoadObservation } from './observations.ts';
import { untilDone, untilNothingIsMarked } from './searchable.ts';
import type { LoadedStack } from './stack.ts';

const CLIENTS = 16;

/** A source of observations below one scope of its own. */
export interface Waves {
  /** Completed a second, of `amount` more. Whatever waits for the search engines is waited for afterwards. */
  wave(amount: number): Promise<number>;
}

/** `observation` is asked for the number of each, from 0 on; its scope is that of the run. */
export function createWaves(
  stack: LoadedStack,
  run: string,
  observation: (number: number) => Omit<LoadObservation, 'scope_path'>,
): Waves {
  const scope = `/bench/${run}`;
  let sent = 0;
  return {
    async wave(amount) {
      const startedAt = performance.now();
      const next = (): LoadObservation => ({ ...observation(sent++), scope_path: scope });
      // Ids grow with time, and counting what is older would be work of its own.
      const { rows } = await stack.admin.query<{ id: string }>('select uuidv7() as id');
      await sendObservations(stack, next, { clients: CLIENTS, amount });
      await untilDone(stack.admin, scope, amount, rows[0]?.id);
      const seconds = (performance.now() - startedAt) / 1_000;
      await untilNothingIsMarked(stack.admin);
      return amount / seconds;
    },
  };
}
