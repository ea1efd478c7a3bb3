/**
 * Sends observations in waves of one size. A wave is sent as fast as it is accepted and is over when its last
 * observation is completed. So every wave begins and ends with the same sessions at work, and the last wave can be
 * compared with the first.
 */
import { sendObservations } from './http-load.ts';
import type { LoadObservation } from './observations.ts';
import { untilDone, untilNothingIsMarked } from './searchable.ts';
import type { LoadedStack } from './stack.ts';

const CLIENTS = 16;

/** Sends waves of observations into one scope of its own. */
export interface Waves {
  /** Sends `amount` observations; answers how many were completed a second. The wait for the indexes is not counted. */
  wave(amount: number): Promise<number>;
}

/** `observation` makes the observation of each number, from 0 on; all go into the scope of the run. */
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
      // Ids grow with time: the first id of the wave saves counting the observations before it.
      const { rows } = await stack.admin.query<{ id: string }>('select uuidv7() as id');
      await sendObservations(stack, next, { clients: CLIENTS, amount });
      await untilDone(stack.admin, scope, amount, rows[0]?.id);
      const seconds = (performance.now() - startedAt) / 1_000;
      await untilNothingIsMarked(stack.admin);
      return amount / seconds;
    },
  };
}
