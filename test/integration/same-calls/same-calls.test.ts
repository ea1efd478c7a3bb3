/**
 * A word that only hidden statements hold makes the service do what a word of no statement makes it do: the same calls to
 * Qdrant and Meilisearch and the same SQL statements, as many and in the same order. The answers are the same as well,
 * but for the outcome `candidate_filter`, which may say of what waits for a person that it exists.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { execute } from '../../../operations/execute.ts';
import type { Operation } from '../../../operations/operation.ts';
import { readContext } from '../../../operations/retrieval/context.ts';
import { queryKnowledge } from '../../../operations/retrieval/knowledge.ts';
import { search } from '../../../operations/retrieval/search.ts';
import { searchSources } from '../../../operations/retrieval/source-search.ts';
import { buildRetrieval, type Retrieval } from '../../../runtime/container/retrieval.ts';
import { openTestDatabase, type OpenDatabase } from '../../support/database.ts';
import { testServers } from '../../support/environment.ts';
import { dropIndexes } from '../../support/indexes.ts';
import { sized } from '../../support/run.ts';
import { createAccountScene, type AccountScene } from '../search/account.ts';
import { readingContext, searchDependencies } from '../search/scene.ts';
import { Recorder, openProxy, type Calls, type RecordingProxy } from './recorder.ts';
import { ABSENT, fill, HIDDEN, NOW, PAST } from './worlds.ts';

/** What may be asked with a word. A further operation that searches is a further line of `REQUESTS`. */
interface Request {
  readonly operation: Operation;
  readonly body: (query: string) => Readonly<Record<string, unknown>>;
  /** Whether its answer may say that there is something, and as of when. */
  readonly mentions: 'never' | 'today' | 'past';
  /** It answers a reader without a peer without asking for anything. */
  readonly asksForPeersAlone?: boolean;
  /** It asks Postgres in several transactions at once. */
  readonly sideBySide?: boolean;
}
const REQUESTS: Readonly<Record<string, Request>> = {
  'a fast search': searching({ profile: 'fast' }),
  'a balanced search': searching({ profile: 'balanced' }),
  'a thorough search': searching({ profile: 'thorough', limit: 50 }),
  'a minimal search': searching({ profile: 'minimal' }),
  'a fast search of the past': searching({ profile: 'fast', as_of: PAST }),
  'a balanced search of the past': searching({ profile: 'balanced', as_of: PAST }),
  'a thorough search of the past': searching({ profile: 'thorough', as_of: PAST }),
  'a search with a filter': searching({ source_filters: { minimum_corroboration: 1 } }),
  'a search with a minimum': searching({ min_score: 0.9 }),
  'a search of several scopes': searching({ scope_paths: ['/poc', '/nowhere/deep', '/'] }),
  'a search over messages by words': searchingMessages('exact'),
  'a search over messages by meaning': searchingMessages('semantic'),
  'a search over messages with their neighbours': searchingMessages('exact', {
    include_neighbours: true,
  }),
  'a context': {
    operation: readContext,
    body: (query) => ({ query }),
    mentions: 'never',
    sideBySide: true,
  },
};

function searchingMessages(mode: string, fields: object = {}): Request {
  const body = (query: string) => ({ query, mode, ...fields });
  return { operation: searchSources, body, mentions: 'never', asksForPeersAlone: true };
}

function searching(fields: Readonly<Record<string, unknown>>): Request {
  const mentions = fields['as_of'] === undefined ? 'today' : 'past';
  return {
    operation: search,
    body: (query) => ({ query, ...fields }),
    // The fast profile does not search by words.
    mentions: fields['profile'] === 'fast' ? 'never' : mentions,
  };
}

