/** Builds what the operations on runs need, on the pool of the process and its sweep. */
import { v7 as uuid } from 'uuid';
import type { EnteredRun, RunRequest, RunServices } from '../../operations/runs/ports.ts';
import { recordAudit } from '../../stores/postgres/audit.store.ts';
import { withRefusals } from '../../stores/postgres/errors.ts';
import { claimKey } from '../../stores/postgres/idempotency.store.ts';
import { withAccount, type Queryable } from '../../stores/postgres/pool.ts';
import { enterRun, joinedRun } from '../../stores/postgres/runs.store.ts';
import type { Sweep } from '../actors/sweep.ts';

const ACCEPTED = 202;

async function enter(tx: Queryable, request: RunRequest): Promise<EnteredRun> {
  const { accountId, credentialId, peerId, kind, traceId, idempotency } = request;
  // A run that has not begun will see all that there is to see: a further one would do the same again.
  const joined = await joinedRun(tx, accountId, kind);
  const id = joined ?? uuid();
  if (idempotency !== null) {
    const claim = { accountId, credentialId, ...idempotency, status: ACCEPTED, resourceId: id };
    const claimed = await claimKey(tx, claim);
    if (claimed.outcome === 'conflict') return claimed;
    if (claimed.outcome === 'replayed') return { outcome: 'replayed', runId: claimed.resourceId };
  }
  if (joined === null) await enterRun(tx, accountId, { kind, traceId, id });
  await recordAudit(tx, [
    {
      accountId,
      category: 'lifecycle',
      action: request.action,
      actor: { kind: 'credential', credentialId, peerId },
      resourceType: 'pipeline_run',
      resourceId: id,
    },
  ]);
  return { outcome: 'accepted', runId: id };
}

export function buildRunServices(dependencies: {
  readonly db: Queryable;
  readonly sweep: Pick<Sweep, 'soon'>;
}): RunServices {
  const { db, sweep } = dependencies;
  return {
    enter: (request) =>
      withRefusals(() => withAccount(db, request.accountId, (tx) => enter(tx, request))),
    startSoon: () => sweep.soon(),
  };
}
