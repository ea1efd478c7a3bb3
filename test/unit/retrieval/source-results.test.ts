/** How the results of a source search are read: what is asked of the database, and what could not be checked. */
import { describe, expect, test } from '@jest/globals';
import type {
  SourceSearchDependencies,
  SourceSearchRequest,
} from '../../../engine/source-search/dependencies.ts';
import { startParts } from '../../../engine/source-search/parts.ts';
import { readResults } from '../../../engine/source-search/results.ts';
import { ON_THE_LOOP, createTextWork } from '../../../engine/offload/text-work.ts';
import { OffloadFailure } from '../../../engine/offload-failure.ts';
import type { Threads } from '../../../engine/offload/threads.ts';
import { startDeadline } from '../../../engine/retrieval/deadline.ts';
import { planQuery, weighWords } from '../../../engine/text/query-plan.ts';
import type { TransactionLimits } from '../../../stores/postgres/pool.ts';
import {
  SourceMessagesStore,
  type FoundSource,
} from '../../../stores/postgres/observations/source-messages.store.ts';
import { NO_TRAITS } from '../../../domain/ranking/traits.ts';
import type { Stores } from '../../../stores/postgres/stores.ts';

const READER = { posture: 'peer', peerId: 'p' } as const;
const TEXT_TOO_LONG_FOR_THE_LOOP = 'canoe '.repeat(4_000);

const HIDDEN = 'hidden';
const RANKED = { score: 9, order: 0, beginsAt: null, traits: NO_TRAITS };

interface World {
  /** What the database shows, in order; null has no room. */
  readonly texts: readonly (string | null)[];
  readonly limit?: number;
  /** The hits have scores of the index of words; the database is asked who said which of them. */
  readonly isOfIndex?: boolean;
  readonly text?: SourceSearchDependencies['text'];
}

const rowOf = (text: string | null, n: number): FoundSource => ({
  message_id: `m${n}`,
  session_id: 's',
  scope_path: '/',
  peer_key: 'anna',
  peer_name: 'Anna',
  role: 'user',
  occurred_at: '2026-03-01T10:00:00.000Z',
  text,
  text_begins_at: 0,
  is_cut_after: false,
});

async function read(
  query: string,
  { isOfIndex = false, limit = 2, text = ON_THE_LOOP, texts }: World,
) {
  const limits: (TransactionLimits | undefined)[] = [];
  const asked: string[][] = [];
  const spoken: string[][] = [];
  const rows = texts.map(rowOf);
  const stores = {
    sourceMessages: {
      read: (found: readonly { id: string }[]) => {
        asked.push(found.map(({ id }) => id));
        return Promise.resolve(rows);
      },
      spoken: (ids: readonly string[]) => {
        spoken.push([...ids]);
        return Promise.resolve(
          ids
            .filter((id) => id !== HIDDEN)
            .map((id) => ({
              id,
              session_id: 's',
              role: 'user',
              speaker_peer_id: 'p',
              speaker_name: 'Anna',
            })),
        );
      },
    },
  } as unknown as Stores;
  const dependencies = {
    inAccount: (_account, work, given) => {
      limits.push(given);
      return work(stores);
    },
    text,
    limits: { deadlineMs: 5_000, partMs: 2_000 },
  } as Partial<SourceSearchDependencies> as SourceSearchDependencies;
  const request: SourceSearchRequest = {
    accountId: 'a',
    scopeIds: ['s'],
    reader: READER,
    query,
    mode: 'exact',
    limit,
    excerptChars: 80,
    traceId: 't',
    signal: new AbortController().signal,
  };
  const deadline = startDeadline(() => performance.now(), 5_000);
  const hits = rows.map(({ message_id: messageId }, n) => ({
    messageId,
    score: 1 - n / 10,
    order: n,
    beginsAt: null,
    traits: NO_TRAITS,
  }));
  const plan = planQuery(query, query);
  const words = weighWords(plan, 'a', { units: 0, byTerm: new Map() });
  const { isCut, results } = await readResults(
    dependencies,
    { request, plan, words },
    { hits: isOfIndex ? [{ ...RANKED, messageId: HIDDEN }, ...hits] : hits, isOfIndex },
    deadline,
    startParts(deadline, 2_000, request.signal),
  );
  const found = results.map(({ message }) => message.message_id);
  return { isCut, found, asked, spoken, limits, signal: request.signal };
}

describe('the database', () => {
  test('is asked also when no index found anything, with or without operators', async () => {
    for (const query of ['canoe', '"canoe"']) {
      expect(await read(query, { texts: [] })).toMatchObject({
        asked: [[]],
        found: [],
        isCut: false,
      });
    }
  });

  test('is sent the query of the store also for no message', async () => {
    const sent: string[] = [];
    const note = ({ sql }: { sql: string }) => {
      sent.push(sql);
      return Promise.resolve([]);
    };
    const tx = { any: note, anyFirst: note } as unknown as ConstructorParameters<
      typeof SourceMessagesStore
    >[0];
    const store = new SourceMessagesStore(tx, 'a');
    const part = { part: 'around', before: 1, length: 2, unplaced: 3 } as const;
    await store.read([], { reader: READER, scopeIds: ['s'] }, part, 1);
    await store.readable([], { reader: READER, scopeIds: ['s'] });
    await store.spoken([], { reader: READER, scopeIds: ['s'] });
    expect(sent).toHaveLength(3);
    // The length of a text is known when all of it has been read.
    expect(sent.join()).not.toMatch(/char_length\(m\.content\)/);
  });

  test('is asked who said what an index ranked, once for all of it, and reads texts of what it showed alone', async () => {
    const ranked = await read('canoe', { texts: ['a canoe', 'the canoe'], isOfIndex: true });
    expect(ranked).toMatchObject({
      spoken: [[HIDDEN, 'm0', 'm1']],
      asked: [['m0', 'm1']],
      found: ['m0', 'm1'],
    });
    expect(await read('canoe', { texts: [] })).toMatchObject({ spoken: [], asked: [[]] });
  });

  test('ends its statement with the part, and with the caller', async () => {
    const { limits, signal } = await read('canoe', { texts: ['a canoe'] });
    expect(limits).toEqual([{ statementTimeoutMs: 2_100, signal, readOnly: true }]);
  });
});

describe('a result that an unchecked text might stand before', () => {
  const has = '"red canoe"';

  test('is told of, where the texts had no room for it', async () => {
    const cut = await read(has, { texts: ['a red canoe', null] });
    expect(cut).toMatchObject({ found: ['m0'], isCut: true });
  });

  test('is told of, where a text could not be checked', async () => {
    const failing: Threads = {
      run: () => Promise.reject(new OffloadFailure('failed')),
    } as Partial<Threads> as Threads;
    const text = createTextWork(failing);
    const cut = await read('canoe -bread', { texts: [TEXT_TOO_LONG_FOR_THE_LOOP], text });
    expect(cut).toMatchObject({ found: [], isCut: true });
  });

  test('is no matter where as many stronger ones are shown as were asked for', async () => {
    const full = await read(has, { texts: ['a red canoe', 'no', 'the red canoe', null] });
    expect(full).toMatchObject({ found: ['m0', 'm2'], isCut: false });
    const before = await read(has, { texts: ['a red canoe', null, 'the red canoe'] });
    expect(before).toMatchObject({ found: ['m0', 'm2'], isCut: true });
  });

  test('is not there, where all were checked', async () => {
    const all = await read(has, { texts: ['a red canoe', 'bread'] });
    expect(all).toMatchObject({ found: ['m0'], isCut: false });
  });
});
