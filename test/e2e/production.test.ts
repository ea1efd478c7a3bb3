/**
 * Models in production: nothing deterministic without the operator's word, and no failure of a configured
 * provider that anything else steps in for.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { z } from 'zod';
import {
  refusedStart,
  stackDirectory,
  startStack,
  type RunningStack,
} from '../../measure/stack.ts';
import { HANGS_MS, SERVERS_MS } from '../support/patience.ts';
import { startStubOpenAi, type StubOpenAi } from '../support/stub-openai.ts';

const PRODUCTION = { NODE_ENV: 'production' };
const DETERMINISTIC = { ...PRODUCTION, SERVICE_MODEL_INGEST_EXTRACTOR: 'deterministic' };
const FLAG = 'SERVICE_ALLOW_DETERMINISTIC_MODELS';

const accepted = z.object({ data: z.object({ message_id: z.uuid() }) });
const ingestStatus = z.object({
  data: z.object({
    status: z.string(),
    last_error_class: z.string().nullable(),
    attempt_count: z.int(),
    next_attempt_at: z.iso.datetime().nullable(),
    knowledge: z.array(z.object({ extracting_provider: z.string(), statement: z.string() })),
  }),
});
type IngestStatus = z.infer<typeof ingestStatus>['data'];

const readiness = z.object({
  status: z.string(),
  checks: z.object({ model_roles: z.object({ status: z.string() }) }).loose(),
});

async function ingest({ baseUrl, apiKey }: RunningStack, content: string): Promise<string> {
  const response = await fetch(`${baseUrl}/api/v1/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ session_id: 's', scope_path: '/production', peer_key: 'ada', content }),
  });
  expect(response.status).toBe(202);
  return accepted.parse(await response.json()).data.message_id;
}

async function readStatus(
  { baseUrl, apiKey }: RunningStack,
  messageId: string,
): Promise<IngestStatus> {
  const response = await fetch(`${baseUrl}/api/v1/ingest/${messageId}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return ingestStatus.parse(await response.json()).data;
}

/** Asks until the status is the wanted one; answers the last seen when none is any more to be expected. */
async function untilStatus(
  stack: RunningStack,
  messageId: string,
  wanted: string,
  patienceMs = HANGS_MS,
): Promise<IngestStatus> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    const status = await readStatus(stack, messageId);
    if (status.status === wanted || performance.now() > giveUpAt) return status;
    await sleep(50);
  }
}

/** Providers named by statements and by the ledger's extraction attempts. */
async function providersOf({ databaseUrl }: RunningStack) {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const read = async (query: string): Promise<unknown[]> =>
      (await database.query<{ provider: string }>(query)).rows.map(({ provider }) => provider);
    return {
      statements: await read('select distinct extracting_provider as provider from knowledge'),
      attempts: await read(
        `select distinct provider from provider_attempts where role = 'ingest_extractor'`,
      ),
    };
  } finally {
    await database.end();
  }
}

async function forward(target: string, body: Buffer, response: ServerResponse): Promise<void> {
  const answer = await fetch(target, { method: 'POST', body });
  const text = await answer.text();
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
}

/** An address that fails until it is told to pass requests on to the stub behind it. */
class UnreliableEndpoint {
  readonly #server: Server;
  #port = 0;
  #answering = false;

