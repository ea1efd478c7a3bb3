/** Keeps the indexes up to date with the changes of one mailbox: `projection/<account>/<shard>`. */
import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { ProjectionActivities } from '../../activities/contracts.ts';
import type { DrainTotals } from '../../domain/actors/mailbox-actor.ts';
import { drainOptions } from '../lanes.ts';
import { runMailboxActor } from '../mailbox/mailbox-actor.ts';
import type { MailboxActorStart } from '../mailbox/messages.ts';
import { dirty } from './messages.ts';

export async function projectionActor(start: MailboxActorStart): Promise<DrainTotals> {
  const options = drainOptions('projection');
  const { refreshIndexes } = proxyActivities<ProjectionActivities>(options);
  const end = await runMailboxActor(start, {
    ring: dirty,
    drain: (input, summary) => refreshIndexes.executeWithOptions({ ...options, summary }, [input]),
  });
  if (end.closed) return end.totals;
  return continueAsNew<typeof projectionActor>({ ...start, carried: end.carried });
}
