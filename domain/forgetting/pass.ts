/** A pass over all texts of an account, by which they are served as the holds in force say. */
import type { RunRef } from '../pipeline/run-kinds.ts';

/** First all messages are passed, then all statements. */
export type PassedUnit = 'message' | 'statement';

/** Where a page begins. */
export interface PlaceOfPass {
  readonly unit: PassedUnit;
  /** The last of the page before; null for the first page. */
  readonly afterId: string | null;
}

export interface ForgettingPageInput extends RunRef, PlaceOfPass {}

export interface ForgettingPageReport {
  /** Texts looked at. */
  readonly rows: number;
  /** Texts that are served otherwise since. */
  readonly changed: number;
  /** Where the next page begins; null after the last one: the run is completed then. */
  readonly next: PlaceOfPass | null;
}
