/**
 * Runs the gates again over the waiting statements of an account after its rules changed, page by page. Every page
 * decides and writes like a commit of extractions, with the same functions and under the same locks.
 */
import type { Mailbox } from '../../domain/actors/names.ts';
import {
  eligibleForRegate,
  type RegatePageInput,
  type RegatePageReport,
} from '../../domain/governance/regate.ts';
import { planRegate } from '../../domain/knowledge/planning.ts';
import type { CommitWork } from '../../stores/postgres/knowledge/commit.store.ts';
import type { RegateState, RegateStore } from '../../stores/postgres/knowledge/regate.store.ts';
import { planContext } from './context.ts';
import { commitRows } from './rows.ts';

export interface RegateDeps {
  readonly store: RegateStore;
  readonly newId: () => string;
  /** Called after a commit that changed something the indexes show. */
  readonly ring: (mailbox: Mailbox) => void;
}

export interface Regate {
  /** One page in one transaction. Throws what the store throws; nothing is written then. */
  page(input: RegatePageInput): Promise<RegatePageReport>;
}

const PAGE_ROWS = 200;
/** Dirty marks that exist stay in their mailbox; the few new ones of this rare work need no spreading over shards. */
const SHARD = 0;

function work(deps: RegateDeps, state: RegateState): CommitWork {
  const plan = planRegate(
    eligibleForRegate(state.waiting, state.statements, state.now),
    state.statements,
    planContext(state.scopes, state, deps.newId),
  );
  return commitRows(plan, [], {
    shard: SHARD,
    now: state.now,
    newId: deps.newId,
    batchOf: () => null,
  });
}

/** The regate over `deps.store`. `pageRows` is the most statements of one transaction. */
export function createRegate(deps: RegateDeps, pageRows = PAGE_ROWS): Regate {
  return {
    async page(input) {
      const { accountId } = input;
      let placed = 0;
      let changed = 0;
      const { rows, nextAfterId } = await deps.store.page(
        { ...input, limit: pageRows },
        (state) => {
          const decided = work(deps, state);
          const { updated } = decided.writes;
          changed = updated.length;
          placed = updated.filter((row) => row['state'] === 'active').length;
          return decided;
        },
      );
      if (changed > 0) deps.ring({ accountId, kind: 'projection', shard: SHARD });
      return { rows, placed, nextAfterId };
    },
  };
}
