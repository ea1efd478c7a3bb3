/** What a source search answers while parts of it are away. */
import { NOTHING_USED } from '../../../domain/models/usage.ts';
import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { ModelFailure } from '../../../domain/error-class.ts';
import { embedDeterministic } from '../../../engine/text/embedding/deterministic.ts';
import type { RetrievalDependencies } from '../../../runtime/container/retrieval-dependencies.ts';
import { testServers } from '../../support/environment.ts';
import { NO_ROLES } from '../../unit/models/fixtures.ts';
import { openSearchScene, type AccountScene, type SearchScene } from './scene.ts';

type Replaced = Partial<RetrievalDependencies>;
const { meilisearch, qdrant } = testServers();
/** Nobody listens there. */
const AWAY = 'http://127.0.0.1:9';
const embedding = (embed: RetrievalDependencies['gateway']['embed']): Replaced => ({
  gateway: { embed },
});
const space = {
  provider: 'deterministic',
  model: 'built-in',
  version: '1',
  dimensions: 384,
} as const;
const usage = NOTHING_USED;

let scene: SearchScene;
let account: AccountScene;
let anna: Caller;
/** Takes connections and answers none. */
let silent: Server;
let silentUrl: string;

const say = (text: string, speaker = 'anna') => account.message({ speaker, text });
const ask = (mode: string, query = 'red canoe', caller = anna) =>
  scene.sources(caller, { query, mode });

beforeAll(async () => {
  scene = await openSearchScene();
  silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
});

beforeEach(async () => {
  account = await scene.account();
  anna = await account.caller({ peer: 'anna' });
});

afterEach(() => {
  scene.rebuilt({});
});

afterAll(async () => {
  silent.closeAllConnections();
  silent.close();
  await scene.close();
});

interface Fault {
  readonly what: string;
  readonly replaced: () => Replaced;
  readonly query?: string;
  /** Another collection is asked, and is filled first. */
  readonly fills?: boolean;
  /** Status, failure class and number of results, by mode. */
  readonly semantic: readonly [string, string | null, number];
  readonly exact: readonly [string, string | null, number];
}

const failing = (error: Error) =>
  embedding(async () => {
    throw error;
  });

const FAULTS: readonly Fault[] = [
  {
    what: 'nothing',
    replaced: () => ({}),
    semantic: ['ready', null, 1],
    exact: ['ready', null, 1],
  },
  {
    what: 'an embedder that is switched off',
    replaced: () => ({ models: NO_ROLES }),
    fills: true,
    semantic: ['unavailable', 'model_not_configured', 0],
    exact: ['ready', null, 1],
  },
  {
    what: 'an embedder that is switched off, and Qdrant away',
    replaced: () => ({ models: NO_ROLES, qdrant: { ...qdrant, url: AWAY } }),
    semantic: ['unavailable', 'model_not_configured', 0],
    exact: ['stale', 'index_away', 1],
  },
  {
    what: 'an embedder that fails',
    replaced: () => failing(new ModelFailure('provider_rate_limited')),
    semantic: ['failed', 'provider_rate_limited', 0],
    exact: ['ready', null, 1],
  },
  {
    what: 'an embedder behind an open circuit',
    replaced: () => failing(new ModelFailure('circuit_open')),
    semantic: ['failed', 'circuit_open', 0],
    exact: ['ready', null, 1],
  },
  {
    what: 'an embedder that does not answer',
    replaced: () => ({ ...embedding(() => new Promise(() => {})), patienceMs: 2_000 }),
    semantic: ['failed', 'request_timeout', 0],
    exact: ['ready', null, 1],
  },
  {
    what: 'Qdrant away',
    replaced: () => ({ qdrant: { ...qdrant, url: AWAY } }),
    semantic: ['failed', 'index_away', 0],
    exact: ['stale', 'index_away', 1],
  },
  {
    what: 'Qdrant without an answer',
    replaced: () => ({ qdrant: { ...qdrant, url: silentUrl }, patienceMs: 4_000 }),
    semantic: ['failed', 'index_timeout', 0],
    exact: ['stale', 'index_timeout', 1],
  },
  {
    what: 'Qdrant refusing',
    replaced: () => ({ qdrant: { ...qdrant, apiKey: 'wrong' } }),
    semantic: ['failed', 'index_refused', 0],
    exact: ['stale', 'index_refused', 1],
  },
  {
    what: 'Meilisearch away',
    replaced: () => ({ meilisearch: { ...meilisearch, url: AWAY } }),
    semantic: ['ready', null, 1],
    exact: ['ready', null, 1],
  },
  {
    what: 'Meilisearch away, and a phrase to be found',
    replaced: () => ({ meilisearch: { ...meilisearch, url: AWAY } }),
    query: '"red canoe"',
    semantic: ['stale', 'index_away', 1],
    exact: ['stale', 'index_away', 1],
  },
  {
    what: 'Meilisearch away, and a phrase of words that weigh nothing',
    replaced: () => ({ meilisearch: { ...meilisearch, url: AWAY } }),
    query: '"it was one"',
    semantic: ['stale', 'index_away', 0],
    exact: ['failed', 'index_away', 0],
  },
  {
    what: 'both indexes away',
    replaced: () => ({
      qdrant: { ...qdrant, url: AWAY },
      meilisearch: { ...meilisearch, url: AWAY },
    }),
    semantic: ['failed', 'index_away', 0],
    exact: ['failed', 'index_away', 0],
  },
];

