/** What ranks beside the words of a query, on the real indexes: related words, who speaks or is meant, time and session. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MOST_LISTED } from '../../../domain/retrieval/listed.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { createQdrantClient } from '../../../stores/qdrant/client.ts';
import type { MessagePayload } from '../../../stores/qdrant/point.ts';
import { testServers } from '../../support/environment.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { openSearchScene, type AccountScene, type SearchScene, type SourceData } from './scene.ts';

const MARCH = '2026-03-01T00:00:00.000Z';

let scene: SearchScene;

beforeAll(async () => {
  scene = await openSearchScene();
});
afterAll(() => scene.close());

/** What a message has beside its text. Each has a session of its own, in which carol takes part. */
interface Said {
  readonly speaker?: string;
  readonly text: string;
  readonly role?: string;
  readonly occurredAt?: string;
  readonly traits?: Partial<MessagePayload>;
}

/** Writes traits into the points of messages, whatever the indexer wrote. */
async function setTraits(
  traits: readonly (readonly [id: string, of: Partial<MessagePayload>])[],
): Promise<void> {
  const qdrant = createQdrantClient({ ...testServers().qdrant, timeoutMs: HANGS_MS });
  const { collections } = await qdrant.getCollections();
  const own = collections.filter(({ name }) => name.startsWith(`${scene.prefix}_`));
  for (const { name } of own) {
    for (const [id, payload] of traits) {
      const filter = { must: [{ key: 'source_id', match: { value: id } }] };
      await qdrant.setPayload(name, { payload: { ...payload }, filter, wait: true });
    }
  }
}

async function tell(
  account: AccountScene,
  said: Readonly<Record<string, Said>>,
  attendees: readonly string[] = ['carol'],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const traits: [string, Partial<MessagePayload>][] = [];
  for (const [name, { traits: of, ...input }] of Object.entries(said)) {
    const id = await account.message({ speaker: 'bob', occurredAt: MARCH, ...input });
    for (const peer of attendees) await account.attend(peer, id);
    names.set(id, name);
    if (of !== undefined) traits.push([id, of]);
  }
  await account.refresh();
  await setTraits(traits);
  return names;
}

/** Names of the messages that a search by words finds, best first. */
async function order(
  account: AccountScene,
  names: ReadonlyMap<string, string>,
  query: string,
  peer = 'carol',
): Promise<string[]> {
  const found = await scene.sources(await account.caller({ peer }), { query, mode: 'exact' });
  expect(found.status).toBe('ready');
  const scores = found.results.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
  return found.results.map(({ message_id: id }) => names.get(id) ?? id);
}

describe('a search over messages by words', () => {
  test('finds a word that may stand for one of the query, and shows it', async () => {
    const account = await scene.account();
    const filler = 'Nothing of note happened on that day in the harbour of the town. '.repeat(40);
    const names = await tell(account, {
      dog: { text: `${filler}My dog barked at the postman. ${filler}` },
      bread: { text: 'Bread is baked on Tuesdays' },
    });
    expect(await order(account, names, 'which pets')).toEqual(['dog']);
    const reader = await account.caller({ peer: 'carol' });
    const found = await scene.sources(reader, { query: 'which pets', mode: 'exact' });
    expect(found.results[0]?.excerpt).toContain('My dog barked');
  });

  test('lifts what the one person says whom the query names', async () => {
    const account = await scene.account();
    const traits = { says_something: true } as const;
    const names = await tell(account, {
      bobs: { speaker: 'bob', text: 'The red boat lies here', traits },
      annas: { speaker: 'anna', text: 'The red boat lies at the pier near Bergen', traits },
    });
    expect(await order(account, names, 'the red boat')).toEqual(['bobs', 'annas']);
    expect(await order(account, names, "Anna's red boat")).toEqual(['annas', 'bobs']);
  });

  test('lifts own turns to an assistant when somebody asks of themself', async () => {
    const account = await scene.account();
    const traits = { with_assistant: true, says_something: true } as const;
    const names = await tell(account, {
      answer: { speaker: 'hal', role: 'assistant', text: 'A quota counts requests', traits },
      bobs: { speaker: 'bob', text: 'A quota of some requests is what counts', traits },
      carols: {
        speaker: 'carol',
        text: 'Some quota for all of those requests counts a lot',
        traits,
      },
    });
    await scene.sql('update peers set kind = $2 where account_id = $1 and key = $3', [
      account.id,
      'agent',
      'hal',
    ]);
    expect(await order(account, names, 'quota requests')).toEqual(['answer', 'bobs', 'carols']);
    expect((await order(account, names, 'my quota requests'))[0]).toBe('carols');
    // Who speaks in none of them may mean any person.
    for (const [id] of names) await account.attend('erwin', id);
    await scene.sql(
      `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
       select account_id, e, 'message', id, scope_id, 0 from messages, unnest(enum_range(null::index_engine)) e
       where account_id = $1`,
      [account.id],
    );
    await account.refresh();
    await setTraits([...names].map(([id]) => [id, traits]));
    expect(await order(account, names, 'my quota requests', 'erwin')).toEqual([
      'bobs',
      'carols',
      'answer',
    ]);
  });

  test('lifts what names a time when a time is asked, and lowers what only asks', async () => {
    const account = await scene.account();
    const names = await tell(account, {
      timed: { text: 'We sold the boat last week in Bergen', traits: { time_cue: true } },
      plain: { text: 'We sold the boat there in Bergen' },
      asks: { text: 'We sold the boat?', traits: { short_question: true } },
    });
    expect((await order(account, names, 'sold the boat'))[0]).toBe('plain');
    expect((await order(account, names, 'when was the boat sold'))[0]).toBe('timed');
  });

  test('lifts a session that holds most of what was found, once there are five', async () => {
    const account = await scene.account();
    const names = await tell(account, {
      alone: { text: 'The otter sleeps beside the river' },
      together: { text: 'The otter sleeps beside the river bank' },
      beside: { text: 'The otter sleeps there beside an old river bank' },
    });
    const [, together, beside] = [...names.keys()];
    await scene.sql(
      `update messages set session_id = (select session_id from messages where id = $1) where id = $2`,
      [together, beside],
    );
    await account.refresh();
    const query = 'otter beside the river';
    expect((await order(account, names, query))[0]).toBe('alone');
    const others = Array.from({ length: 3 }, (_, n) => [`other${n}`, { text: `${n} an otter` }]);
    const more = await tell(account, Object.fromEntries(others));
    const all = new Map([...names, ...more]);
    expect((await order(account, all, query))[0]).toBe('together');
  });

  test('answers the same with and without messages that the reader may not read', async () => {
    const account = await scene.account();
    await tell(account, {
      a: {
        speaker: 'anna',
        text: 'The red boat lies at the pier',
        traits: { with_assistant: true },
      },
      b: { speaker: 'bob', text: 'My boat is red', traits: { says_something: true } },
      c: { speaker: 'carol', text: 'I painted my boat last week', traits: { time_cue: true } },
      d: { speaker: 'bob', text: 'Which boat?', traits: { short_question: true } },
    });
    const queries = ['red boat', "Anna's boat", 'when did I paint my boat', 'vessel', 'boat "red"'];
    const ask = async (): Promise<SourceData[]> => {
      const reader = await account.caller({ peer: 'carol' });
      const answers: SourceData[] = [];
      for (const query of queries) {
        answers.push(await scene.sources(reader, { query, mode: 'exact', limit: 3 }));
      }
      return answers;
    };
    const before = await ask();
    expect(before[0]?.results.length).toBe(3);
    // Another one of that name, in sessions of two and of more than a point names.
    const texts = ['red boat red boat', 'I painted my red boat', 'The boat of Anna'];
    const hidden = texts.map((text, n) => [`h${n}`, { speaker: 'anna banks', text }] as const);
    const traits = { with_assistant: true, says_something: true, time_cue: true } as const;
    const withTraits = hidden.map(([name, said]) => [name, { ...said, traits }]);
    await tell(account, Object.fromEntries(withTraits), ['dora']);
    const crowd = Array.from({ length: MOST_LISTED + 1 }, (_, n) => `guest-${n}`);
    await tell(account, Object.fromEntries(withTraits), crowd);
    expect(await ask()).toEqual(before);
    // They are found by who was there.
    const guest = await account.caller({ peer: 'guest-0' });
    const found = await scene.sources(guest, { query: 'red boat', mode: 'exact' });
    expect(found.results).toHaveLength(3);
  });
});

