/**
 * One operation, two doors: what REST answers, the tool answers, refusals included. And clients that nobody here wrote:
 * the SDK's own, over HTTP and over the bridge of the command line.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { TOOLS } from '../../../api/mcp/tools.ts';
import { ROOT } from '../../architecture/source-tree.ts';
import type { HttpAnswer, HttpCall } from '../../support/http.ts';
import { askAsTool } from '../../support/mcp-as-rest.ts';
import { callTool } from '../../support/mcp.ts';
import { closeWithoutErrors, dataOf, startService, type Service } from '../../support/service.ts';

let service: Service;
let token: string;
let keyFile: string;
let folder: string;

beforeAll(async () => {
  service = await startService();
  token = (await service.home.agent('agent')).token;
  await service.ingestAndWait(token, { content: 'I like green tea.' });
  await service.ingestAndWait(token, { content: 'I live in Porto.', peer_key: 'ana' });
  await service.quiet();
  folder = mkdtempSync(join(tmpdir(), 'vouch-mcp-'));
  keyFile = join(folder, 'key');
  writeFileSync(keyFile, `${token}\n`, { mode: 0o600 });
}, 150_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await closeWithoutErrors(service);
});

/** What differs between two askings of the same: times, and the measure of them. */
function comparable({ status, text }: HttpAnswer): unknown {
  const moving =
    /^(latency_ms|elapsed_ms|budget_remaining_ms|pre_rerank_remaining_ms|message_id|checked_at)$/;
  return {
    status,
    body: JSON.parse(text, (key, value: unknown) => (moving.test(key) ? null : value)),
  };
}

const NOTHING = '01890000-0000-7000-8000-00000000dead';
const post = (path: string, json: object): HttpCall => ({ path: `/api/v1/${path}`, json });
const get = (query: string): HttpCall => ({ path: `/api/v1/knowledge?${query}` });

const CASES: readonly HttpCall[] = [
  post('ingest', {
    session_id: 's',
    scope_path: '/team',
    content: 'Hello.',
    occurred_at: '2026-03-02',
  }),
  post('ingest', {
    session_id: 's',
    scope_path: '/team',
    content: 'Hello.',
    occurred_at: '2026-03-02T01:00:00+02:00',
    peer_key: 'bo',
    role: 'assistant',
  }),
  post('ingest', { session_id: ' ', scope_path: '/team', content: 'Hello.' }),
  post('ingest', { session_id: 's', scope_path: ' ', content: 'Hello.' }),
  post('ingest', { session_id: 's', scope_path: '/team', content: ' ' }),
  post('ingest', { session_id: 's', scope_path: '/team', content: 7 }),
  post('ingest', { session_id: 's', scope_path: '/team', content: 'a\u0000b' }),
  post('ingest', { session_id: 's', scope_path: '/team', content: 'x'.repeat(1_048_577) }),
  post('ingest', { session_id: 's', scope_path: '/team/../x', content: 'Hello.' }),
  post('search', { scope_path: '/team', query: 'tea' }),
  post('search', { scope_path: '/team', query: 'tea', profile: 'fast', limit: 1 }),
  post('search', { scope_path: '/team', query: 'tea', profile: 'thorough', limit: 1_000 }),
  post('search', { scope_path: '/team', query: '"green tea" -black' }),
  post('search', { scope_path: '/team', query: 'tea', as_of: '2020-01-01' }),
  post('search', { scope_path: '/team', query: 'Porto', peer_key: 'ana' }),
  post('search', { scope_path: '/team', query: 'tea', peer_key: 'nobody' }),
  post('search', { scope_path: '/team', query: 'tea', profile: 'minimal' }),
  post('search', { scope_path: '/team', query: 'tea', as_of: 'soon' }),
  post('search', { scope_path: '/elsewhere', query: 'tea' }),
  post('search', { scope_path: '/team', query: 'x'.repeat(5_000) }),
  post('search', { scope_path: '/team', query: ['tea'] }),
  post('ask', { scope_path: '/team', question: 'What do I like?' }),
  post('ask', { scope_path: '/team', question: 'What do I like?', profile: 'fast', limit: 2 }),
  post('ask', { scope_path: '/team', question: ' ' }),
  post('ask', { scope_path: '/team', question: 'What?', effort: 'extreme' }),
  post('ask', { scope_path: '/team', question: 'Who owns the moon?' }),
  post('context', { scope_path: '/team' }),
  post('context', { scope_path: '/team', query: 'tea', limit: 1, budget_chars: 300 }),
  post('context', { scope_path: '/team', session_id: 's', peer_key: 'ana' }),
  post('context', { scope_path: '/team', budget_chars: 'much' }),
  post('readiness', { skill: 'brewing', scope_path: '/team' }),
  post('readiness', { skill: 'brewing', scope_path: '/team', peer_key: 'ana', session_id: 's' }),
  post('readiness', { skill: 'brewing', scope_path: '/team', peer_key: 'nobody' }),
  post('readiness', { skill: ' ', scope_path: '/team' }),
  post('readiness', { skill: 'brewing', scope_path: '/team', peer_id: 'no-id' }),
  get('scope_path=/team'),
  get('scope_path=/team&limit=1'),
  get('scope_path=/team&state=provisional'),
  get('scope_path=/team&state=wrong'),
  get('scope_path=/team&peer_key=ana'),
  get('scope_path=/team&cursor=x'),
  get('scope_path=/a//b/'),
  post(`validations/${NOTHING}`, { verdict: 'confirm' }),
  post('validations/no-id', { verdict: 'confirm' }),
  post(`validations/${NOTHING}`, { verdict: 'perhaps' }),
  post(`validations/${NOTHING}`, {}),
];

