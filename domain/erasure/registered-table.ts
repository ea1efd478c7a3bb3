/** How the registry describes a table. */
import type { ErasureStep } from './words.ts';

/** What becomes of the rows of a person. */
export type Going =
  /** The step erases them; `verifiedBy` is the place where the reading back looks for them. */
  | { readonly step: ErasureStep; readonly verifiedBy: string }
  /** They go, or lose the person, in the same transaction as the rows of this table. */
  | { readonly with: string }
  /** They stay, for this reason. */
  | { readonly stays: string };

export interface RegisteredTable {
  /** Texts of people, and what is made of them: digests and numbers of words too. */
  readonly content: readonly string[];
  /** What leads to a person, or to a row that does. */
  readonly id: readonly string[];
  readonly neither: readonly string[];
  readonly goes: Going;
}

/** Names of columns, separated by spaces. */
export const words = (text: string): readonly string[] => text.split(' ');