describe('a search over statements', () => {
  const found = async (account: AccountScene, query: string) => {
    const { candidates } = await scene.search(await account.caller({ peer: 'carol' }), { query });
    return candidates
      .filter(({ strategies }) => strategies.includes('lexical'))
      .map(({ statement }) => statement);
  };

  test('finds a word that may stand for one of the query, also written as one word or as two', async () => {
    const account = await scene.account();
    await account.statement({ text: 'Anna keeps a dog' });
    await account.statement({ text: 'Anna planned a road trip' });
    await account.statement({ text: 'Anna wrote in a notebook' });
    await account.refresh();
    expect(await found(account, 'any pets')).toEqual(['Anna keeps a dog']);
    expect(await found(account, 'roadtrip')).toEqual(['Anna planned a road trip']);
    expect(await found(account, 'note book')).toEqual(['Anna wrote in a notebook']);
  });

  test('lifts statements about the one person whom the query names', async () => {
    const account = await scene.account();
    const bobs = 'The red boat lies here';
    const annas = 'The red boat lies at the pier near Bergen';
    await account.statement({ text: bobs, subject: 'bob' });
    await account.statement({ text: annas, subject: 'anna' });
    await account.refresh();
    expect(await found(account, 'the red boat')).toEqual([bobs, annas]);
    expect(await found(account, "Anna's red boat")).toEqual([annas, bobs]);
  });

  test('answers the same with and without statements that the reader may not read', async () => {
    const account = await scene.account();
    await account.statement({ text: 'The red boat lies here', subject: 'bob' });
    await account.statement({ text: 'The red boat lies at the pier', subject: 'anna' });
    await account.refresh();
    const ask = async () => {
      const reader = await account.caller({ peer: 'carol' });
      const answers = [];
      for (const query of ["Anna's red boat", 'red boat', 'vessel', 'redboat']) {
        const { candidates, disagreement } = await scene.search(reader, { query });
        answers.push({ candidates, disagreement });
      }
      return answers;
    };
    const before = await ask();
    expect(before[0]?.candidates).toHaveLength(2);
    const hidden = { sensitivity: 'personal', submitters: ['dora'] } as const;
    const ids: string[] = [];
    for (const text of ['red boat', 'The boat of Anna is red', 'A ship']) {
      ids.push(await account.statement({ ...hidden, text, subject: 'anna banks' }));
    }
    // The scene counts the words of every statement; the service counts those that all may read (ADR 8).
    await createInAccount(scene.pool)(account.id, (stores) =>
      stores.frequencies.recount({
        gone: ids.map((unitId) => ({ unit: 'statement' as const, unitId })),
      }),
    );
    await account.refresh();
    expect(await ask()).toEqual(before);
    const dora = await scene.search(await account.caller({ peer: 'dora' }), { query: 'red boat' });
    expect(dora.candidates.length).toBeGreaterThan(2);
  });
});
