/**
 * Reading and writing the documents of the two indexes.
 *
 * The engine has no conditional write: a late one of an older reading can win for a moment. Whoever clears
 * dirty marks notices (the mark is gone) and marks the unit again.
 */
import type { Meilisearch } from 'meilisearch';
import { z } from 'zod';
import type { StatementSearch } from '../../domain/retrieval/statement-search.ts';
import { engineId } from '../engine-id.ts';
import { asking, settled } from './client.ts';
import { termWord, type MessageDocument, type StatementDocument } from './document.ts';
import { quoted, statementFilter } from './filter.ts';
import { MAX_HITS, type IndexNames, type UnitKind } from './indexes.ts';

export interface StoredDocument {
  readonly id: string;
  readonly sourceId: string;
  readonly rowVersion: number;
}

export interface MatchedIds {
  readonly sourceIds: readonly string[];
  /** More documents match than are listed. */
  readonly truncated: boolean;
}

export interface TextQuery {
  /** The engine's query language; the caller keeps it within ten words. */
  readonly q: string;
  /** Which field it is about. */
  readonly field: 'text' | 'coded';
}

type Access = Pick<StatementSearch, 'accountId' | 'visible' | 'asOf'>;

export interface DocumentIndex {
  readonly names: IndexNames;
  /** Resolves when the task has succeeded, that is, when the documents can be found. */
  putStatements(documents: readonly StatementDocument[]): Promise<void>;
  putMessages(documents: readonly MessageDocument[]): Promise<void>;
  deleteUnits(accountId: string, unit: UnitKind, unitIds: readonly string[]): Promise<void>;
  deleteDocuments(unit: UnitKind, ids: readonly string[]): Promise<void>;
  /** Statements that match each query by itself, in one round trip. */
  matchStatements(queries: readonly TextQuery[], search: Access): Promise<MatchedIds[]>;
  /** For each term id, the statements that hold it, at most `limit`. */
  statementsWithTerms(
    termIds: readonly number[],
    search: Access,
    limit: number,
  ): Promise<MatchedIds[]>;
  /** All documents of the account, page by page. */
  scroll(accountId: string, unit: UnitKind): AsyncIterable<readonly StoredDocument[]>;
  /** Throws an `EngineFailure` unless the engine answers and holds the indexes. */
  probe(): Promise<void>;
}

const PAGE = 1000;
/** A message may have a mebibyte, twice in a document; a request may have a hundred. */
const DOCUMENTS_PER_REQUEST = 40;

const hit = z.object({ source_id: z.string() });
const stored = z.object({ id: z.string() });
const storedFields = z.object({ source_id: z.string(), row_version: z.number() });

function toStored(document: unknown): StoredDocument {
  const fields = storedFields.safeParse(document);
  return {
    id: stored.parse(document).id,
    // A document without readable fields is nobody's: it shows up as an orphan.
    sourceId: fields.success ? fields.data.source_id : '',
    rowVersion: fields.success ? fields.data.row_version : 0,
  };
}

interface Answer {
  readonly hits: readonly unknown[];
  readonly estimatedTotalHits?: number;
}

function matchedIds(answer: Answer): MatchedIds {
  const sourceIds = answer.hits.map((found) => hit.parse(found).source_id);
  return { sourceIds, truncated: (answer.estimatedTotalHits ?? 0) > sourceIds.length };
}

interface Engine {
  readonly client: Meilisearch;
  readonly names: IndexNames;
}

async function put(
  { client, names }: Engine,
  unit: UnitKind,
  documents: readonly (StatementDocument | MessageDocument)[],
): Promise<void> {
  for (let start = 0; start < documents.length; start += DOCUMENTS_PER_REQUEST) {
    const rows = documents.slice(start, start + DOCUMENTS_PER_REQUEST).map((document) => ({
      ...document,
      id: engineId(document.account, unit, document.source_id),
      terms: document.terms.map(termWord).join(' '),
    }));
    await settled(client, client.index(names[unit]).addDocuments(rows));
  }
}

async function remove(
  { client, names }: Engine,
  unit: UnitKind,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await settled(client, client.index(names[unit]).deleteDocuments([...ids]));
}

async function multiSearch(
  { client, names }: Engine,
  queries: readonly { readonly q: string; readonly field: string }[],
  search: Access,
  limit: number,
): Promise<MatchedIds[]> {
  if (queries.length === 0) return [];
  const filter = statementFilter(search);
  const answer = await asking(() =>
    client.multiSearch({
      queries: queries.map(({ q, field }) => ({
        indexUid: names.statement,
        q,
        filter,
        limit,
        matchingStrategy: 'all' as const,
        attributesToSearchOn: [field],
        attributesToRetrieve: ['source_id'],
      })),
    }),
  );
  return answer.results.map(matchedIds);
}

async function* scroll(
  { client, names }: Engine,
  accountId: string,
  unit: UnitKind,
): AsyncGenerator<readonly StoredDocument[]> {
  const filter = `account = ${quoted(accountId)}`;
  for (let offset = 0; ; offset += PAGE) {
    const page = await asking(() =>
      client.index(names[unit]).getDocuments({
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

/** The documents of the indexes that `ensureIndexes` made. */
export function createDocumentIndex(client: Meilisearch, names: IndexNames): DocumentIndex {
  const engine = { client, names };
  return {
    names,
    putStatements: (documents) => put(engine, 'statement', documents),
    putMessages: (documents) => put(engine, 'message', documents),
    deleteUnits: (accountId, unit, unitIds) =>
      remove(
        engine,
        unit,
        unitIds.map((id) => engineId(accountId, unit, id)),
      ),
    deleteDocuments: (unit, ids) => remove(engine, unit, ids),
    matchStatements: (queries, search) => multiSearch(engine, queries, search, MAX_HITS),
    statementsWithTerms: (termIds, search, limit) =>
      multiSearch(
        engine,
        termIds.map((id) => ({ q: termWord(id), field: 'terms' })),
        search,
        limit,
      ),
    scroll: (accountId, unit) => scroll(engine, accountId, unit),
    async probe() {
      await asking(() => client.getRawIndex(names.statement));
    },
  };
}
