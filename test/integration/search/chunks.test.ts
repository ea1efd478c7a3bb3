/** Chunks of documents as candidates, on real engines: the hull of their filters, and what a search makes of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ChainReader } from '../../../domain/governance/visibility.ts';
import { chunkSearchFor, MOST_CHUNKS } from '../../../domain/retrieval/chunk-search.ts';
import { NO_SOURCE_FILTERS } from '../../../domain/retrieval/source-filters.ts';
import { words } from '../../../domain/text/tokens.ts';
import { ANALYZER } from '../../../engine/indexes/units.ts';
import { idInIndex } from '../../../stores/id-in-index.ts';
import { chunkFilter as recordFilter } from '../../../stores/meilisearch/chunk-filter.ts';
import { createMeilisearchClient } from '../../../stores/meilisearch/client.ts';
import { indexNames } from '../../../stores/meilisearch/indexes.ts';
import { createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import { chunkFilter } from '../../../stores/qdrant/chunk-filter.ts';
import { createQdrantClient } from '../../../stores/qdrant/client.ts';
import { asFilter } from '../../../stores/qdrant/filter.ts';
import { testServers } from '../../support/environment.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { placeDocument, placeVersion } from './documents.ts';
import { openSearchScene, texts, type AccountScene, type SearchScene } from './scene.ts';

const AWAY = { url: 'http://127.0.0.1:9', apiKey: '' };

let scene: SearchScene;

beforeAll(async () => {
  scene = await openSearchScene();
});
afterEach(() => void scene.rebuilt({}));
afterAll(() => scene.close());

function records() {
  const names = indexNames({ prefix: scene.prefix, analyzerVersion: ANALYZER });
  const client = createMeilisearchClient({ ...testServers().meilisearch, timeoutMs: HANGS_MS });
  return client.index(names.message);
}

/** What both engines and the database let a reader find in the scopes, of one document or of all. */
async function findable(
  account: AccountScene,
  reader: ChainReader,
  scopeIds: readonly string[],
  document: { readonly id: string; readonly sessionId: string } | null,
) {
  const accountId = account.id;
  const read = { scopeIds, reader, asOf: null, documentId: document?.id ?? null, withText: false };
  const all = await scene.sql('select id from messages where account_id = $1', [accountId]);
  const shown = await createRefusingInAccount(scene.pool)(accountId, (stores) =>
    stores.chunks.read(
      all.map(({ id }) => String(id)),
      read,
    ),
  );
  const asked = chunkSearchFor({
    accountId,
    scopeIds,
    reader,
    sourceFilters: NO_SOURCE_FILTERS,
    sessionId: document?.sessionId ?? null,
    asOf: null,
  });
  if (asked === null) return { shown, points: [], records: [] };
  const qdrant = createQdrantClient({ ...testServers().qdrant, timeoutMs: HANGS_MS });
  const { points } = await qdrant.scroll(scene.retrieval.servers.qdrant.collection, {
    filter: asFilter(chunkFilter(asked)),
    limit: 1_000,
    with_payload: ['source_id'],
  });
  const { results } = await records().getDocuments({
    filter: recordFilter(asked),
    fields: ['source_id'],
    limit: 1_000,
  });
  return {
    shown,
    points: points.map(({ payload }) => payload?.['source_id']),
    records: results.map((record) => record['source_id']),
  };
}