describe.each(FAULTS)('with $what', ({ exact, fills = false, query, replaced, semantic }) => {
  test.each([
    ['semantic', semantic],
    ['exact', exact],
  ] as const)('a %s search answers so', async (mode, [status, failureClass, results]) => {
    await say('The red canoe lies at the lake');
    await account.refresh();
    const { indexes } = scene.rebuilt(replaced());
    if (fills) await indexes.rebuild(account.id, null, new AbortController().signal);
    const answer = await ask(mode, query);
    expect([answer.status, answer.failure_class, answer.results.length]).toEqual([
      status,
      failureClass,
      results,
    ]);
    const marks = await scene.sql('select from dirty_marks where account_id = $1', [account.id]);
    expect(marks).toEqual([]);
  });
});

describe('a search that is not needed', () => {
  test('asks neither the embedder nor an index', async () => {
    await say('The red canoe lies at the lake');
    await account.refresh();
    scene.rebuilt({
      ...failing(new Error('asked')),
      qdrant: { ...qdrant, url: AWAY },
      meilisearch: { ...meilisearch, url: AWAY },
    });
    const nobody = await account.caller({ peer: null });
    for (const mode of ['semantic', 'exact']) {
      for (const [caller, query] of [
        [anna, ''],
        [anna, ' \t '],
        [anna, '-canoe'],
        [anna, '?!'],
        [nobody, 'red canoe'],
      ] as const) {
        const { failure_class, results, status } = await ask(mode, query, caller);
        expect([mode, query, status, failure_class, results]).toEqual([
          mode,
          query,
          'empty',
          null,
          [],
        ]);
      }
    }
  });

  test('for a reader without messages asks no embedder', async () => {
    await say('The red canoe lies at the lake');
    await account.refresh();
    scene.rebuilt(failing(new Error('asked')));
    const carol = await account.caller({ peer: 'carol' });
    expect(await ask('semantic', 'red canoe', carol)).toMatchObject({ status: 'empty' });
  });
});

test('a search whose caller has left ends', async () => {
  await say('The red canoe lies at the lake');
  await account.refresh();
  const left = new AbortController();
  scene.rebuilt(
    embedding((texts) => {
      left.abort(new Error('left'));
      return Promise.resolve({ vectors: texts.map(embedDeterministic), space, usage });
    }),
  );
  await expect(
    scene.sources(anna, { query: 'red canoe', mode: 'semantic' }, left.signal),
  ).rejects.toThrow('left');
});

describe('a hidden message', () => {
  const asked: string[] = [];
  const proxies: Server[] = [];

  /** Passes everything on, and notes what is asked. */
  async function noting(url: string): Promise<string> {
    const proxy = createServer((incoming, answer) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => {
        const body = Buffer.concat(parts);
        asked.push(`${incoming.method} ${incoming.url} ${body.toString()}`);
        const { host: _host, ...headers } = incoming.headers;
        const onward = httpRequest(
          new URL(incoming.url ?? '/', url),
          { method: incoming.method, headers },
          (back) => {
            answer.writeHead(back.statusCode ?? 502, back.headers);
            back.pipe(answer);
          },
        );
        onward.end(body);
      });
    }).listen(0, '127.0.0.1');
    proxies.push(proxy);
    await once(proxy, 'listening');
    return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  }

  afterAll(() => {
    for (const proxy of proxies) {
      proxy.closeAllConnections();
      proxy.close();
    }
  });

  test('changes neither an answer nor a question to an index, whatever it says', async () => {
    await say('The red canoe lies at the lake');
    await say('Bread is baked on Tuesdays');
    await account.refresh();
    const carol = await account.caller({ peer: 'carol' });
    const through = {
      qdrant: { ...qdrant, url: await noting(qdrant.url) },
      meilisearch: { ...meilisearch, url: await noting(meilisearch.url) },
    };
    const everything = async () => {
      scene.rebuilt(through);
      asked.length = 0;
      const answers = [];
      for (const caller of [anna, carol]) {
        for (const mode of ['semantic', 'exact']) {
          for (const query of [
            'red canoe',
            '"red canoe"',
            'canoe -bread',
            'heron',
            'bread or heron',
          ]) {
            answers.push(await ask(mode, query, caller));
          }
        }
      }
      return { answers, asked: asked.toSorted() };
    };
    const before = await everything();
    expect(before.asked.length).toBeGreaterThan(20);
    scene.rebuilt({});
    for (const text of ['red canoe', 'red canoe', 'a heron', 'bread', 'a red heron in a canoe']) {
      await say(text, 'zoe');
    }
    expect(await everything()).toEqual(before);
    scene.rebuilt({});
    await account.refresh();
    expect(await everything()).toEqual(before);
  });
});