describe('a tool', () => {
  test.each(
    CASES.map(
      (call) => [`${call.path} ${JSON.stringify(call.json ?? {}).slice(0, 90)}`, call] as const,
    ),
  )('answers what REST answers: %s', async (_name, call) => {
    const rest = await service.call({ ...call, token });
    const tool = await askAsTool(service.url, { ...call, token });
    expect(comparable(tool)).toEqual(comparable(rest));
  });

  test('with the key of a request over REST gives its first answer again, and no other', async () => {
    const json = { session_id: 's', scope_path: '/team', content: 'Only once.' };
    const first = dataOf(await service.ingest(token, json, { 'idempotency-key': 'once' }));
    const again = await callTool(service.url, token, 'ingest', {
      ...json,
      idempotency_key: 'once',
    });
    expect(again.content).toEqual(first);
    const other = { ...json, content: 'Another.', idempotency_key: 'once' };
    const refused = await callTool(service.url, token, 'ingest', other);
    expect([refused.isError, refused.content['code']]).toEqual([true, 'conflict']);
  });

  test('makes a person be asked less often, and never more', async () => {
    const set = (args: object) => callTool(service.url, token, 'set_ask_preference', args);
    expect((await set({ max_per_day: 1 })).content).toMatchObject({ max_per_day: 1 });
    expect((await set({ max_per_day: 5 })).content).toMatchObject({ max_per_day: 1 });
    expect((await set({ pause_for_hours: 'a day' })).content).toMatchObject({
      code: 'invalid_request',
    });
  });
});

async function asClient(transport: Transport): Promise<void> {
  const client = new Client({ name: 'somebody', version: '1' });
  await client.connect(transport);
  try {
    await client.ping();
    expect(client.getServerVersion()).toMatchObject({ name: 'vouch' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    const args = { scope_path: '/team', query: 'tea' };
    const found = await client.callTool({ name: 'search', arguments: args });
    expect(found.isError).toBeUndefined();
    expect(JSON.stringify(found.structuredContent)).toContain('green tea');
    const asked = { scope_path: '/team', question: 'What do I like?', effort: 'low' };
    const steps: number[] = [];
    const answer = await client.callTool({ name: 'ask', arguments: asked }, undefined, {
      onprogress: ({ progress }) => steps.push(progress),
    });
    expect(answer.structuredContent).toMatchObject({ abstained: expect.any(Boolean) });
    // The SDK's client loses what comes in one piece with the answer; `door.test.ts` reads the events themselves.
    expect([[], [1]]).toContainEqual(steps);
    const bad = await client.callTool({ name: 'search', arguments: { query: 'tea' } });
    expect(bad).toMatchObject({ isError: true, structuredContent: { code: 'invalid_request' } });
    await expect(client.callTool({ name: 'promote' })).rejects.toMatchObject({ code: -32602 });
  } finally {
    await client.close();
  }
}

describe('the client of the SDK', () => {
  test('works over HTTP', () =>
    asClient(
      new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    ));

  test('works over the bridge', () =>
    asClient(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(ROOT, 'bin/vouch.mjs'), 'mcp', '--url', service.url, '--key-file', keyFile],
        cwd: folder,
      }),
    ));
});
