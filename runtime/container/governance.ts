/** The activities of the lane `governance`, on the container's pool and doorbell. */
import { v7 as uuid } from 'uuid';
import { createGovernanceActivities } from '../../activities/governance.ts';
import type { GovernanceActivities } from '../../activities/contracts.ts';
import { createRegate } from '../../engine/knowledge/regate.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import { RegateStore } from '../../stores/postgres/knowledge/regate.store.ts';
import { createInAccount } from '../../stores/postgres/in-account.ts';
import type { Doorbell } from '../actors/doorbell.ts';

export interface GovernanceDependencies {
  readonly db: Queryable;
  readonly doorbell: Pick<Doorbell, 'ring'>;
}

export function buildGovernanceActivities(
  dependencies: GovernanceDependencies,
): GovernanceActivities {
  const { db, doorbell } = dependencies;
  return createGovernanceActivities({
    regate: createRegate({
      store: new RegateStore(db),
      newId: uuid,
      ring: (mailbox) => doorbell.ring(mailbox),
    }),
    inAccount: createInAccount(db),
  });
}
