/** The indexes' filters of messages hold a hull of the rule of who may read a message. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ChainReader, Reader } from '../../../domain/governance/visibility.ts';
import { listed, MOST_LISTED } from '../../../domain/retrieval/listed.ts';
import { messageReaders } from '../../../domain/retrieval/message-search.ts';
import { messageRecordFilter } from '../../../stores/meilisearch/message-records.ts';
import type { PointCondition } from '../../../stores/qdrant/filter.ts';
import { messageFilter, READER_LISTS } from '../../../stores/qdrant/message-filter.ts';
import { sized } from '../../support/run.ts';

const ACCOUNT = 'account';
const SCOPES: readonly string[] = ['s1', 's2', 's3'];
const PEERS = ['p1', 'p2', 'p3'] as const;

interface Message {
  readonly scope: string;
  readonly speaker: string;
  readonly relay: string | null;
  readonly recordedAt: number;
  readonly participants: readonly { peer: string; joinedAt: number; whole: boolean }[];
}

const peer = fc.constantFrom(...PEERS);
const message: fc.Arbitrary<Message> = fc.record({
  scope: fc.constantFrom(...SCOPES),
  speaker: peer,
  relay: fc.option(peer),
  recordedAt: fc.nat(9),
  participants: fc
    .tuple(
      fc.array(fc.record({ peer, joinedAt: fc.nat(9), whole: fc.boolean() }), { maxLength: 3 }),
      fc.boolean(),
    )
    .map(([some, isCrowd]) =>
      isCrowd
        ? [
            ...some,
            ...Array.from({ length: MOST_LISTED + 1 }, (_, n) => ({
              peer: `guest-${n}`,
              joinedAt: 0,
              whole: true,
            })),
          ]
        : some,
    ),
});

const reader: fc.Arbitrary<Reader> = fc.oneof(
  peer.map((peerId): Reader => ({ posture: 'peer', peerId })),
  fc.constant<Reader>({ posture: 'public_only' }),
  fc.constant<Reader>({ posture: 'internal' }),
);
const chainReader: fc.Arbitrary<ChainReader> = fc.oneof(
  reader,
  fc.record({
    posture: fc.constant('named' as const),
    named: reader,
    otherwise: reader,
    scopeIds: fc.subarray([...SCOPES]),
  }),
);

/** `renderMessageReadable`, in words of this file. */
function wasThere(who: ChainReader, said: Message): boolean {
  if (who.posture === 'named') {
    return wasThere(who.scopeIds.includes(said.scope) ? who.named : who.otherwise, said);
  }
  if (who.posture !== 'peer') return who.posture === 'internal';
  return (
    said.speaker === who.peerId ||
    said.relay === who.peerId ||
    said.participants.some(
      (each) => each.peer === who.peerId && (each.whole || said.recordedAt >= each.joinedAt),
    )
  );
}

/** As the units store reads the readers of a message. */
function payloadOf(said: Message): Readonly<Record<string, unknown>> {
  const there = said.participants.filter((each) => each.whole || each.joinedAt <= said.recordedAt);
  const readers = new Set([
    said.speaker,
    ...(said.relay === null ? [] : [said.relay]),
    ...there.map((each) => each.peer),
  ]);
  return {
    account: ACCOUNT,
    unit: 'message',
    source_id: 'the message',
    now_scope: said.scope,
    readers: listed([...readers].slice(0, MOST_LISTED + 1)),
  };
}

function passes(filter: PointCondition, payload: Readonly<Record<string, unknown>>): boolean {
  if ('has_id' in filter) return filter.has_id.length > 0;
  if ('key' in filter && 'match' in filter) {
    const value = payload[filter.key];
    const wanted = 'any' in filter.match ? filter.match.any : [filter.match.value];
    return (Array.isArray(value) ? value : [value]).some((one) => wanted.includes(String(one)));
  }
  if ('key' in filter || 'is_empty' in filter || 'has_vector' in filter) return false;
  return (
    (filter.must ?? []).every((part) => passes(part, payload)) &&
    (filter.should === undefined || filter.should.some((part) => passes(part, payload))) &&
    !(filter.must_not ?? []).some((part) => passes(part, payload))
  );
}

describe('the Qdrant filter of messages', () => {
  test('lets through every message of the scopes that the reader may read', () => {
    fc.assert(
      fc.property(message, chainReader, fc.subarray([...SCOPES]), (said, who, scopeIds) => {
        const readers = messageReaders(who, scopeIds);
        const search = { accountId: ACCOUNT, readers, queryOperators: null };
        const isFound = READER_LISTS.some((list) =>
          passes(messageFilter(search, list), payloadOf(said)),
        );
        const isReadable = scopeIds.includes(said.scope) && wasThere(who, said);
        expect(isFound || !isReadable).toBe(true);
        // Short lists name exactly the readers.
        const isCrowd = said.participants.length > MOST_LISTED;
        if (!isCrowd) expect(isFound).toBe(isReadable);
        if (!scopeIds.includes(said.scope)) expect(isFound).toBe(false);
      }),
      { numRuns: sized({ short: 600, long: 3_000 }) },
    );
  });

  test('lets nothing through for nobody, and for operators that nothing satisfies', () => {
    const said = payloadOf({
      scope: 's1',
      speaker: 'p1',
      relay: null,
      recordedAt: 0,
      participants: [],
    });
    const of = (search: Partial<Parameters<typeof messageFilter>[0]>) =>
      passes(
        messageFilter(
          {
            accountId: ACCOUNT,
            readers: [{ peerId: 'p1', scopeIds: ['s1'] }],
            queryOperators: null,
            ...search,
          },
          'listed',
        ),
        said,
      );
    expect(of({})).toBe(true);
    expect(of({ readers: [] })).toBe(false);
    expect(of({ accountId: 'another' })).toBe(false);
    expect(of({ queryOperators: [] })).toBe(false);
    expect(of({ queryOperators: [{ onlyIds: ['the message'], exceptIds: [] }] })).toBe(true);
    expect(of({ queryOperators: [{ onlyIds: null, exceptIds: ['the message'] }] })).toBe(false);
  });
});

test('the Meilisearch filter of messages names the same readers in the same scopes', () => {
  const named: ChainReader = {
    posture: 'named',
    named: { posture: 'peer', peerId: 'p1' },
    otherwise: { posture: 'peer', peerId: 'p"2' },
    scopeIds: ['s1'],
  };
  expect(
    messageRecordFilter({ accountId: 'a', readers: messageReaders(named, ['s1', 's2']) }),
  ).toBe(
    'account = "a" AND ((now_scope IN ["s1"] AND readers IN ["p1", "*"])' +
      ' OR (now_scope IN ["s2"] AND readers IN ["p\\"2", "*"]))',
  );
  expect(messageRecordFilter({ accountId: 'a', readers: [] })).toBe(
    'account = "a" AND (account NOT EXISTS)',
  );
});
