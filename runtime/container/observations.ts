/** Builds what the observation operations need, on the pool of the process. */
import { waitUntilSettled } from '../../operations/observations/settlement-waiter.ts';
import type { ObservationServices } from '../../operations/observations/ports.ts';
import { withRefusals } from '../../stores/postgres/errors.ts';
import { readKnowledge } from '../../stores/postgres/knowledge-rows.store.ts';
import {
  readObservationStatus,
  readSettled,
  recordObservation,
} from '../../stores/postgres/messages.store.ts';
import { withAccount, type Queryable } from '../../stores/postgres/pool.ts';
import { inRounds } from '../../stores/postgres/rounds.ts';

export interface ObservationDependencies {
  readonly db: Queryable;
  readonly doorbell: Pick<ObservationServices, 'ring'>;
}

export function buildObservationServices(
  dependencies: ObservationDependencies,
): ObservationServices {
  const { db, doorbell } = dependencies;
  // All waiting requests of an account ask together.
  const isSettled = inRounds<string, boolean>(async (accountId, messageIds) => {
    const settled = new Set(await withAccount(db, accountId, (tx) => readSettled(tx, messageIds)));
    return messageIds.map((id) => settled.has(id));
  });
  return {
    record: (observation) => withRefusals(() => recordObservation(db, observation)),
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