  constructor(stub: StubOpenAi) {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (!this.#answering) {
          response.writeHead(500, { 'content-type': 'application/json' }).end('{}');
          return;
        }
        const target = `${stub.baseUrl}${(request.url ?? '').replace(/^\/v1/, '')}`;
        forward(target, Buffer.concat(chunks), response).catch(() => response.destroy());
      });
    });
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  /** Listens, at the same address each time. */
  async open(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Refuses connections from now on. */
  async shut(): Promise<void> {
    this.#server.closeAllConnections();
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  answer(): void {
    this.#answering = true;
  }
}

const directory = stackDirectory();
afterAll(() => directory.remove());

describe('a start in production that selects the deterministic extractor', () => {
  test('is refused, naming the flag, and starts nothing', async () => {
    const { exitCode, output } = await refusedStart(directory, DETERMINISTIC);
    expect(exitCode).toBe(1);
    expect(output).toContain(FLAG);
    expect(output).toContain('SERVICE_MODEL_INGEST_EXTRACTOR');
    expect(output).not.toContain('is ready');
  });
});

describe('in production without a model', () => {
  let stack: RunningStack;
  beforeAll(async () => {
    stack = await startStack(directory, PRODUCTION);
  });
  afterAll(() => stack?.stop(), SERVERS_MS);

  test('an observation is stored and waits for an operator: repairable, model_not_configured', async () => {
    const messageId = await ingest(stack, 'Ada keeps her boat in Bergen.');
    expect(await untilStatus(stack, messageId, 'repairable')).toMatchObject({
      status: 'repairable',
      last_error_class: 'model_not_configured',
      next_attempt_at: null,
      knowledge: [],
    });
  });

  test('readiness fails because of the model roles', async () => {
    const response = await fetch(`${stack.baseUrl}/api/ready`);
    expect(response.status).toBe(503);
    const report = readiness.parse(await response.json());
    expect(report.status).toBe('not_ready');
    expect(report.checks.model_roles.status).toBe('error');
  });

  test('no provider was called and no statement extracted', async () => {
    expect(await providersOf(stack)).toEqual({ statements: [], attempts: [] });
  });
});

describe('in production with a provider that fails', () => {
  let stub: StubOpenAi;
  let endpoint: UnreliableEndpoint;
  let stack: RunningStack;
  const waiting: string[] = [];

  beforeAll(async () => {
    stub = await startStubOpenAi();
    endpoint = new UnreliableEndpoint(stub);
    await endpoint.open();
    stack = await startStack(directory, {
      ...PRODUCTION,
      SERVICE_MODEL_INGEST_EXTRACTOR: 'openai-compatible:stub-model',
      SERVICE_MODEL_INGEST_EXTRACTOR_BASE_URL: endpoint.baseUrl,
      SERVICE_MODEL_INGEST_EXTRACTOR_API_KEY: 'stub-key',
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await endpoint?.shut();
    await stub?.close();
  });

  async function expectFailed(content: string, errorClass: string): Promise<void> {
    const sentAt = Date.now();
    const messageId = await ingest(stack, content);
    waiting.push(messageId);
    const status = await untilStatus(stack, messageId, 'failed');
    expect(status).toMatchObject({
      status: 'failed',
      last_error_class: errorClass,
      knowledge: [],
    });
    expect(status.attempt_count).toBeGreaterThanOrEqual(1);
    expect(Date.parse(status.next_attempt_at ?? '')).toBeGreaterThan(sentAt);
  }

  test('an error of the provider fails the attempt and names the next', async () => {
    await expectFailed('Ada sold the old boat in June.', 'provider_upstream_error');
  });

  test('a refused connection fails the attempt and names the next', async () => {
    await endpoint.shut();
    await expectFailed('Ada bought a smaller boat in Bergen.', 'transport_error');
  });

  test('no other provider was called instead', async () => {
    expect(await providersOf(stack)).toEqual({
      statements: [],
      attempts: ['openai-compatible'],
    });
  });

  test('all observations complete once the provider answers, and every statement names it', async () => {
    await endpoint.open();
    endpoint.answer();
    for (const messageId of waiting) {
      const { status, knowledge } = await untilStatus(stack, messageId, 'completed', HANGS_MS);
      expect(status).toBe('completed');
      expect(knowledge.map((row) => row.extracting_provider)).toEqual(['openai-compatible']);
    }
    expect(await providersOf(stack)).toEqual({
      statements: ['openai-compatible'],
      attempts: ['openai-compatible'],
    });
  });
});

describe('in production with the flag', () => {
  let stack: RunningStack;
  beforeAll(async () => {
    stack = await startStack(directory, { ...DETERMINISTIC, [FLAG]: 'true' });
  });
  afterAll(() => stack?.stop(), SERVERS_MS);

  test('the deterministic extractor works, and is named at the start and in every statement', async () => {
    expect(stack.output).toMatch(/ingest_extractor\s+deterministic/);
    const messageId = await ingest(stack, 'Ada moved to Oslo in March.');
    const { status, knowledge } = await untilStatus(stack, messageId, 'completed');
    expect(status).toBe('completed');
    expect(knowledge.map((row) => row.extracting_provider)).toEqual(['deterministic']);
  });
});
