/** How a process records observations and waits for them. */
import type { Environment } from '../../operations/environment/environment.ts';
import { isLockHeld, isRefusedByDatabase, toRefusal } from '../../stores/postgres/errors.ts';
import { createGroupCommit, type Settled } from '../../stores/postgres/group-commit.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';
import {
  recordObservations,
  type NewObservation,
  type RecordedObservation,
} from '../../stores/postgres/observations/observations.store.ts';
import { inTurn, type Queryable } from '../../stores/postgres/pool.ts';
import { inOneTrip } from '../../stores/postgres/one-trip.ts';
import type { Settlements } from '../../stores/postgres/observations/settlements.ts';
import type { OnRecorded } from '../telemetry/observation-metrics.ts';

type Observing = Pick<Environment, 'recordObservations' | 'isSettled' | 'nextSettlement'>;

/** Observations of one transaction, which holds locks of their sessions meanwhile. */
const MOST_OBSERVATIONS_OF_A_GROUP = 64;
const MOST_BYTES_OF_A_GROUP = 4 * 1_048_576;
/** How long an observation waits for others while a group is under way, in milliseconds. */
const LONGEST_WAIT_FOR_A_GROUP_MS = 2;
/**
 * How long a group waits for a lock, in milliseconds. After that only the observations that need the lock wait for it.
 */
const LONGEST_LOCK_WAIT_OF_A_GROUP_MS = 50;

/** Observations of one call are written in their order, group by group. */
function createRecording(db: Queryable): Environment['recordObservations'] {
  const commit = createGroupCommit<NewObservation, RecordedObservation>({
    run: (accountId, observations, lockWaitMs) =>
      recordObservations(db, accountId, observations, lockWaitMs),
    bytesOf: ({ content }) => Buffer.byteLength(content, 'utf8'),
    isOfItem: isRefusedByDatabase,
    isHeld: isLockHeld,
    inTurn: (accountId, work) => inTurn(db, accountId, work),
    mostItems: MOST_OBSERVATIONS_OF_A_GROUP,
    mostBytes: MOST_BYTES_OF_A_GROUP,
    waitMs: LONGEST_WAIT_FOR_A_GROUP_MS,
    lockWaitMs: LONGEST_LOCK_WAIT_OF_A_GROUP_MS,
  });
  return async (accountId, observations) => {
    const outcomes: Settled<RecordedObservation>[] = [];
    while (outcomes.length < observations.length) {
      const end = outcomes.length + MOST_OBSERVATIONS_OF_A_GROUP;
      const settled = await commit(accountId, observations.slice(outcomes.length, end));
      outcomes.push(...settled);
    }
    return outcomes;
  };
}

export function buildObserving(
  db: Queryable,
  inAccount: InAccount,
  settlements: Pick<Settlements, 'next'>,
  onRecorded?: OnRecorded,
): Observing {
  const record = createRecording(db);
  return {
    async recordObservations(accountId, observations) {
      const outcomes = await record(accountId, observations);
      return outcomes.map((outcome) => {
        if (outcome.status === 'rejected') {
          return { ...outcome, reason: toRefusal(outcome.reason) ?? outcome.reason };
        }
        onRecorded?.(outcome.value.outcome);
        return outcome;
      });
    },
    nextSettlement: (...waiting) => settlements.next(...waiting),
    // One query asks for all waiting requests of an account.
    isSettled: inOneTrip<string, boolean>(async (accountId, messageIds) => {
      const settled = new Set(
        await inAccount(accountId, (stores) => stores.messages.settled(messageIds)),
      );
      return messageIds.map((id) => settled.has(id));
    }),
  };
}
