/** Works through the observations of one mailbox of an account: `ingest/<account>/<shard>`. */
import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { IngestActivities } from '../../activities/contracts.ts';
import type { DrainTotals } from '../../domain/actors/mailbox-actor.ts';
import { drainOptions } from '../lanes.ts';
import { runMailboxActor } from '../mailbox/mailbox-actor.ts';
import type { MailboxActorStart } from '../mailbox/messages.ts';
import { ring } from './messages.ts';

export async function ingestActor(start: MailboxActorStart): Promise<DrainTotals> {
  const options = drainOptions('ingest');
  const { drainMailbox } = proxyActivities<IngestActivities>(options);
  const end = await runMailboxActor(start, {
    ring,
    drain: (input, summary) => drainMailbox.executeWithOptions({ ...options, summary }, [input]),
  });
  if (end.closed) return end.totals;
  return continueAsNew<typeof ingestActor>({ ...start, carried: end.carried });
}
