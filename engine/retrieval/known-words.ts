/**
 * The knowledge of the scopes about the words of a search: how many statements hold each word, and the intended words
 * for those that no statement holds (ADR 50). Both come from statements that every reader of a scope may read. A reader
 * without a peer gets neither.
 */
import type { ChainReader } from '../../domain/governance/visibility.ts';
import { mayUseFrequencies } from '../../domain/governance/counted.ts';
import { termId } from '../../domain/ranking/term-id.ts';
import type { Frequencies } from '../../stores/postgres/retrieval/frequencies.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { repairsOf, unknownWords, type Repair } from '../text/repairs.ts';
import { termIdsOf, weighWords, type QueryPlan, type WeighedWords } from '../text/query-plan.ts';

/** Scopes that lend words to repairs, the first ones: each candidate of an unknown word is one look into an index for each. */
export const MOST_LENDING_SCOPES = 8;

export interface KnownWords {
  /** Null for a reader without frequencies, and without words. */
  readonly frequencies: Frequencies | null;
  readonly repairs: readonly Repair[];
}

export const NOTHING_KNOWN: KnownWords = { frequencies: null, repairs: [] };

/** Reads what the scopes know. One query, and one more where a word is unknown; none for a reader without frequencies. */
export async function readKnownWords(
  stores: Stores,
  plan: QueryPlan,
  {
    accountId,
    reader,
    scopeIds,
  }: {
    readonly accountId: string;
    readonly reader: ChainReader;
    readonly scopeIds: readonly string[];
  },
): Promise<KnownWords> {
  if (plan.terms.size === 0 || !mayUseFrequencies(reader)) return NOTHING_KNOWN;
  const idOf = (term: string): number => termId(accountId, term);
  const frequencies = await stores.frequencies.of(
    scopeIds,
    'statement',
    termIdsOf(plan, accountId),
  );
  if (frequencies.units === 0) return { frequencies, repairs: [] };
  const { reading, repairable } = plan;
  const held = (term: string): number => frequencies.byTerm.get(idOf(term)) ?? 0;
  const unknown = unknownWords(repairable, reading, held);
  if (unknown.length === 0) return { frequencies, repairs: [] };
  const candidates = unknown.flatMap((word) => [...word.candidates.keys()].map(idOf));
  const lending = scopeIds.slice(0, MOST_LENDING_SCOPES);
  const near = await stores.frequencies.of(lending, 'statement', [...new Set(candidates)]);
  return {
    frequencies: { ...frequencies, byTerm: new Map([...near.byTerm, ...frequencies.byTerm]) },
    repairs: repairsOf(unknown, (term) => near.byTerm.get(idOf(term)) ?? 0),
  };
}

const NO_FREQUENCIES: Frequencies = { units: 0, byTerm: new Map() };

/** The weights of the words of a query by their frequencies; equal weights if there are no frequencies. */
export function weighKnownWords(
  plan: QueryPlan,
  accountId: string,
  { frequencies, repairs }: KnownWords,
): WeighedWords {
  return weighWords(plan, accountId, frequencies ?? NO_FREQUENCIES, repairs);
}
