/** How a process records observations and waits for them. */
import type { Environment } from '../../operations/environment.ts';
import { withRefusals } from '../../stores/postgres/errors.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';
import { recordObservation } from '../../stores/postgres/messages.store.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import { inRounds } from '../../stores/postgres/rounds.ts';
import type { OnRecorded } from '../telemetry/observation-metrics.ts';

type Observing = Pick<Environment, 'recordObservation' | 'isSettled'>;

export function buildObserving(
  db: Queryable,
  inAccount: InAccount,
  onRecorded?: OnRecorded,
): Observing {
  return {
    async recordObservation(observation) {
      const recorded = await withRefusals(() => recordObservation(db, observation));
      onRecorded?.(recorded.outcome);
      return recorded;
    },
    // One query asks for all waiting requests of an account.
    isSettled: inRounds<string, boolean>(async (accountId, messageIds) => {
      const settled = new Set(
        await inAccount(accountId, (stores) => stores.messages.settled(messageIds)),
      );
      return messageIds.map((id) => settled.has(id));
    }),
  };
}
