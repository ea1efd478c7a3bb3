/** What becomes of a contest that nobody decides: it is escalated once, and then decided for the subject. */
import type { Mailbox } from '../../domain/actors/names.ts';
import { CONTEST_DUE_HOURS } from '../../domain/governance/items.ts';
import type { RunRef } from '../../domain/pipeline/run-kinds.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';
import type { ItemRow } from '../../stores/postgres/knowledge/reviews.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { DESK_SHARD, openItemOf, ruleOn } from './ruling.ts';

export interface Contests {
  /** One look, in one transaction; may be repeated. Milliseconds until the next one; null when the contest is over. */
  judge(run: RunRef): Promise<{ readonly nextDueInMs: number | null }>;
}

async function leaveUnanswered(stores: Stores, item: ItemRow): Promise<boolean> {
  const found = await stores.desk.find(item.knowledge_id);
  if (found === null) return false;
  const state = await stores.desk.lock(found);
  if (state === null) return false;
  // A decision may have come before the lock.
  const now = await stores.reviews.find(item.id);
  if (now === null || now.decided_at !== null) return false;
  const ruling = { action: 'leave_unanswered', item: openItemOf(now) } as const;
  const { result, work } = ruleOn(state, item.knowledge_id, ruling, null);
  if (result.outcome !== 'ruled') return false;
  await stores.desk.write(work);
  return true;
}

/** `inAccount` runs the transactions; `ring` is called after a commit that the indexes must hear of. */
export function createContests(inAccount: InAccount, ring: (mailbox: Mailbox) => void): Contests {
  return {
    async judge({ accountId, runId }) {
      let changed = false;
      const nextDueInMs = await inAccount(accountId, async (stores) => {
        changed = false;
        if (!(await stores.runs.begin(runId, false))) return null;
        const item = await stores.reviews.ofRun(runId);
        if (item === null || item.decided_at !== null) {
          await stores.runs.complete(runId);
          return null;
        }
        if (item.due_in_ms > 0) return item.due_in_ms;
        if (item.escalated_at === null) {
          // An item that ended meanwhile is looked at again at once.
          return (await stores.reviews.escalate(item.id, CONTEST_DUE_HOURS)) ?? 0;
        }
        changed = await leaveUnanswered(stores, item);
        await stores.runs.complete(runId);
        return null;
      });
      if (changed) ring({ accountId, kind: 'projection', shard: DESK_SHARD });
      return { nextDueInMs };
    },
  };
}
