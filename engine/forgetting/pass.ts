/** Serves the texts of an account by the holds in force, page by page. */
import type { Mailbox } from '../../domain/actors/names.ts';
import { ERASURE_SHARD } from '../../domain/erasure/words.ts';
import type { ForgettingPageInput, ForgettingPageReport } from '../../domain/forgetting/pass.ts';
import type { ForgettingPassStore } from '../../stores/postgres/forgetting/pass.store.ts';

export interface ForgettingPass {
  /** One page in one transaction. Throws what the store throws; nothing is written then. */
  page(input: ForgettingPageInput): Promise<ForgettingPageReport>;
}

/** Texts of one transaction, and their bytes: a second of work at most. */
const PAGE = { limit: 200, mostBytes: 2 * 1_048_576 } as const;

/** `ring` is called after a commit that changed something the indexes show. */
export function createForgettingPass(
  store: ForgettingPassStore,
  ring: (mailbox: Mailbox) => void,
  page: typeof PAGE | { readonly limit: number; readonly mostBytes: number } = PAGE,
): ForgettingPass {
  return {
    async page(input) {
      const report = await store.page(input, page);
      const { accountId } = input;
      if (report.changed > 0) ring({ accountId, kind: 'projection', shard: ERASURE_SHARD });
      return report;
    },
  };
}
