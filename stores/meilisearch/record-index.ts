/**
 * Reading and writing the records of the two indexes.
 *
 * Meilisearch has no conditional write, so a late write of an older reading can win for a moment. The writer that
 * wrote late then finds the dirty mark gone when it clears marks, and marks the unit again.
 */
import type { Meilisearch } from 'meilisearch';
import { z } from 'zod';
import type { ChunkSearch } from '../../domain/retrieval/chunk-search.ts';
import type { StatementSearch } from '../../domain/retrieval/statement-search.ts';
import { idInIndex } from '../id-in-index.ts';
import { sendInSlices } from '../send-in-slices.ts';
import { chunkFilter } from './chunk-filter.ts';
import { asking, requestSignal, settled } from './client.ts';
import { termWord, type MessageRecord, type StatementRecord } from './record.ts';
import { quoted, statementFilter } from './filter.ts';
import { MAX_HITS, type IndexNames } from './indexes.ts';
import type { UnitKind } from '../../domain/retrieval/units.ts';
import { WritingRounds } from './writing-rounds.ts';

export interface StoredRecord {
  readonly id: string;
  readonly sourceId: string;
  readonly rowVersion: number;
}

export interface MatchedIds {
  readonly sourceIds: readonly string[];
  /** More records match than are listed. */
  readonly truncated: boolean;
}

export interface TextQuery {
  /** The query language of Meilisearch; the caller keeps it within ten words. */
  readonly q: string;
  /** Which field it is about. */
  readonly field: 'text' | 'coded';
}

type Access = Pick<StatementSearch, 'accountId' | 'visible' | 'asOf'> &
  Partial<Pick<StatementSearch, 'sourceFilters'>>;

const PAGE = 1000;
/** A task takes about as long for many records as for few. */
const MOST_RECORDS_OF_REQUEST = 500;
/**
 * Written as text on the event loop in one go: some 20 ms. A single record may have twice as much
 * (`engine/analysis/message.ts`); Meilisearch takes 100 MB.
 */
const MOST_REQUEST_BYTES = 4_194_304;

/** Refusals that do not depend on the records: no right, no index, no room or no health. */
const REFUSES_ALL: ReadonlySet<string> = new Set([
  'canceled',
  'database_size_limit_reached',
  'index_not_found',
  'internal',
  'invalid_api_key',
  'io_error',
  'missing_authorization_header',
  'missing_master_key',
  'no_space_left_on_device',
  'too_many_open_files',
  'too_many_search_requests',
]);

/** The shape of an answer to searches. Whatever else answers at the address must not pass for hits. */
const foundRecords = z.object({
  results: z.array(
    z.object({
      hits: z.array(z.object({ source_id: z.guid() })),
      estimatedTotalHits: z.number().optional(),
    }),
  ),
});
const stored = z.object({ id: z.string() });
const storedFields = z.object({ source_id: z.string(), row_version: z.number() });

function toStored(record: unknown): StoredRecord {
  const fields = storedFields.safeParse(record);
  return {
    id: stored.parse(record).id,
    // A record without readable fields belongs to no unit: it shows up as an orphan.
    sourceId: fields.success ? fields.data.source_id : '',
    rowVersion: fields.success ? fields.data.row_version : 0,
  };
}

interface FieldQuery {
  readonly q: string;
  readonly field: string;
}

function termQueries(termIds: readonly number[]): FieldQuery[] {
  return termIds.map((id) => ({ q: termWord(id), field: 'terms' }));
}

/** One list for each of so many queries; throws when the answer is none to them. */
export function matchedIds(answer: unknown, queries: number): MatchedIds[] {
  const { results } = foundRecords.parse(answer);
  if (results.length !== queries)
    throw new RangeError('Meilisearch left queries without an answer');
  return results.map(({ hits, estimatedTotalHits = 0 }) => {
    const sourceIds = hits.map(({ source_id: sourceId }) => sourceId);
    return { sourceIds, truncated: estimatedTotalHits > sourceIds.length };
  });
}

interface Written {
  readonly sourceId: string;
  readonly json: string;
  readonly bytes: number;
}

function* written(
  unit: UnitKind,
  records: Iterable<StatementRecord | MessageRecord>,
): Generator<Written> {
  for (const record of records) {
    const json = JSON.stringify({
      ...record,
      id: idInIndex(record.account, unit, record.source_id),
      terms: Array.from(record.terms, termWord).join(' '),
    });
    yield { sourceId: record.source_id, json, bytes: Buffer.byteLength(json) };
  }
}

/** The records of the indexes that `ensureIndexes` made. */
export class RecordIndex {
  readonly #client: Meilisearch;
  readonly #names: IndexNames;
  readonly #rounds = new WritingRounds();

  constructor(client: Meilisearch, names: IndexNames) {
    this.#client = client;
    this.#names = names;
  }

