/**
 * What is explained on the real indexes: units that they show, lack, or were robbed of, and readers. What an explanation
 * says of a reader is what a search of that reader shows.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SENSITIVITIES } from '../../../domain/statements/candidate.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import { EveryCollection } from '../../../stores/qdrant/every-collection.ts';
import { EveryIndex } from '../../../stores/meilisearch/every-index.ts';
import { createMeilisearchClient } from '../../../stores/meilisearch/client.ts';
import { createQdrantClient } from '../../../stores/qdrant/client.ts';
import { testServers } from '../../support/environment.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { openSearchScene, type AccountScene, type SearchScene } from '../search/scene.ts';
import { causesOf, explained, grant, vouchExplain } from './scene.ts';

/** Stands in every text of this file. */
const CANARY = 'xylorimba';

let scene: SearchScene;
let account: AccountScene;
beforeAll(async () => {
  scene = await openSearchScene();
  account = await scene.account();
  await grant(scene, account, 'anna', '/poc');
  await grant(scene, account, 'bert', '/poc');
  await grant(scene, account, 'carl', '/elsewhere');
});
afterAll(() => scene?.close());

const statement = (text: string, values: Partial<Parameters<AccountScene['statement']>[0]> = {}) =>
  account.statement({ text: `Anna ${text} ${CANARY}.`, ...values });
const explain = (args: readonly string[]) => explained(scene, account, args);

describe('a statement that a search returns', () => {
  let id: string;
  beforeAll(async () => {
    id = await statement('plays the');
    await account.refresh();
  });

  test('is said to be found', async () => {
    const found = await scene.search(await account.caller({ peer: 'anna', path: '/poc' }), {
      scope_path: '/poc',
      query: `plays ${CANARY}`,
    });
    expect(found.candidates.map((one) => one.id)).toContain(id);
    const outcome = await vouchExplain(scene, account, ['statement', id]);
    expect(outcome).toMatchObject({ code: 0, err: '' });
    expect(outcome.out).toMatch(/state +active[^]*qdrant +present +none waits/);
    expect(outcome.out).toContain('Nothing keeps it from being found.');
  });

  test('is lost when its point was removed behind our back, and comes back with a rebuild', async () => {
    const qdrant = createQdrantClient({ ...testServers().qdrant, timeoutMs: HANGS_MS });
    const points = new EveryCollection(qdrant, scene.prefix);
    await points.deleteUnits(account.id, 'statement', [id], []);
    const outcome = await vouchExplain(scene, account, ['statement', id]);
    expect(outcome).toMatchObject({ code: 1, err: 'vouch: It is not found: index_lost.\n' });
    expect(outcome.out).toMatch(/1\. index_lost \(qdrant\)[^]*vouch index rebuild/);
    await scene.retrieval.indexes.rebuild(account.id, null, new AbortController().signal);
    expect(await explain(['statement', id])).toMatchObject({ found: true, obstacles: [] });
  });

  test('is found by all but phrases when its record was removed', async () => {
    const client = createMeilisearchClient({ ...testServers().meilisearch, timeoutMs: HANGS_MS });
    const records = new EveryIndex(client, scene.prefix);
    const nowhere = { statement: '', message: '' };
    await records.deleteUnits(account.id, 'statement', [id], nowhere);
    const told = await explain(['statement', id]);
    expect(told).toMatchObject({ found: true, obstacles: [{ from: 'phrases' }] });
    expect(causesOf(told)).toEqual(['index_lost meilisearch']);
  });
});

describe('a write that waits', () => {
  test('is named with its attempts, and is no obstacle while Postgres stands in', async () => {
    const id = await statement('repairs the');
    expect(causesOf(await explain(['statement', id]))).toEqual([
      'index_write_waits qdrant',
      'index_write_waits meilisearch',
    ]);
    await scene.sql(
      'update dirty_marks set attempt_count = 4, unheard_attempts = 0 where account_id = $1 and unit_id = $2',
      [account.id, id],
    );
    const tried = await explain(['statement', id]);
    expect(causesOf(tried)[0]).toBe('index_write_fails qdrant');
    expect(tried.indexes[0]).toMatchObject({
      presence: 'missing',
      mark: { state: 'postponed', attempts: 4, overdue: false },
    });
    await scene.sql(
      `update dirty_marks set overdue = true where account_id = $1 and unit_id = $2 and engine = 'qdrant'`,
      [account.id, id],
    );
    expect(await explain(['statement', id])).toMatchObject({ found: true });
    await account.refresh();
  });

  test('by an index that is away is told for each index', async () => {
    const id = await statement('sells the');
    await account.refresh();
    const { indexes } = scene.rebuilt({ qdrant: { url: 'http://127.0.0.1:9', apiKey: null } });
    const told = await explained(scene, account, ['statement', id], indexes);
    expect(causesOf(told)).toEqual(['index_away qdrant']);
    scene.rebuilt({});
  });
});

