/**
 * What the scopes of a search know of its words: how many statements hold them, and what words that none holds are meant
 * to be (ADR 50). Both come from statements that everybody of a scope may read. Other readers learn nothing of either.
 */
import type { ChainReader } from '../../domain/governance/visibility.ts';
import { mayUseFrequencies } from '../../domain/ranking/counted.ts';
import { termId } from '../../domain/ranking/term-id.ts';
import type { Frequencies } from '../../stores/postgres/retrieval/frequencies.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { isCompound } from '../text/ranked-question.ts';
import { MOST_REPAIRED_WORDS, repairsOf, type AskedWord, type Repair } from '../text/word-list.ts';
import { termIdsOf, weighWords, type QueryPlan, type WeighedWords } from './query-plan.ts';

export interface KnownWords {
  /** Null for a reader without frequencies, and without words. */
  readonly frequencies: Frequencies | null;
  readonly repairs: readonly Repair[];
}

export const NOTHING_KNOWN: KnownWords = { frequencies: null, repairs: [] };

/** The first six free words of the query that no counted statement of the scopes holds, as it is or as two words. */
function unknownWords(
  { reading, repairable }: QueryPlan,
  accountId: string,
  { byTerm, units }: Frequencies,
): readonly AskedWord[] {
  if (units === 0) return [];
  const frequency = (term: string): number => byTerm.get(termId(accountId, term)) ?? 0;
  const compounds = new Set(
    reading.compounds.filter((one) => isCompound(one, frequency)).map(({ term }) => term),
  );
  return repairable
    .filter(({ term }) => frequency(term) === 0 && !compounds.has(term))
    .slice(0, MOST_REPAIRED_WORDS);
}

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
  const frequencies = await stores.frequencies.of(
    scopeIds,
    'statement',
    termIdsOf(plan, accountId),
  );
  const unknown = unknownWords(plan, accountId, frequencies);
  if (unknown.length === 0) return { frequencies, repairs: [] };
  const near = await stores.wordLists.near(
    unknown.map(({ word }) => word),
    scopeIds,
  );
  return { frequencies, repairs: repairsOf(unknown, near) };
}

const NO_FREQUENCIES: Frequencies = { units: 0, byTerm: new Map() };

/** What the words of a query weigh by what is known of them; the same for all words where nothing is. */
export function weighKnownWords(
  plan: QueryPlan,
  accountId: string,
  { frequencies, repairs }: KnownWords,
): WeighedWords {
  return weighWords(plan, accountId, frequencies ?? NO_FREQUENCIES, repairs);
}
