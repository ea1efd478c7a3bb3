/** `retention.run`: one pass over all accounts now, beside the daily one, from the command line. */
import { z } from 'zod';
import { RETENTION_KINDS, type RetentionKind } from '../../domain/retention/policy.ts';
import type { RetentionPlace } from '../../domain/retention/policy.ts';
import { defineOperation, type RequestContext } from '../operation.ts';

type PrunedCounts = Record<RetentionKind, number>;

/** Gives an account turns until it is done or the caller has left; answers whether all of it was gone over. */
async function pruneAccount(
  { retention, signal }: RequestContext,
  accountId: string,
  pruned: PrunedCounts,
): Promise<boolean> {
  const onPruned = (kind: RetentionKind, rows: number): void => {
    pruned[kind] += rows;
  };
  let isWhole = true;
  let place: RetentionPlace | null = null;
  do {
    const turn = await retention.turn({ accountId, place, signal, onPruned });
    isWhole &&= turn.failed === 0;
    place = turn.next;
  } while (place !== null && !signal.aborted);
  return isWhole && place === null;
}

/** Deletes what is due now, as the daily pass does. Two passes side by side delete nothing twice. */
export const runRetention = defineOperation({
  id: 'retention.run',
  access: 'operator',
  effect: 'destroy',
  input: z.object({}),
  output: z.object({
    accounts: z.int(),
    /** Accounts that were not gone over to the end. */
    failed: z.int(),
    /** Whether every account was reached. */
    completed: z.boolean(),
    pruned: z.record(z.enum(RETENTION_KINDS), z.int()),
  }),
  async run(context) {
    const { retention, signal } = context;
    const pruned: PrunedCounts = {
      runs: 0,
      attempts: 0,
      usage_days: 0,
      request_days: 0,
      gate_decisions: 0,
      lifecycle_events: 0,
      tokens: 0,
    };
    let [accounts, failed] = [0, 0];
    let afterId: string | null = null;
    while (!signal.aborted) {
      const ids: readonly string[] = await retention.accountsAfter(afterId);
      if (ids.length === 0) {
        await retention.completePass(failed);
        return { accounts, failed, completed: true, pruned };
      }
      for (const accountId of ids) {
        if (signal.aborted) break;
        accounts += 1;
        if (!(await pruneAccount(context, accountId, pruned))) failed += 1;
        afterId = accountId;
      }
      context.progress?.(`${accounts} accounts`);
    }
    return { accounts, failed, completed: false, pruned };
  },
});
