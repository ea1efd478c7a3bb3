/** The Messages protocol: what is sent, and what is made of the answer. */
import { env } from 'node:process';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { RemoteRoleConfig } from '../../../domain/models/role-config.ts';
import { INSTRUCTIONS } from '../../../engine/extraction/model/prompt.ts';
import { ANSWER_SCHEMA } from '../../../engine/extraction/model/schema.ts';
import type { StubBehaviour, StubOpenAi } from '../../support/stub-openai.ts';
import { extractionMaterial, startStubOpenAi } from '../../support/stub-openai.ts';
import { ITEM, NO_ROLES, REQUEST, callContext, gatewayOf, remoteRole } from './fixtures.ts';
import { recordingLedger } from './recording-ledger.ts';

/** The SDK knows that this model has structured output, and nothing of any other. */
const KNOWN_MODEL = 'claude-sonnet-4-5';
const ONE: StubBehaviour = { kind: 'statements', statements: [ITEM] };

let stub: StubOpenAi;
beforeAll(async () => {
  stub = await startStubOpenAi();
});
afterEach(() => void delete env['ANTHROPIC_API_KEY']);
afterAll(() => stub.close());

function asked(behaviour: StubBehaviour, changes: Partial<RemoteRoleConfig> = {}) {
  stub.script(behaviour);
  const { ledger, rows } = recordingLedger();
  const ingest_extractor = remoteRole(stub.baseUrl, { provider: 'anthropic', ...changes });
  const gateway = gatewayOf({ ledger, roles: { ...NO_ROLES, ingest_extractor } });
  return { rows, gateway, result: gateway.extract(REQUEST, callContext()) };
}

describe('a question', () => {
  test('goes to the Messages endpoint once, with instructions, document, limit and key', async () => {
    const before = stub.requests.length;
    await asked(ONE).result;
    expect(stub.requests).toHaveLength(before + 1);
    const request = stub.requests.at(-1);
    expect(request).toMatchObject({
      path: '/v1/messages',
      authorization: null,
      headers: { 'x-api-key': 'sk-canary-key' },
      body: {
        model: 'tiny:1b',
        max_tokens: 8_192,
        system: [{ type: 'text', text: INSTRUCTIONS }],
        messages: [{ role: 'user' }],
      },
    });
    expect(extractionMaterial(request?.body ?? {})).toHaveLength(1);
    for (const field of ['metadata', 'stream', 'thinking', 'temperature']) {
      expect(request?.body).not.toHaveProperty([field]);
    }
  });

  test('asks for the object as the input of the only tool there is, which must be used', async () => {
    await asked(ONE).result;
    expect(stub.requests.at(-1)?.body).toMatchObject({
      tools: [{ name: 'json', input_schema: ANSWER_SCHEMA.schema }],
      tool_choice: { disable_parallel_tool_use: true },
    });
  });

  test('asks for structured output where the model is known to have it', async () => {
    await asked(ONE, { model: KNOWN_MODEL }).result;
    const body = stub.requests.at(-1)?.body;
    expect(body).toMatchObject({ output_config: { format: { type: 'json_schema' } } });
    expect(body).not.toHaveProperty('tools');
  });

  test('never takes its key from the environment by itself', async () => {
    env['ANTHROPIC_API_KEY'] = 'sk-of-the-environment';
    await asked(ONE, { apiKey: null }).result;
    expect(JSON.stringify(stub.requests.at(-1)?.headers)).not.toContain('sk-of-the-environment');
  });
});

describe.each([
  ['a tool', 'tiny:1b'],
  ['structured output', KNOWN_MODEL],
])('an answer by %s', (_form, model) => {
  test.each([ONE, { kind: 'fenced' }, { kind: 'prose' }] as const)(
    'of the kind $kind is used without a repair, metered, with the configured identity',
    async (behaviour) => {
      const { result, rows } = asked(behaviour, { model });
      const { candidates, identity, attempts, usage } = await result;
      expect(candidates.length).toBeGreaterThan(0);
      expect(identity).toMatchObject({ provider: 'anthropic', model, modelVersion: '7' });
      expect(attempts).toBe(1);
      expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
      expect(rows.map((row) => row.states)).toEqual([['dispatched', 'success']]);
      expect(rows[0]?.outcome).toMatchObject({ metered: true, errorClass: null });
    },
  );
});

test('an embedding fails as model_not_configured, and no request is sent', async () => {
  const before = stub.requests.length;
  const { ledger, rows } = recordingLedger();
  const embedder = remoteRole(stub.baseUrl, { provider: 'anthropic', dimensions: 8 });
  const gateway = gatewayOf({ ledger, roles: { ...NO_ROLES, embedder } });
  await expect(gateway.embed(['one text'], callContext())).rejects.toMatchObject({
    errorClass: 'model_not_configured',
  });
  expect(stub.requests).toHaveLength(before);
  expect(rows.map((row) => row.outcome?.metered)).toEqual([false]);
});