/** The operators that a query can have around the word; `harbour` is in statements that everybody reads. */
const QUERIES: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => `harbour ${word}`,
  // Slips, of the word and of one that everybody reads.
  (word) => `harbour ${word}q`,
  (word) => `harbuor ${word}`,
  (word) => `"${word}"`,
  (word) => `${word} "${word} in a boat"`,
  (word) => `harbour -${word}`,
  (word) => `-${word}`,
  (word) => `${word} or harbour`,
  (word) => `${word} "harbour is open"`,
];

const prefix = `c${randomBytes(5).toString('hex')}`;
const recorder = new Recorder();
let database: OpenDatabase;
let proxies: readonly RecordingProxy[];
let retrieval: Retrieval;
let dependencies: Parameters<typeof buildRetrieval>[0];
let worlds: Readonly<Record<'full' | 'bare', AccountScene>>;

beforeAll(async () => {
  const servers = testServers();
  database = await openTestDatabase({ interceptors: [recorder.interceptor] });
  const qdrant = await openProxy(recorder, 'qdrant', servers.qdrant.url);
  const meilisearch = await openProxy(recorder, 'meilisearch', servers.meilisearch.url);
  proxies = [qdrant, meilisearch];
  const direct = searchDependencies(database.pool, prefix);
  const filling = buildRetrieval(direct);
  await filling.ensureIndexes();
  dependencies = {
    ...direct,
    qdrant: { ...servers.qdrant, url: qdrant.url },
    meilisearch: { ...servers.meilisearch, url: meilisearch.url },
  };
  retrieval = buildRetrieval(dependencies);
  const open = async (which: 'full' | 'bare') => {
    const account = await createAccountScene(database.rows, database.pool, () => filling.indexer);
    await fill(database, account, which);
    return account;
  };
  worlds = { full: await open('full'), bare: await open('bare') };
});
afterAll(async () => {
  await dropIndexes(prefix);
  for (const proxy of proxies) await proxy.close();
  await database.close();
});

const READERS = { 'a peer': 'carol', nobody: null } as const;
type ReaderName = keyof typeof READERS;