describe('the filters of the engines', () => {
  test('let through every chunk that the database shows, for every reader, chain and document', async () => {
    const account = await scene.account();
    const [anna, bruno] = [await account.peer('anna'), await account.peer('bruno')];
    const documents = [
      await placeDocument(scene, account, { uploader: 'anna', chunks: ['One.', 'Two.'] }),
      await placeDocument(scene, account, { uploader: 'anna', chunks: ['Three.'], path: '/poc/a' }),
      await placeDocument(scene, account, { uploader: 'bruno', chunks: ['Four.'] }),
    ];
    await account.message({ speaker: 'anna', text: 'No chunk.' });
    await account.refresh();
    const scopes = [...new Set(documents.map(({ scopeId }) => scopeId))];
    const [poc = '', below = ''] = scopes;
    const asAnna = { posture: 'peer', peerId: anna } as const;
    const asBruno = { posture: 'peer', peerId: bruno } as const;
    const nobody = { posture: 'public_only' } as const;
    const readers: ChainReader[] = [
      asAnna,
      asBruno,
      nobody,
      { posture: 'internal' },
      { posture: 'named', named: asAnna, scopeIds: [below], otherwise: asBruno },
      { posture: 'named', named: asBruno, scopeIds: [poc], otherwise: nobody },
    ];
    let seen = 0;
    for (const reader of readers) {
      for (const chain of [[], [poc], [below], scopes]) {
        for (const document of [null, ...documents]) {
          const { shown, ...engines } = await findable(account, reader, chain, document);
          const ids = shown.map(({ id }) => id).toSorted();
          seen += ids.length;
          // One reader a chunk, and no history: here the hull is the rule itself.
          expect([...new Set(engines.points)].toSorted()).toEqual(ids);
          expect(engines.records.toSorted()).toEqual(ids);
        }
      }
    }
    expect(seen).toBeGreaterThan(30);
  });
});

