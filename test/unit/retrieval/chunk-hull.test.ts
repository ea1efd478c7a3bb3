/** The indexes' filters for chunks hold a hull of who may read a raw message: whatever SQL shows, they let through. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ChainReader, Reader } from '../../../domain/governance/visibility.ts';
import {
  asksForChunks,
  asksForStatements,
  chunkSearchFor,
  type ChunkSearch,
} from '../../../domain/retrieval/chunk-search.ts';
import { listed, MOST_LISTED } from '../../../domain/retrieval/listed.ts';
import { NO_SOURCE_FILTERS } from '../../../domain/retrieval/source-filters.ts';
import { chunkFilter as recordFilter } from '../../../stores/meilisearch/chunk-filter.ts';
import { chunkFilter } from '../../../stores/qdrant/chunk-filter.ts';
import { chainReader, PEERS, SCOPES } from '../governance/governed-rows.ts';
import { passes } from './point-conditions.ts';
import { sized } from '../../support/run.ts';

const ACCOUNT = '018f0000-0000-7000-8000-000000000001';

interface Chunk {
  readonly scope: string;
  readonly readers: readonly string[];
  readonly session: string;
  /** Null of a point of an earlier release. */
  readonly recordedAt: string | null;
}

const MARCH = '2026-03-01T00:00:00.000Z';
const APRIL = '2026-04-01T00:00:00.500Z';

const chunk: fc.Arbitrary<Chunk> = fc.record({
  scope: fc.constantFrom(...SCOPES),
  readers: fc.subarray([...PEERS]),
  session: fc.constantFrom('d1', 'd2'),
  recordedAt: fc.constantFrom(MARCH, APRIL, null),
});
const search = fc.record({
  reader: chainReader,
  scopeIds: fc.subarray([...SCOPES]),
  sessionId: fc.constantFrom(null, 'd1'),
  asOf: fc.constantFrom(null, MARCH, APRIL),
});

function mayRead(reader: Reader, { readers }: Chunk): boolean {
  switch (reader.posture) {
    case 'internal':
      return true;
    case 'public_only':
      return false;
    case 'peer':
      return readers.includes(reader.peerId);
  }
}

/** What the SQL form says, in so many words. */
function mayFind(reader: ChainReader, chunk: Chunk): boolean {
  if (reader.posture !== 'named') return mayRead(reader, chunk);
  return mayRead(reader.scopeIds.includes(chunk.scope) ? reader.named : reader.otherwise, chunk);
}

const payloadOf = (
  { scope, readers, recordedAt = null, session }: Omit<Chunk, 'recordedAt'> & Partial<Chunk>,
  id = 'm1',
) => ({
  account: ACCOUNT,
  unit: 'message',
  role: 'document',
  source_id: id,
  now_scope: scope,
  readers: listed(readers),
  session,
  ...(recordedAt === null ? {} : { recorded: Date.parse(recordedAt) }),
});

const unfiltered = {
  accountId: ACCOUNT,
  sourceFilters: NO_SOURCE_FILTERS,
  sessionId: null,
  asOf: null,
};

describe('the Qdrant filter for chunks', () => {
  test('is the rule of raw messages, in the scopes of the chain, in the document and as of the instant asked for', () => {
    fc.assert(
      fc.property(chunk, search, (chunk, { asOf, reader, scopeIds, sessionId }) => {
        const asked = chunkSearchFor({ ...unfiltered, reader, scopeIds, sessionId, asOf });
        const isThere =
          scopeIds.some((id) => id === chunk.scope) &&
          (sessionId === null || sessionId === chunk.session) &&
          (asOf === null || chunk.recordedAt === null || chunk.recordedAt <= asOf);
        const passed = asked !== null && passes(chunkFilter(asked), payloadOf(chunk));
        expect(passed).toBe(isThere && mayFind(reader, chunk));
      }),
      { numRuns: sized({ short: 400, long: 2_000 }) },
    );
  });

  const asked = (narrowed: Partial<ChunkSearch> = {}): ChunkSearch => {
    const readers = [{ scopeIds: ['s1'], peerId: 'p1' }];
    return {
      accountId: ACCOUNT,
      readers,
      sessionId: null,
      asOf: null,
      queryOperators: null,
      ...narrowed,
    };
  };
  const own = payloadOf({ scope: 's1', readers: ['p1'], session: 'd1' });

  test('lets through a chunk with more readers than an index is told of', () => {
    const readers = Array.from({ length: MOST_LISTED + 1 }, (_, n) => `reader ${n}`);
    const payload = payloadOf({ scope: 's1', readers, session: 'd1' });
    expect(passes(chunkFilter(asked()), payload)).toBe(true);
  });

  test.each([
    ['another account', { account: 'other' }],
    ['a statement', { unit: 'statement' }],
    ['a turn of a conversation', { role: 'user' }],
  ])('stops %s', (_what, changed) => {
    expect(passes(chunkFilter(asked()), own)).toBe(true);
    expect(passes(chunkFilter(asked()), { ...own, ...changed })).toBe(false);
  });

  test.each([
    [[{ onlyIds: ['m1'], exceptIds: [] }], true],
    [[{ onlyIds: ['m2'], exceptIds: [] }], false],
    [[{ onlyIds: null, exceptIds: ['m1'] }], false],
    [[{ onlyIds: null, exceptIds: ['m2'] }], true],
    [
      [
        { onlyIds: [], exceptIds: [] },
        { onlyIds: ['m1'], exceptIds: [] },
      ],
      true,
    ],
    [[], false],
  ])('joins the alternatives %j', (queryOperators, passed) => {
    expect(passes(chunkFilter(asked({ queryOperators })), own)).toBe(passed);
  });
});

describe('the Meilisearch filter for chunks', () => {
  test('asks for account, audience and role, and passes records that hold no role yet', () => {
    const readers = [
      { scopeIds: ['s1', 's2'], peerId: 'p1' },
      { scopeIds: ['s3'], peerId: null },
    ];
    const asked = { accountId: 'a"', readers, sessionId: null, asOf: null, queryOperators: null };
    expect(recordFilter(asked)).toBe(
      '(account = "a\\"") AND ((now_scope IN ["s1", "s2"] AND readers IN ["p1", "*"]) OR (now_scope IN ["s3"])) AND (role = "document" OR role NOT EXISTS)',
    );
    expect(recordFilter({ ...asked, sessionId: 'd1' })).toMatch(/ AND \(session = "d1"\)$/);
    expect(recordFilter({ ...asked, readers: [] })).toContain('account NOT EXISTS');
  });
});

describe('the filters of a search', () => {
  const { sourceStatementIds: _of, ...absent } = NO_SOURCE_FILTERS;

  test('let both kinds through when there are none', () => {
    expect([asksForStatements(NO_SOURCE_FILTERS), asksForChunks(NO_SOURCE_FILTERS)]).toEqual([
      true,
      true,
    ]);
  });

  test.each(Object.keys(absent))('by %s let one kind through', (name) => {
    const value = name === 'minimumCorroboration' ? 0 : 'x';
    const filters = { ...NO_SOURCE_FILTERS, [name]: value };
    expect(asksForStatements(filters)).toBe(name !== 'sourceDocumentId');
    expect(asksForChunks(filters)).toBe(name === 'sourceDocumentId');
  });

  test('for a reader of public statements only let no chunk through', () => {
    const reader = { posture: 'public_only' } as const;
    expect(chunkSearchFor({ ...unfiltered, reader, scopeIds: ['s1'] })).toBeNull();
  });
});