async function ask(
  which: 'full' | 'bare',
  reader: ReaderName,
  { body, operation, sideBySide = false }: Request,
  query: string,
): Promise<{ readonly answer: unknown; readonly calls: Calls }> {
  const caller: Caller = await worlds[which].caller({ peer: READERS[reader] });
  const context = readingContext(dependencies, retrieval, caller, { minimalRecall: true });
  return recorder.during(() => execute(operation, { ...context, now: NOW }, body(query)), {
    sideBySide,
  });
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The answer without what the clock measured and without ids, and the outcome of the filter apart. */
function apart(answer: unknown) {
  const text = JSON.stringify(answer, (key, value: unknown) => (key.endsWith('_ms') ? 0 : value));
  const data = JSON.parse(text.replaceAll(UUID, 'uuid'));
  const outcomes: readonly unknown[] = data.retrieval_outcomes ?? [];
  const isFilter = (outcome: unknown) => Object(outcome).component === 'candidate_filter';
  const filter = outcomes.some(isFilter);
  const others = outcomes.filter((outcome) => !isFilter(outcome));
  const { degraded, degraded_components: parts, ...rest } = data;
  const components: readonly unknown[] = parts ?? [];
  return {
    filter,
    degraded: filter ? components.length > 1 : degraded,
    components: components.filter((part) => part !== 'candidate_filter'),
    rest: { ...rest, retrieval_outcomes: others },
  };
}

const words = Object.keys(HIDDEN);

/** The requests that are asked in every way, one of today and one of the past; the others are asked in the plainest. */
const THOROUGHLY = [
  'a balanced search',
  'a thorough search of the past',
  'a search over messages by words',
  'a search over messages by meaning',
];
/** The short run asks the plainest query with every word, and each other one with a third of the words, in turns. */
const EVERY = sized({ short: 3, long: 1 });

function queriesWith(word: string, queries: typeof QUERIES): readonly string[] {
  const at = words.indexOf(word);
  return queries
    .filter((_, nth) => nth === 0 || (at + nth) % EVERY === 0)
    .map((query) => query(word));
}

const cases = Object.keys(REQUESTS).flatMap((name) => [
  [name, 'a peer', THOROUGHLY.includes(name) ? QUERIES : QUERIES.slice(0, 3)] as const,
  ...(REQUESTS[name]?.asksForPeersAlone === true
    ? []
    : [[name, 'nobody', QUERIES.slice(0, 2)] as const]),
]);

describe.each(cases)('%s for %s', (name, reader, queries) => {
  const request = REQUESTS[name];
  if (request === undefined) throw new Error('no such request');
  const { mentions } = request;

  /** Whether an answer to a query with the word may say that there is something. */
  const mayMention = (word: string, query: string, calls: Calls): boolean => {
    const asksAlone = query === word || query.startsWith(`${word} "${word}`);
    if (mentions === 'never' || !asksAlone || !('qdrant words' in calls)) return false;
    return HIDDEN[word]?.mentioned[mentions] === true;
  };

  test('asks the servers the same for a hidden word as without it, and answers the same but for the filter', async () => {
    const mentioned: string[] = [];
    let lanes = 0;
    for (const word of words) {
      for (const query of queriesWith(word, queries)) {
        const bare = await ask('bare', reader, request, query);
        const full = await ask('full', reader, request, query);
        expect([query, full.calls]).toEqual([query, bare.calls]);
        lanes = Math.max(lanes, Object.keys(full.calls).length);
        const [without, answer] = [apart(bare.answer), apart(full.answer)];
        expect([query, { ...answer, filter: false }]).toEqual([query, without]);
        expect([query, answer.filter]).toEqual([query, mayMention(word, query, full.calls)]);
        if (answer.filter) mentioned.push(word);
      }
    }
    // Without calls there would be nothing to compare.
    expect(lanes).toBeGreaterThan(1);
    expect(mentioned.length > 0).toBe(mentions !== 'never');
  });
});

test('a context has parts of both accounts, which are the same', async () => {
  const request = REQUESTS['a context'];
  if (request === undefined) throw new Error('no such request');
  const answers = await Promise.all(
    (['bare', 'full'] as const).map(async (which) => {
      const { answer } = await ask(which, 'a peer', request, 'harbour');
      return apart(answer).rest;
    }),
  );
  const [bare, full] = answers;
  expect(bare.scope_cards).toHaveLength(1);
  expect(full).toEqual(bare);
});

test('another word in its place changes which terms are asked for, and nothing else', async () => {
  // The bare account has none of the words, and the harbour is found by all of them.
  for (const request of Object.values(REQUESTS)) {
    const [hidden = ''] = words;
    const asked = async (word: string) =>
      (await ask('full', 'a peer', request, `harbour ${word}`)).calls;
    expect(await asked(hidden)).toEqual(await asked(ABSENT));
  }
});

test.each([
  ['a search', search, { query: 'harbour' }, {}],
  ['a search over messages', searchSources, { query: 'harbour', include_neighbours: true }, {}],
  ['a context', readContext, { query: 'harbour' }, { sideBySide: true }],
  ['a list', queryKnowledge, {}, {}],
] as const)(
  '%s of 16 scopes sends Postgres the statements that one of one scope sends',
  async (_what, operation, body, how) => {
    const caller = await worlds.full.caller({ peer: 'carol' });
    const context = readingContext(dependencies, retrieval, caller, { minimalRecall: true });
    const of = async (scopes: object) => {
      const run = () =>
        execute(operation as Operation, { ...context, now: NOW }, { ...body, ...scopes });
      return (await recorder.during(run, how)).calls['sql'];
    };
    const paths = ['/poc', '/poc/below', ...Array.from({ length: 14 }, (_, n) => `/away/${n}`)];
    const one = await of({ scope_path: '/poc/below' });
    expect(one?.length).toBeGreaterThan(1);
    expect(await of({ scope_paths: paths })).toEqual(one);
  },
);