describe('a search', () => {
  test('finds chunks by words in Meilisearch while Qdrant is away, in the same order', async () => {
    const account = await scene.account();
    const chunks = [
      'The lamp of the tower is lit at dusk by the keeper.',
      'The keeper sleeps by day.',
      'Ships pass the cape.',
    ];
    await placeDocument(scene, account, { uploader: 'anna', chunks });
    await placeDocument(scene, account, { uploader: 'bruno', chunks: ['A lamp for the keeper.'] });
    await account.refresh();
    const anna = await account.caller({ peer: 'anna' });
    const query = { query: 'keeper lamp', profile: 'balanced' };
    const found = [chunks[0], chunks[1]];
    const there = await scene.search(anna, query);
    expect(texts(there).slice(0, 2)).toEqual(found);
    expect(there.degraded).toBe(false);
    scene.rebuilt({ qdrant: AWAY });
    const away = await scene.search(anna, query);
    expect(texts(away)).toEqual(found);
    expect(away.degraded_components).toEqual(expect.arrayContaining(['semantic', 'lexical']));
    const byPhrase = await scene.search(anna, { query: '"sleeps by day"' });
    expect(texts(byPhrase)).toEqual([chunks[1]]);
  });

  test('finds chunks of a past instant although very many that fit better came later', async () => {
    const account = await scene.account();
    const early = 'The keeper of the tower sleeps by day and lights the lamp at dusk.';
    await placeDocument(scene, account, { uploader: 'anna', chunks: [early] });
    // An instant in whole milliseconds may lie before a row of the same millisecond.
    const asOf = new Date(Date.now() + 5).toISOString();
    await sleep(10);
    const later = Array.from({ length: MOST_CHUNKS + 10 }, () => 'Keeper lamp.');
    await placeDocument(scene, account, { uploader: 'anna', chunks: later });
    await account.refresh();
    const anna = await account.caller({ peer: 'anna' });
    const query = { query: 'keeper lamp', profile: 'balanced' };
    expect(texts(await scene.search(anna, query))).not.toContain(early);
    expect(texts(await scene.search(anna, { ...query, as_of: asOf }))).toEqual([early]);
  });

  test('checks operators on the texts of chunks while Meilisearch is away', async () => {
    const account = await scene.account();
    const chunks = ['The red canoe lies at the lake.', 'The canoe at the lake is red.'];
    await placeDocument(scene, account, { uploader: 'anna', chunks });
    await account.refresh();
    const anna = await account.caller({ peer: 'anna' });
    scene.rebuilt({ meilisearch: { url: 'http://127.0.0.1:9', masterKey: '' } });
    const answer = await scene.search(anna, { query: '"red canoe"' });
    expect(texts(answer)).toEqual([chunks[0]]);
    expect(answer.degraded).toBe(true);
    expect(texts(await scene.search(anna, { query: 'canoe -"red canoe"' }))).toEqual([chunks[1]]);
  });

  test('finds chunks whose record in Meilisearch was written before records held a role', async () => {
    const account = await scene.account();
    const text = 'The blue barge carries salt.';
    const { chunkIds, scopeId, sessionId } = await placeDocument(scene, account, {
      uploader: 'anna',
      chunks: [text],
    });
    await account.refresh();
    const [id = ''] = chunkIds;
    const reader = await account.peer('anna');
    const record = {
      id: idInIndex(account.id, 'message', id),
      account: account.id,
      source_id: id,
      now_scope: scopeId,
      row_version: 1,
      text: words(text).join(' '),
      coded: '',
      terms: '',
      session: sessionId,
      speaker: reader,
      readers: [reader],
      order: 1,
    };
    await records().addDocuments([record]).waitTask({ timeout: HANGS_MS });
    const anna = await account.caller({ peer: 'anna' });
    expect(texts(await scene.search(anna, { query: '"blue barge"' }))).toEqual([text]);
  });

  test('shows only what the database shows, whatever an index still holds', async () => {
    const account = await scene.account();
    const old = { uploader: 'anna', chunks: ['The mill had one wheel.'] };
    const document = await placeDocument(scene, account, old);
    const said = await account.message({ speaker: 'anna', text: 'The mill is loud.' });
    await scene.sql(`update messages set role = 'document' where id = $1`, [said]);
    await account.refresh();
    const anna = await account.caller({ peer: 'anna' });
    const query = { query: 'mill', source_filters: {} };
    expect(texts(await scene.search(anna, query))).toEqual(old.chunks);
    // The version is replaced, and no index has heard of it yet.
    await placeVersion(scene, account, document, {
      uploader: 'anna',
      chunks: ['The mill is new.'],
    });
    expect(texts(await scene.search(anna, query))).toEqual([]);
    await account.refresh();
    expect(texts(await scene.search(anna, query))).toEqual(['The mill is new.']);
  });

  test('answers the same whether or not others have documents with these words', async () => {
    const account = await scene.account();
    const chunks = ['The orchard has pears.', 'The orchard wall is old.'];
    await placeDocument(scene, account, { uploader: 'anna', chunks });
    await account.statement({ text: 'Anna planted the orchard', sensitivity: 'internal' });
    await account.refresh();
    const anna = await account.caller({ peer: 'anna' });
    const asked = async () => {
      const { candidates, disagreement } = await scene.search(anna, { query: 'orchard pears' });
      return { candidates, disagreement };
    };
    const before = await asked();
    expect(before.candidates).toHaveLength(3);
    const hidden = Array.from({ length: 40 }, (_, n) => `Pears of the orchard, row ${n}.`);
    await placeDocument(scene, account, { uploader: 'bruno', chunks: hidden });
    await account.refresh();
    expect(await asked()).toEqual(before);
  });

  test('finds a long chunk once, by the best of its passages', async () => {
    const account = await scene.account();
    const filler = 'The fleet sails on. '.repeat(60);
    const text = `A kraken rose. ${filler}The kraken sank.`;
    expect(text.length).toBeGreaterThan(1_200);
    await placeDocument(scene, account, { uploader: 'anna', chunks: [text] });
    await account.refresh();
    const anna = await account.caller({ peer: 'anna' });
    const { candidates } = await scene.search(anna, { query: 'kraken' });
    expect(candidates.map(({ statement }) => statement)).toEqual([text]);
  });

  test('says nothing of hidden statements where a chunk that may be read has the word', async () => {
    const account = await scene.account();
    await account.statement({
      text: 'Bruno hid the compass',
      state: 'provisional',
      sensitivity: 'internal',
      subject: 'bruno',
      submitters: ['bruno'],
    });
    await account.refresh();
    const anna = await account.caller({ peer: 'anna' });
    const filtered = async () => {
      const { retrieval_outcomes: outcomes } = await scene.search(anna, { query: 'compass' });
      return outcomes.some(({ component }) => component === 'candidate_filter');
    };
    expect(await filtered()).toBe(true);
    await placeDocument(scene, account, { uploader: 'anna', chunks: ['A compass points north.'] });
    await account.refresh();
    expect(await filtered()).toBe(false);
  });
});
