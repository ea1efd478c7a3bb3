/** Builds what the observation operations need, on the pool of the process. */
import { waitUntilSettled } from '../../operations/observations/settlement-waiter.ts';
import type { ObservationServices } from '../../operations/observations/ports.ts';
import { withRefusals } from '../../stores/postgres/errors.ts';
import { readKnowledge } from '../../stores/postgres/knowledge-rows.store.ts';
import {
  readObservationStatus,
  readSettled,
  recordObservation,
  type RecordedObservation,
} from '../../stores/postgres/messages.store.ts';
import { withAccount, type Queryable } from '../../stores/postgres/pool.ts';
import { inRounds } from '../../stores/postgres/rounds.ts';

/** Told of every observation that was sent and what was made of it. Must not throw. */
export type OnRecorded = (outcome: RecordedObservation['outcome']) => void;

export interface ObservationDependencies {
  readonly db: Queryable;
  readonly doorbell: Pick<ObservationServices, 'ring'>;
  readonly onRecorded?: OnRecorded | undefined;
}

export function buildObservationServices(
  dependencies: ObservationDependencies,
): ObservationServices {
  const { db, doorbell, onRecorded } = dependencies;
  // All waiting requests of an account ask together.
  const isSettled = inRounds<string, boolean>(async (accountId, messageIds) => {
    const settled = new Set(await withAccount(db, accountId, (tx) => readSettled(tx, messageIds)));
    return messageIds.map((id) => settled.has(id));
  });
  return {
    async record(observation) {
      const recorded = await withRefusals(() => recordObservation(db, observation));
      onRecorded?.(recorded.outcome);
      return recorded;
    },
    ring: (mailbox) => doorbell.ring(mailbox),
    readStatus: (accountId, messageId, reader) =>
      withRefusals(() =>
        withAccount(db, accountId, (tx) => readObservationStatus(tx, messageId, reader)),
      ),
    readKnowledge: (accountId, read) =>
      withRefusals(() => withAccount(db, accountId, (tx) => readKnowledge(tx, read))),
    waitUntilSettled: (accountId, messageId, waitMs, signal) =>
      withRefusals(() => waitUntilSettled(() => isSettled(accountId, messageId), waitMs, signal)),
  };
}
