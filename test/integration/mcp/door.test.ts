/** `/mcp` over operations that belong to the test: what the protocol and HTTP are answered. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { addressRules } from '../../../api/mcp/address.ts';
import { TOOLS } from '../../../api/mcp/tools.ts';
import { Refusal } from '../../../domain/errors.ts';
import { operations } from '../../../operations/registry.ts';
import { CALLER, GOOD_TOKEN, openDoor, type FakeDoor } from '../../support/fake-door.ts';
import { send } from '../../support/http.ts';
import { calledOf, callTool, messageOf, post, toolCall } from '../../support/mcp.ts';

let door: FakeDoor | null = null;
afterEach(async () => {
  await door?.close();
  door = null;
});

type Options = Parameters<typeof openDoor>[0];

/** Real declarations, so that arguments are judged as they are; what they do belongs to the test. */
async function open(
  run: (input: unknown, context: object) => unknown = () => ({ candidates: [] }),
  options: Options = {},
) {
  const fake = (operation: (typeof operations)['search' | 'ask' | 'ingestObservation']) => ({
    ...operation,
    output: { parse: (value: unknown) => value },
    run: async (context: object, input: unknown) => run(input, context),
  });
  door = await openDoor({
    // Answers of tools are no answers of the described interface.
    run: async () => ({}),
    ...options,
    operations: {
      search: fake(operations.search) as never,
      ask: fake(operations.ask) as never,
      ingestObservation: fake(operations.ingestObservation) as never,
    },
  });
  return door;
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};
const SEARCH = toolCall('search', { scope_path: '/team', query: 'tea' });

describe('the protocol', () => {
  test('each revision that the SDK speaks is agreed on, the contract’s among them', async () => {
    const { url } = await open();
    for (const protocolVersion of ['2025-03-26', '2025-06-18', '2025-11-25']) {
      const params = { ...INITIALIZE.params, protocolVersion };
      const answer = await post(url, GOOD_TOKEN, { ...INITIALIZE, params });
      expect(messageOf(answer)).toMatchObject({
        id: 0,
        result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'vouch' } },
      });
      expect(answer.headers['mcp-session-id']).toBeUndefined();
    }
  });

  test('there are tools, no resources, no prompts and no log levels', async () => {
    const { url } = await open();
    for (const method of ['resources/list', 'prompts/list', 'logging/setLevel', 'tasks/list']) {
      const answer = await post(url, GOOD_TOKEN, { jsonrpc: '2.0', id: 'a', method });
      expect(messageOf(answer)).toEqual({
        jsonrpc: '2.0',
        id: 'a',
        error: { code: -32601, message: 'Method not found' },
      });
    }
    const ping = await post(url, GOOD_TOKEN, { jsonrpc: '2.0', id: 2, method: 'ping' });
    expect(messageOf(ping)).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
  });

  test('a tool that is not there is an error of the protocol, without what was sent', async () => {
    const { url } = await open();
    for (const name of ['promote_knowledge', 7, null, { toString: 1 }]) {
      const answer = await post(url, GOOD_TOKEN, toolCall(name, {}));
      expect(messageOf(answer)['error']).toEqual({
        code: -32602,
        message: `Unknown tool. There are: ${TOOLS.map((tool) => tool.name).join(', ')}.`,
      });
    }
  });

  test('params that the SDK refuses are told in our words', async () => {
    const { url } = await open();
    const broken = { ...INITIALIZE, params: { protocolVersion: { secret: 1 } } };
    expect(messageOf(await post(url, GOOD_TOKEN, broken))['error']).toEqual({
      code: -32602,
      message: 'Invalid params',
    });
  });

  test('notifications and answers are taken and change nothing', async () => {
    const { url } = await open();
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]) {
      const answer = await post(url, GOOD_TOKEN, message);
      expect([answer.status, answer.text]).toEqual([202, '']);
    }
  });

  test('a batch is answered message by message, also when it cancels itself or repeats an id', async () => {
    const { url } = await open();
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const answer = await post(url, GOOD_TOKEN, [SEARCH, cancel, SEARCH, INITIALIZE]);
    const ids = (answer.json() as { id: unknown }[]).map(({ id }) => id);
    expect(ids).toEqual([1, 1, 0]);
  });

  test('what is no message, too many messages and a revision nobody speaks are refused', async () => {
    const { url } = await open();
    const wrong: unknown[] = [
      7,
      null,
      [],
      {},
      { ...INITIALIZE, extra: 1 },
      { ...INITIALIZE, id: 'x'.repeat(257) },
      { ...INITIALIZE, params: ['a'] },
      Array.from({ length: 17 }, () => INITIALIZE),
    ];
    for (const body of wrong) {
      const answer = await post(url, GOOD_TOKEN, body);
      expect([answer.status, answer.json()]).toEqual([
        422,
        expect.objectContaining({ code: 'invalid_request' }),
      ]);
    }
    const version = { 'mcp-protocol-version': '1999-01-01' };
    const answer = await post(url, GOOD_TOKEN, INITIALIZE, version);
    expect([answer.status, answer.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'unsupported_protocol' }),
    ]);
  });
});

