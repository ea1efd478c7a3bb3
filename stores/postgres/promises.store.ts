/** Promises of an earlier day, which a transaction brings about again. */
import type { GivenPromise } from '../../domain/promises/kinds.ts';
import { AccountStore } from './account-store.ts';
import { repeating } from './promised.ts';

export class PromisesStore extends AccountStore {
  /**
   * Says what the transaction repeats. Once it wrote an event of the audit log, that line is written to the list again, and
   * none for what the transaction does in detail.
   */
  repeats(given: GivenPromise): void {
    repeating(this.tx, given);
  }
}
