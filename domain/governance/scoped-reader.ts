/** A reader with the scopes in which it may read messages: who was there reads only where it may read now. */
import type { Openings } from '../scopes/openings.ts';
import type { ChainReader } from './visibility.ts';

export interface ScopedReader {
  readonly reader: ChainReader;
  /** Scopes that the request may read, whose existence has been judged already. */
  readonly scopeIds: readonly string[];
  /** What the caller may read beside them, wherever it lies; absent where the scopes of the request are all there is. */
  readonly openings?: Openings | undefined;
}

/** Nobody's reading: it is shown no message. */
export const NOBODY: ScopedReader = { reader: { posture: 'public_only' }, scopeIds: [] };