describe('for a reader', () => {
  test('a statement is readable exactly where a search of the reader shows it', async () => {
    const ids: string[] = [];
    for (const state of KNOWLEDGE_STATES.filter((one) => one !== 'redacted' && one !== 'retracted'))
      for (const sensitivity of SENSITIVITIES)
        ids.push(await statement(`says ${state} ${sensitivity} of the`, { state, sensitivity }));
    ids.push(await statement('once said', { expiresAt: '2020-01-01T00:00:00.000Z' }));
    ids.push(await statement('hides', { path: '/secret' }));
    await account.refresh();
    for (const peer of ['anna', 'bert', 'carl']) {
      const path = peer === 'carl' ? '/elsewhere' : '/poc';
      const shown = await scene.search(await account.caller({ peer, path }), {
        scope_path: '/poc',
        query: CANARY,
        limit: 100,
      });
      const found = new Set(shown.candidates.map((one) => one.id));
      const told = await Promise.all(
        ids.map(async (id) => (await explain(['statement', id, '--reader', peer])).found),
      );
      expect(ids.filter((_, at) => told[at])).toEqual(ids.filter((id) => found.has(id)));
      expect(found.size > 0).toBe(peer !== 'carl');
    }
  });

  test('the first condition that fails is named', async () => {
    const id = await statement('keeps', { sensitivity: 'personal' });
    await account.refresh();
    const carl = await explain(['statement', id, '--reader', 'carl']);
    expect(causesOf(carl)).toEqual(['reader_without_scope']);
    expect(carl.reader).toMatchObject({ role: null, readable: false });
    const bert = await explain(['statement', id, '--reader', 'bert']);
    expect(causesOf(bert)).toEqual(['reader_outside_audience']);
    expect(bert.reader).toMatchObject({
      peer_key: 'bert',
      role: 'reader',
      failed_conditions: expect.arrayContaining(['sensitivity', 'submitting_peer_ids']),
    });
    expect(await explain(['statement', id, '--reader', 'anna'])).toMatchObject({ found: true });
  });

  test('a message is readable exactly to those who were there and may read the scope', async () => {
    const id = await account.message({ speaker: 'anna', text: `The ${CANARY} is here.` });
    await account.refresh();
    const of = async (peer: string) => causesOf(await explain(['message', id, '--reader', peer]));
    expect(await of('anna')).toEqual(['extraction_missing']);
    expect(await of('bert')).toEqual(['extraction_missing', 'reader_was_absent']);
    expect(await of('carl')).toEqual([
      'extraction_missing',
      'reader_without_scope',
      'reader_was_absent',
    ]);
    await account.attend('bert', id);
    const attended = await explain(['message', id, '--reader', 'bert']);
    expect(attended.reader).toMatchObject({ readable: true, was_there: true });
  });

  test('of a person who is being erased nothing is shown', async () => {
    const about = await statement('forgets', { subject: 'dora' });
    const said = await account.message({ speaker: 'dora', text: `My ${CANARY}.` });
    await account.refresh();
    await scene.sql(`update peers set erasing_at = now() where account_id = $1 and key = 'dora'`, [
      account.id,
    ]);
    expect(causesOf(await explain(['statement', about]))).toEqual(['subject_being_erased']);
    expect(causesOf(await explain(['message', said]))[0]).toBe('speaker_being_erased');
    const read = await explain(['statement', about, '--reader', 'anna']);
    expect(read.reader).toMatchObject({ readable: false, failed_conditions: [] });
  });
});

describe('the command', () => {
  test('refuses an id of nothing, and a reader that no peer is, with exit code 1', async () => {
    const nothing = '00000000-0000-7000-8000-000000000000';
    for (const unit of ['message', 'statement']) {
      const missing = await vouchExplain(scene, account, [unit, nothing]);
      expect(missing).toMatchObject({ code: 1, out: '' });
      expect(missing.err).toMatch(/id: names no (message|statement) of this account/);
    }
    expect(await vouchExplain(scene, account, ['message', 'x'])).toMatchObject({
      code: 1,
      out: '',
    });
    const id = await statement('tunes');
    expect(
      await vouchExplain(scene, account, ['statement', id, '--reader', 'nobody']),
    ).toMatchObject({ code: 1, out: '', err: expect.stringContaining('no peer') });
    await account.refresh();
  });

  test('says nothing of what anybody said', async () => {
    const id = await statement('hides');
    const source = await account.message({ speaker: 'anna', text: `I hide the ${CANARY}.` });
    await account.drawn(id, source);
    for (const args of [
      ['statement', id, '--reader', 'bert'],
      ['message', source, '--reader', 'bert'],
    ]) {
      for (const form of [[], ['--json']]) {
        const { err, out } = await vouchExplain(scene, account, [...args, ...form]);
        expect(out).not.toBe('');
        expect(`${out}${err}`.toLowerCase()).not.toContain(CANARY);
      }
    }
    await account.refresh();
  });
});