describe('HTTP', () => {
  test('other methods are refused without asking who calls', async () => {
    const { url } = await open();
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
      const answer = await send(url, { path: '/mcp', method });
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
    }
  });

  test('who comes without a credential is told where the metadata stands, and with a wrong one that it is wrong', async () => {
    const rules = addressRules('https://memory.example/', []);
    const { url } = await open(undefined, { config: { address: rules } });
    const answer = await post(url, null, INITIALIZE);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer resource_metadata="https://memory.example/.well-known/oauth-protected-resource/mcp"',
    );
    const wrong = await post(url, 'a-wrong-key', INITIALIZE);
    expect(wrong.headers['www-authenticate']).toBe(
      'Bearer error="invalid_token", resource_metadata="https://memory.example/.well-known/oauth-protected-resource/mcp"',
    );
    for (const path of ['', '/mcp']) {
      const metadata = await send(url, {
        path: `/.well-known/oauth-protected-resource${path}`,
        headers: { host: 'elsewhere.example' },
      });
      expect(metadata.json()).toEqual({
        resource: `https://memory.example${path}`,
        resource_name: 'Vouch',
        bearer_methods_supported: ['header'],
      });
    }
  });

  test('pages of strangers and foreign names of this machine are refused, others are not', async () => {
    const rules = addressRules('https://memory.example', ['https://app.example']);
    const { url } = await open(undefined, { config: { address: rules } });
    const status = async (headers: Readonly<Record<string, string>>) =>
      (await post(url, GOOD_TOKEN, INITIALIZE, headers)).status;
    for (const origin of ['https://evil.example', 'null', 'http://memory.example', '', 'x']) {
      expect([origin, await status({ origin })]).toEqual([origin, 403]);
    }
    for (const origin of ['https://memory.example', 'https://app.example']) {
      expect([origin, await status({ origin })]).toEqual([origin, 200]);
    }
    for (const host of ['evil.example', 'evil.example:4000', 'localhost.evil.example']) {
      expect([host, await status({ host })]).toEqual([host, 403]);
    }
    for (const host of ['localhost:4000', '127.0.0.1', '[::1]:4000', 'memory.example']) {
      expect([host, await status({ host })]).toEqual([host, 200]);
    }
    const foreign = await post(url, null, INITIALIZE, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('a limit of requests counts each call of a batch', async () => {
    const { url } = await open(undefined, {
      config: { ratePerSecond: 2 },
      clock: () => new Date(0),
    });
    const answer = await post(url, GOOD_TOKEN, [SEARCH, SEARCH, SEARCH, SEARCH]);
    const results = (answer.json() as { result: { structuredContent: object } }[]).map(
      ({ result }) => Reflect.get(result.structuredContent, 'code'),
    );
    expect(results).toEqual([undefined, undefined, 'rate_limited', 'rate_limited']);
  });

  test('a credential that ends during a batch ends it', async () => {
    let asked = 0;
    const { url } = await open(undefined, {
      // Twice for the door, then for the call and for the end of its read.
      authenticate: async () => ((asked += 1) > 4 ? null : CALLER),
    });
    const answer = await post(url, GOOD_TOKEN, [SEARCH, SEARCH]);
    const [first, second] = answer.json() as { result: { structuredContent: object } }[];
    expect(first?.result.structuredContent).toEqual({ candidates: [] });
    expect(second?.result.structuredContent).toMatchObject({ code: 'unauthorized' });
  });

  test('an answer with an effort comes as events, any other as JSON', async () => {
    const { url } = await open((_input, context) => {
      Reflect.get(context, 'emit')?.('evidence', { text: 'secret' });
      return { answer: 'tea' };
    });
    const args = { scope_path: '/team', question: 'What?', effort: 'low' };
    const asked = {
      ...toolCall('ask', args),
      params: { name: 'ask', arguments: args, _meta: { progressToken: 'p' } },
    };
    const streamed = await post(url, GOOD_TOKEN, asked);
    expect(streamed.headers['content-type']).toMatch(/^text\/event-stream/);
    expect(calledOf(streamed).content).toEqual({ answer: 'tea' });
    expect(streamed.text).toContain('"progressToken":"p"');
    expect(streamed.text).not.toContain('secret');
    const plain = await post(url, GOOD_TOKEN, asked, { accept: 'application/json' });
    expect(plain.headers['content-type']).toMatch(/^application\/json/);
    const still = await post(url, GOOD_TOKEN, toolCall('ask', { ...args, effort: null }));
    expect(still.headers['content-type']).toMatch(/^application\/json/);
  });
});

describe('a result', () => {
  const FOUND = {
    query: 'tea',
    latency_ms: 3,
    candidates: [{ id: 'a' }],
    contributed_strategies: [],
    empty_strategies: ['direct_semantic'],
    dropped_strategies: ['raw_exact'],
    retrieval_outcomes: [{ component: 'raw_exact' }],
    reader_posture: 'peer',
    degraded: false,
    degraded_components: [],
    pre_rerank_remaining_ms: null,
    reserved_rerank_ms: 0,
  };
  const ARGS = { scope_path: '/team', query: 'tea' };

  test('begins with what was found, and says how only where that was asked for', async () => {
    const { url } = await open(() => FOUND);
    const found = (args: object) => callTool(url, GOOD_TOKEN, 'search', { ...ARGS, ...args });
    const { content } = await found({});
    expect(Object.entries(content)).toEqual([
      ['candidates', [{ id: 'a' }]],
      ['query', 'tea'],
      ['reader_posture', 'peer'],
      ['degraded', false],
    ]);
    expect((await found({ diagnostics: null })).content).toEqual(content);
    expect((await found({ diagnostics: true })).content).toEqual(FOUND);
    expect((await found({ diagnostics: 'yes' })).content['fields']).toEqual([
      { path: 'diagnostics', message: 'must be true or false' },
    ]);
  });

  test('without anything says so, instead of leaving it out', async () => {
    const { url } = await open(() => ({ ...FOUND, candidates: [] }));
    const { content } = await callTool(url, GOOD_TOKEN, 'search', ARGS);
    expect(Object.entries(content)[0]).toEqual(['candidates', []]);
  });
});

describe('arguments', () => {
  const BAD: readonly (readonly [unknown, string])[] = [
    ['text', ''],
    [[1], ''],
    [7, ''],
    [{ query: 'tea' }, 'scope_path'],
    [{ scope_path: '/team', query: null }, 'query'],
    [{ scope_path: 7, query: 'tea' }, 'scope_path'],
    [{ scope_path: '/../x', query: 'tea' }, 'scope_path'],
    [{ scope_path: '/team', query: 'a\u0000b' }, 'query'],
    [{ scope_path: '/team', query: '\ud800' }, 'query'],
    [{ scope_path: '/team', query: 'tea', profile: 'huge' }, 'profile'],
    [{ scope_path: '/team', query: 'tea', 'my secret': 1 }, ''],
    [{ scope_path: '/team', query: 'tea', deadline: 'disabled' }, ''],
    [{ scope_path: '/team', query: 'tea', __proto__x: { 'a\u0000b': 1 } }, ''],
  ];

  test('bad ones of every kind give our error, which quotes nothing', async () => {
    const { url } = await open();
    for (const [args, path] of BAD) {
      const { content, isError } = calledOf(await post(url, GOOD_TOKEN, toolCall('search', args)));
      expect([args, isError, content]).toEqual([
        args,
        true,
        {
          error: 'The request has missing or invalid fields.',
          code: 'invalid_request',
          fields: [{ path, message: expect.any(String) }],
        },
      ]);
      expect(JSON.stringify(content)).not.toMatch(/secret|huge|MCP error|\.\.\/x/);
    }
  });

  test('an account key and null are ignored, and absent arguments are none', async () => {
    const seen: unknown[] = [];
    const { url } = await open((input) => {
      seen.push(input);
      return {};
    });
    await post(
      url,
      GOOD_TOKEN,
      toolCall('search', { scope_path: '/a', query: 'b', account_key: 'x', limit: null }),
    );
    expect(seen).toMatchObject([{ scope_path: '/a', query: 'b', limit: 12 }]);
    const none = await post(url, GOOD_TOKEN, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search' },
    });
    expect(calledOf(none).content['fields']).toHaveLength(2);
  });

  test('an idempotency key reaches the operation under the path of the route', async () => {
    const seen: unknown[] = [];
    const { url } = await open((_input, context) => {
      seen.push(Reflect.get(context, 'idempotency'));
      return {};
    });
    const args = { session_id: 's', scope_path: '/a', content: 'b' };
    await post(url, GOOD_TOKEN, toolCall('ingest', { ...args, idempotency_key: 'k' }));
    await post(url, GOOD_TOKEN, toolCall('ingest', args));
    expect(seen).toEqual([{ key: 'k', path: '/api/v1/ingest' }, null]);
    for (const key of ['', 'k'.repeat(256), 7]) {
      const { content } = calledOf(
        await post(url, GOOD_TOKEN, toolCall('ingest', { ...args, idempotency_key: key })),
      );
      expect(content['fields']).toMatchObject([{ path: 'idempotency_key' }]);
    }
  });
});

test('a refusal and a defect of ours are results with our code, and only the defect is logged', async () => {
  const failures: unknown[] = [new Refusal('unknown_peer'), new Error('inner secret')];
  const { url, logged } = await open(() => {
    throw failures.shift();
  });
  const codes = [];
  for (let call = 0; call < 2; call += 1) {
    const { content, isError } = calledOf(await post(url, GOOD_TOKEN, SEARCH));
    codes.push([isError, content['code']]);
    expect(JSON.stringify(content)).not.toContain('secret');
  }
  expect(codes).toEqual([
    [true, 'unknown_peer'],
    [true, 'internal_error'],
  ]);
  expect(logged.map(({ event }) => event)).toEqual(['http.unexpected_error']);
});
