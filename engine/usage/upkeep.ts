/**
 * Keeps the sums of what accounts used: writes what this process has counted, and folds the entries of all accounts into
 * the rows of their days. Every process may do so; of one account one does at a time.
 */
import type { UsageRollupStore } from '../../stores/postgres/models/usage-rollup.store.ts';
import { eachOf } from '../async.ts';
import type { UsageCounts } from './counts.ts';

export interface UsageUpkeepOptions {
  readonly store: UsageRollupStore;
  readonly counts: UsageCounts;
  /** Told of each account that failed. Its counts are kept, and its entries stay, until the next pass. */
  readonly onFailure: (error: unknown) => void;
}

export interface UsageUpkeep {
  /** Writes what was counted since the last time. Never throws. */
  flush(): Promise<void>;
  /** Folds what waits, in all accounts. Throws only when the accounts cannot be asked for. */
  fold(signal: AbortSignal): Promise<void>;
}

const ACCOUNTS_PER_PAGE = 100;
/** Accounts at a time. */
const IN_FLIGHT = 2;
/** Transactions of one account before others have their turn: the next pass goes on. */
const FOLDS_PER_TURN = 20;

export function createUsageUpkeep({ counts, onFailure, store }: UsageUpkeepOptions): UsageUpkeep {
  const foldOne = async (accountId: string, signal: AbortSignal): Promise<void> => {
    for (let folds = 0; folds < FOLDS_PER_TURN && !signal.aborted; folds += 1) {
      if (!(await store.fold(accountId))) return;
    }
  };
  return {
    async flush() {
      await eachOf([...counts.take()], IN_FLIGHT, async ([accountId, counted]) => {
        try {
          await store.enter(accountId, counted);
        } catch (error) {
          counts.giveBack(accountId, counted);
          onFailure(error);
        }
      });
    },
    async fold(signal) {
      for (let after: string | null = null; !signal.aborted;) {
        const accounts: readonly string[] = await store.waiting(after, ACCOUNTS_PER_PAGE);
        await eachOf(accounts, IN_FLIGHT, async (accountId) => {
          try {
            await foldOne(accountId, signal);
          } catch (error) {
            onFailure(error);
          }
        });
        after = accounts.at(-1) ?? null;
        if (after === null) return;
      }
    },
  };
}
