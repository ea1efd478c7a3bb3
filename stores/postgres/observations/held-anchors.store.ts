/** The last step of anchors that drains hold, in a transaction that does more. */
import { AccountStore } from '../account-store.ts';
import { completeAnchors, type Hold } from './anchor-ends.ts';

/** Anchors of the account that drains hold. */
export class HeldAnchorsStore extends AccountStore {
  /** Completes extracted anchors that their drains still hold; answers which. One query. */
  complete(holds: readonly Hold[]): Promise<readonly string[]> {
    return completeAnchors(this.tx, holds);
  }
}
