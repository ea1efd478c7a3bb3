/** The list of promises as the stores of the database know it: outside of the database, and only ever longer. */
import { createHash } from 'node:crypto';
import type { GivenPromise } from '../../domain/promises/kinds.ts';
import type { Digest } from '../../domain/promises/line.ts';

export interface PromiseList {
  /**
   * Resolves when the promises are durable. May write more than once what it is asked to write once.
   * @throws PromiseListError when they may not be: then whoever promises must not do it.
   */
  append(promises: readonly GivenPromise[]): Promise<void>;
  /** A keyed hash, lower-case hex, of the path of a scope in the account. */
  pathHash(accountId: string, path: string): string;
}

/** The list cannot be written. `code` is that of the system. */
export class PromiseListError extends Error {
  readonly code: string;
  override readonly name = 'PromiseListError';

  constructor(code: string) {
    super('the list of promises cannot be written');
    this.code = code;
  }
}

/** SHA-256, as lines of the list are checked. */
export const sha256Digest: Digest = (text) => createHash('sha256').update(text).digest('hex');
