/** Which messages the reconcile marks: pages of the index, what is on its way already, and looks that are not answered. */
import { expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { IndexFailure } from '../../../domain/retrieval/index-failure.ts';
import {
  createMessageMarker,
  type MessageVectorDeps,
} from '../../../engine/reconcile/message-vectors.ts';
import type { InAccount } from '../../../stores/postgres/in-account.ts';

const account = '0198c8c8-0000-7000-8000-00000000000a';
const never = new AbortController().signal;
const ids = (count: number): string[] => Array.from({ length: count }, () => uuidv7()).toSorted();
const LAST_PLACE = 'ffffffff-0000-0000-0000-000000000000';

/** Messages that each have one point, in order: those that await a vector, and those that have a mark. */
function scene({
  awaiting = [],
  marked = [],
  others = [],
  points = {},
}: {
  readonly awaiting?: readonly string[];
  readonly marked?: readonly string[];
  readonly others?: readonly string[];
  readonly points?: Partial<MessageVectorDeps['points']>;
}) {
  const has = new Set(marked);
  const pages: (string | null)[] = [];
  const reported: unknown[] = [];
  const placed: string[] = [];
  const stores = {
    dirtyMarks: {
      add: async () => {},
      marked: async (_index: string, _unit: string, some: string[]) =>
        some.filter((id) => has.has(id)),
    },
    units: {
      place: async (_unit: string, some: readonly string[]) => {
        placed.push(...some);
        return some.map((unitId) => ({ unit: 'message', unitId, scopeId: 's', shard: 3 }));
      },
      messageRange: async () => {
        const [first, last] = [others[0], others.at(-1)];
        return first === undefined || last === undefined ? null : { first, last };
      },
      comparedMessages: async (which: { ids?: readonly string[] }) =>
        (which.ids ?? others).map((id) => ({ id, readers: ['anna'], is_settled: true })),
    },
  };
  const mark = createMessageMarker({
    inAccount: (async (_id: string, work: (given: unknown) => unknown) =>
      work(stores)) as unknown as InAccount,
    points: {
      // Points begin where the random place does not point to, unless the walk goes round.
      awaitingVector: async (_account, from, limit) => {
        pages.push(from);
        const start = from === null ? 0 : from.startsWith('f') ? awaiting.length : Number(from);
        const end = start + limit;
        return {
          messageIds: awaiting.slice(start, end),
          next: end < awaiting.length ? String(end) : null,
        };
      },
      indexed: async () => new Map(),
      ...points,
    },
    hasEmbedder: () => true,
    random: () => 0.999_999_999_9,
    report: (event, fields) => void reported.push([event, fields['engine']]),
  });
  return { mark: () => mark(account, never), pages, placed, reported };
}

test('the walk over passages that wait begins anywhere and goes round once', async () => {
  const awaiting = ids(3);
  const { mark, pages, placed } = scene({ awaiting });
  expect(await mark()).toEqual({
    messages: 3,
    mailboxes: [{ accountId: account, kind: 'projection', shard: 3 }],
  });
  expect(placed.toSorted()).toEqual(awaiting);
  expect([pages[0]?.slice(0, 8), pages.slice(1)]).toEqual([LAST_PLACE.slice(0, 8), [null]]);
});

test('passages that have a mark already do not hide one that has none', async () => {
  const awaiting = ids(1_200);
  const { mark, placed } = scene({ awaiting, marked: awaiting.slice(0, -1) });
  expect(await mark()).toMatchObject({ messages: 1 });
  expect(placed).toEqual(awaiting.slice(-1));
});

test('at most five pages are read, however many passages wait', async () => {
  const awaiting = ids(9_000);
  const { mark, pages } = scene({ awaiting, marked: awaiting });
  expect(await mark()).toMatchObject({ messages: 0 });
  expect(pages).toHaveLength(5);
});

test('messages are compared also when the index does not say which passages wait', async () => {
  const others = ids(2);
  const { mark, placed, reported } = scene({
    others,
    points: { awaitingVector: () => Promise.reject(new IndexFailure('qdrant', 'timeout')) },
  });
  expect(await mark()).toMatchObject({ messages: 2 });
  expect(placed.toSorted()).toEqual(others);
  expect(reported).toEqual([['projection.engine_failed', 'qdrant']]);
});

test('passages that wait are marked also when messages cannot be compared', async () => {
  const awaiting = ids(1);
  const { mark, placed } = scene({
    awaiting,
    others: ids(1),
    points: { indexed: () => Promise.reject(new IndexFailure('qdrant', 'away')) },
  });
  expect(await mark()).toMatchObject({ messages: 1 });
  expect(placed).toEqual(awaiting);
});
