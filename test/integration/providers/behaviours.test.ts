/** What each thing that an endpoint can do means for an observation: status, class, ledger, attempts, next try. */
import { createServer, type Server } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ERROR_CLASSES, type ErrorClass } from '../../../domain/error-class.ts';
import type { RemoteRoleConfig } from '../../../domain/models/role-config.ts';
import { startStubOpenAi, type StubOpenAi } from '../../support/stub-openai.ts';
import { remoteRole } from '../../unit/models/fixtures.ts';
import { CONTENT, FAILURES, FINE, STATUS, type Behaviour, type Provider } from './behaviours.ts';
import { openProviderScene, type ProviderScene } from './scene.ts';

let providers: ProviderScene;
let stub: StubOpenAi;
let closedUrl: string;
let mute: Server;
const connections = new Set<Socket>();

beforeAll(async () => {
  providers = await openProviderScene();
  stub = await startStubOpenAi();
  const gone = await startStubOpenAi();
  closedUrl = gone.baseUrl;
  await gone.close();
  mute = createServer((socket) => connections.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => void mute.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  for (const socket of connections) socket.destroy();
  await new Promise((resolve) => mute?.close(resolve));
  await stub?.close();
  await providers?.close();
});

function urlOf({ endpoint }: Behaviour): string {
  if (endpoint === 'closed') return closedUrl;
  // The handshake is never answered, so the connection never stands.
  const { port } = mute.address() as AddressInfo;
  return endpoint === 'mute' ? `https://127.0.0.1:${port}/v1` : stub.baseUrl;
}

function extractor(provider: Provider, behaviour: Behaviour): RemoteRoleConfig {
  return remoteRole(urlOf(behaviour), { provider, ...behaviour.config });
}

/** One observation, one attempt; answers everything that is left of it. */
async function observed(provider: Provider, behaviour: Behaviour) {
  const { scene } = providers;
  const { id, agent } = await providers.account();
  const body = { peer_key: 'alice', content: behaviour.content ?? CONTENT };
  const { message_id } = await scene.ingest(agent, body);
  const requests = stub.requests.length;
  stub.script(...behaviour.does);
  const before = Date.now();
  await providers.extract(id, providers.processor(extractor(provider, behaviour)));
  const after = Date.now();
  return {
    status: await scene.status(agent, message_id),
    ledger: await providers.ledger(id),
    requests: stub.requests.length - requests,
    stored: await scene.count('select from knowledge where account_id = $1', [id]),
    indexed: await providers.indexed(id),
    before,
    after,
  };
}

function expectLedger(
  found: Awaited<ReturnType<typeof observed>>,
  { rows = ['error'], metered = false, endpoint }: Behaviour,
  errorClass: ErrorClass | null,
): void {
  const { ledger, requests } = found;
  expect(ledger.map(({ state }) => state)).toEqual(rows);
  const counted = typeof metered === 'boolean' ? rows.map(() => metered) : metered;
  expect(ledger.map((row) => row.metered)).toEqual(counted);
  expect(ledger.map(({ repair_index: repair }) => repair)).toEqual(rows.map((_, n) => n));
  // One row is one request, and nothing is asked twice.
  if (endpoint === undefined) expect(requests).toBe(rows.length);
  const last = ledger.at(-1);
  if (errorClass !== null && last !== undefined) expect(last.error_class).toBe(errorClass);
  for (const row of ledger) {
    expect(row.error_class === null).toBe(row.state === 'success');
    const [input, output] = row.metered ? [100, 20] : [null, null];
    expect(row).toMatchObject({ input_tokens: input, output_tokens: output });
  }
}

const PROVIDERS = ['openai-compatible', 'anthropic'] as const;
const forProvider = (provider: Provider) => (behaviour: Behaviour) =>
  behaviour.only === undefined || behaviour.only === provider;

describe.each(PROVIDERS)('an endpoint (%s)', (provider) => {
  const fine = FINE.filter(forProvider(provider));
  test.each(fine)('that gives $name completes its observation', async (behaviour) => {
    const found = await observed(provider, behaviour);
    expect(found.status).toMatchObject({
      status: 'completed',
      last_error_class: null,
      attempt_count: 1,
      next_attempt_at: null,
    });
    expectLedger(found, behaviour, null);
    expect([found.stored, found.indexed]).toEqual([behaviour.statements, behaviour.statements]);
    expect(found.status.knowledge).toHaveLength(behaviour.statements ?? 0);
    for (const row of found.status.knowledge) {
      expect(row).toMatchObject({ extracting_provider: provider, extracting_model: 'tiny:1b' });
    }
  });

  for (const [status, classes] of Object.entries(STATUS)) {
    for (const errorClass of classes) {
      const behaviours = FAILURES[errorClass];
      if (typeof behaviours === 'string') continue;
      const mine = behaviours.filter(forProvider(provider));
      test.each(mine)(`that gives $name: ${errorClass}, ${status}`, async (behaviour) => {
        const found = await observed(provider, behaviour);
        expect(found.status).toMatchObject({
          status,
          last_error_class: errorClass,
          attempt_count: 1,
          knowledge: [],
        });
        expectLedger(found, behaviour, errorClass);
        expect([found.stored, found.indexed]).toEqual([0, 0]);
        const next = found.status.next_attempt_at;
        if (status !== 'failed') return expect(next).toBeNull();
        const dueIn = (behaviour.dueIn ?? 1) * 1000;
        expect(Date.parse(next ?? '')).toBeGreaterThanOrEqual(found.before + dueIn);
        expect(Date.parse(next ?? '')).toBeLessThanOrEqual(found.after + dueIn);
      });
    }
  }
});

describe('the table', () => {
  test('names for every error class what leads to it, or why nothing here does', () => {
    expect(Object.values(STATUS).flat().toSorted()).toEqual(ERROR_CLASSES.toSorted());
    expect(Object.keys(FAILURES).toSorted()).toEqual(ERROR_CLASSES.toSorted());
    for (const entry of Object.values(FAILURES)) expect(entry.length).toBeGreaterThan(0);
  });
});

test('an extractor set to none leaves an observation repairable, without a ledger row or a request', async () => {
  const { scene } = providers;
  const { id, agent } = await providers.account();
  const { message_id } = await scene.ingest(agent, { peer_key: 'alice', content: CONTENT });
  await providers.extract(id, providers.processor({ provider: 'none' }));
  expect(await scene.status(agent, message_id)).toMatchObject({
    status: 'repairable',
    last_error_class: 'model_not_configured',
    next_attempt_at: null,
  });
  expect(await providers.ledger(id)).toEqual([]);
});
