/** What an embedder's endpoint can do: no observation waits for it, and no statement is lost to a search by words. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ErrorClass } from '../../../domain/error-class.ts';
import { startStubOpenAi, type StubBehaviour, type StubOpenAi } from '../../support/stub-openai.ts';
import { remoteRole } from '../../unit/models/fixtures.ts';
import { CONTENT, ITEM } from './behaviours.ts';
import { openProviderScene, type ProviderScene } from './scene.ts';

const WIDTH = 8;

let providers: ProviderScene;
let extractor: StubOpenAi;
let embedder: StubOpenAi;

beforeAll(async () => {
  extractor = await startStubOpenAi({ extract: () => [ITEM] });
  embedder = await startStubOpenAi({ dimensions: WIDTH });
  providers = await openProviderScene(remoteRole(embedder.baseUrl, { dimensions: WIDTH }));
});
afterAll(async () => {
  await providers?.close();
  await extractor?.close();
  await embedder?.close();
});

/** An observation whose statement is embedded as the endpoint does it; answers its account. */
async function observed(does: StubBehaviour): Promise<string> {
  const { scene } = providers;
  const { id, agent } = await providers.account();
  const { message_id } = await scene.ingest(agent, { peer_key: 'alice', content: CONTENT });
  embedder.script(does);
  await providers.extract(id, providers.processor(remoteRole(extractor.baseUrl)));
  expect(await scene.status(agent, message_id)).toMatchObject({
    status: 'completed',
    attempt_count: 1,
    last_error_class: null,
  });
  expect(await providers.indexed(id)).toBe(1);
  return id;
}

const marksLeft = (accountId: string): Promise<number> =>
  providers.scene.count(
    `select from dirty_marks where account_id = $1 and engine = 'qdrant' and unit = 'statement'`,
    [accountId],
  );

test('a statement that is embedded leaves no mark', async () => {
  const id = await observed({ kind: 'default' });
  expect(await providers.ledger(id, 'embedder')).toMatchObject([
    { state: 'success', error_class: null, metered: true },
  ]);
  expect(await marksLeft(id)).toBe(0);
});

const FAILURES: readonly (readonly [ErrorClass, StubBehaviour])[] = [
  ['embedding_width_mismatch', { kind: 'vectors', vectors: [[1, 2, 3]] }],
  ['provider_upstream_error', { kind: 'vectors', vectors: [] }],
  ['provider_upstream_error', { kind: 'html' }],
  ['credentials_rejected', { kind: 'status', status: 401 }],
  ['model_not_found', { kind: 'status', status: 404 }],
  ['provider_rate_limited', { kind: 'status', status: 429, headers: { 'retry-after': '60' } }],
  ['transport_error', { kind: 'cut' }],
];

test.each(FAILURES)(
  'an embedder that fails as %s leaves the statement found by words, and marked for its vector',
  async (errorClass, does) => {
    const id = await observed(does);
    expect(await providers.ledger(id, 'embedder')).toMatchObject([
      { state: 'error', error_class: errorClass },
    ]);
    expect(await marksLeft(id)).toBe(1);
  },
);
