/**
 * The two full-text indexes. Typo tolerance and prefixes are off and every word must match: operators ask
 * for exactly what was typed. Only the fields a search names are searched.
 */
import type { UnitKind } from '../../domain/retrieval/units.ts';
import type { Meilisearch, Settings } from 'meilisearch';
import type { IndexFailure } from '../../domain/retrieval/index-failure.ts';
import { asking, settled } from './client.ts';
import { FILTERABLE } from './record.ts';

/** Longest list of ids one search may return. */
export const MAX_HITS = 1000;

export interface IndexNames {
  readonly statement: string;
  readonly message: string;
}

/** `<prefix>_statements_<analyzer>` and its twin; the analyzer decides what `terms` and `coded` hold. */
export function indexNames(identity: {
  readonly prefix?: string;
  readonly analyzerVersion: string;
}): IndexNames {
  const name = (noun: string): string =>
    `${identity.prefix ?? 'vouch'}_${noun}_${identity.analyzerVersion}`.replaceAll(
      /[^A-Za-z0-9_-]+/g,
      '-',
    );
  return { statement: name('statements'), message: name('messages') };
}

function settingsFor(unit: UnitKind): Settings {
  return {
    searchableAttributes: ['text', 'coded', 'terms'],
    filterableAttributes: [
      {
        attributePatterns: [...FILTERABLE[unit]],
        features: { facetSearch: false, filter: { equality: true, comparison: true } },
      },
    ],
    displayedAttributes: ['id', 'source_id', 'row_version'],
    typoTolerance: { enabled: false },
    prefixSearch: 'disabled',
    facetSearch: false,
    pagination: { maxTotalHits: MAX_HITS },
    rankingRules: ['words', 'exactness'],
    stopWords: [],
  };
}

/**
 * A record of no account. Meilisearch refuses a search on a field that no record ever had, so a fresh
 * index would answer with an error instead of with nothing.
 */
const ANCHOR = { id: 'anchor', account: '', source_id: '', text: '', coded: '', terms: '' };

function isMissing(error: unknown): boolean {
  return (error as IndexFailure).code === 'index_not_found';
}

async function ensureIndex(client: Meilisearch, name: string, unit: UnitKind): Promise<void> {
  try {
    const { primaryKey } = await asking(() => client.getRawIndex(name));
    // A write to a lost index creates one without a primary key, and Meilisearch refuses every further write.
    if (!primaryKey) await settled(client, client.updateIndex(name, { primaryKey: 'id' }));
  } catch (error) {
    if (!isMissing(error)) throw error;
    await settled(client, client.createIndex(name, { primaryKey: 'id' })).catch(
      (failure: unknown) => {
        // Another process may have been first.
        if ((failure as IndexFailure).code !== 'index_already_exists') throw failure;
      },
    );
  }
  await settled(client, client.index(name).updateSettings(settingsFor(unit)));
  await settled(client, client.index(name).addDocuments([ANCHOR]));
}

/** Creates the indexes where they are missing and brings their settings up to date. May be repeated. */
export async function ensureIndexes(client: Meilisearch, names: IndexNames): Promise<void> {
  await Promise.all(
    (['statement', 'message'] as const).map((unit) => ensureIndex(client, names[unit], unit)),
  );
}
