/** Work that must not belong to the transaction in which it is called: it has one of its own, which commits by itself. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Runs what it is given where it was made. */
export type RunOutside = <T>(work: () => Promise<T>) => Promise<T>;

/** Called before a transaction begins; what it answers is called within. */
export function rememberOutside(): RunOutside {
  const outside = AsyncLocalStorage.snapshot();
  return (work) => outside(work);
}
