/**
 * A reader with the scopes in which it may read messages. A participant reads a message only in a scope that it may
 * read now.
 */
import type { Openings } from '../identity/openings.ts';
import type { ChainReader } from './visibility.ts';

export interface ScopedReader {
  readonly reader: ChainReader;
  /** Scopes that the request may read, whose existence has been judged already. */
  readonly scopeIds: readonly string[];
  /** Further scopes that the caller may read anywhere. Absent: the scopes of the request only. */
  readonly openings?: Openings | undefined;
}

/** A reader that sees no message. */
export const NOBODY: ScopedReader = { reader: { posture: 'public_only' }, scopeIds: [] };