  /**
   * Resolves when the tasks have succeeded, that is, when the records can be found. Takes records from the iterable
   * only as it sends them, in bounded requests. Answers the units that Meilisearch refused for their content.
   */
  putStatements(records: Iterable<StatementRecord>): Promise<ReadonlySet<string>> {
    return this.#put('statement', records);
  }

  putMessages(records: Iterable<MessageRecord>): Promise<ReadonlySet<string>> {
    return this.#put('message', records);
  }

  deleteUnits(accountId: string, unit: UnitKind, unitIds: readonly string[]): Promise<void> {
    return this.deleteRecords(
      unit,
      unitIds.map((id) => idInIndex(accountId, unit, id)),
    );
  }

  async deleteRecords(unit: UnitKind, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const index = this.#client.index(this.#names[unit]);
    await this.#rounds.write(() => settled(this.#client, index.deleteDocuments([...ids])));
  }

  /** For each query the statements that match it, in one round trip. The signal ends the round trip. */
  matchStatements(
    queries: readonly TextQuery[],
    search: Access,
    signal?: AbortSignal,
  ): Promise<MatchedIds[]> {
    return this.#search('statement', queries, statementFilter(search), MAX_HITS, signal);
  }

  /** The same for the chunks of documents. */
  matchChunks(
    queries: readonly TextQuery[],
    search: ChunkSearch,
    signal?: AbortSignal,
  ): Promise<MatchedIds[]> {
    return this.#search('message', queries, chunkFilter(search), MAX_HITS, signal);
  }

  /** For each term id, the statements that hold it, at most `limit`. */
  statementsWithTerms(
    termIds: readonly number[],
    search: Access,
    limit: number,
    signal?: AbortSignal,
  ): Promise<MatchedIds[]> {
    const queries = termQueries(termIds);
    return this.#search('statement', queries, statementFilter(search), limit, signal);
  }

  /** The same for the chunks of documents. */
  chunksWithTerms(
    termIds: readonly number[],
    search: ChunkSearch,
    limit: number,
    signal?: AbortSignal,
  ): Promise<MatchedIds[]> {
    const queries = termQueries(termIds);
    return this.#search('message', queries, chunkFilter(search), limit, signal);
  }

  /** Those of the units that the index holds, with their versions. */
  async shown(
    accountId: string,
    unit: UnitKind,
    unitIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    if (unitIds.length === 0) return new Map();
    const ids = unitIds.map((id) => quoted(idInIndex(accountId, unit, id)));
    const page = await asking(() =>
      this.#client.index(this.#names[unit]).getDocuments({
        filter: `id IN [${ids.join(', ')}]`,
        limit: unitIds.length,
        fields: ['id', 'source_id', 'row_version'],
      }),
    );
    return new Map(
      page.results.map(toStored).map(({ rowVersion, sourceId }) => [sourceId, rowVersion]),
    );
  }

  /** All records of the account, page by page. */
  async *scroll(accountId: string, unit: UnitKind): AsyncGenerator<readonly StoredRecord[]> {
    const filter = `account = ${quoted(accountId)}`;
    for (let offset = 0; ; offset += PAGE) {
      const page = await asking(() =>
        this.#client.index(this.#names[unit]).getDocuments({
          filter,
          limit: PAGE,
          offset,
          fields: ['id', 'source_id', 'row_version'],
        }),
      );
      yield page.results.map(toStored);
      if (page.results.length < PAGE) return;
    }
  }

  /** Throws an `IndexFailure` unless Meilisearch answers and holds the indexes. */
  async probe(): Promise<void> {
    await asking(() => this.#client.getRawIndex(this.#names.statement));
  }

  async #put(
    unit: UnitKind,
    records: Iterable<StatementRecord | MessageRecord>,
  ): Promise<ReadonlySet<string>> {
    const index = this.#client.index(this.#names[unit]);
    const refused = await sendInSlices(written(unit, records), {
      mostItems: MOST_RECORDS_OF_REQUEST,
      mostBytes: MOST_REQUEST_BYTES,
      bytesOf: ({ bytes }) => bytes,
      refusesAll: (code) => REFUSES_ALL.has(code),
      send: async (some) => {
        const body = `[${some.map(({ json }) => json).join(',')}]`;
        await this.#rounds.write(() =>
          settled(this.#client, index.addDocumentsFromString(body, 'application/json')),
        );
      },
    });
    return new Set(refused.map(({ sourceId }) => sourceId));
  }

  async #search(
    unit: UnitKind,
    queries: readonly FieldQuery[],
    filter: string,
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<MatchedIds[]> {
    if (queries.length === 0) return [];
    return asking(async () => {
      const answer = await this.#client.multiSearch(
        {
          queries: queries.map(({ q, field }) => ({
            indexUid: this.#names[unit],
            q,
            filter,
            limit,
            matchingStrategy: 'all' as const,
            attributesToSearchOn: [field],
            attributesToRetrieve: ['source_id'],
          })),
        },
        { signal: requestSignal(this.#client, signal) },
      );
      return matchedIds(answer, queries.length);
    });
  }
}
