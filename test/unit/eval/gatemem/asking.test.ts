/** What is asked for a checkpoint over HTTP, and what comes of the answers; a small server stands for the service. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { evidenceFor } from '../../../../measure/eval/gatemem/asking.ts';
import type { Evidence } from '../../../../measure/eval/gatemem/evidence.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const ID = '018f6f6e-0000-7000-8000-000000000001';
const answers = new Map<string, Answer>();
const asked: { readonly path: string; readonly body: unknown }[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const path = request.url ?? '';
    asked.push({ path, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) });
    const { body, status } = answers.get(path) ?? { status: 500, body: {} };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
beforeEach(() => {
  asked.length = 0;
  const data = (body: object): Answer => ({ status: 200, body: { data: body } });
  answers.set(
    '/api/v1/search',
    data({
      degraded: false,
      candidates: [{ statement: 'Ida keeps goats.', source_message_ids: [ID] }],
    }),
  );
  answers.set(
    '/api/v1/source-search',
    data({ status: 'ready', results: [{ message_id: ID, excerpt: 'I keep goats.' }] }),
  );
  answers.set('/api/v1/ask', data({ answer: 'Goats.', abstained: false, citations: [ID] }));
});

function ask(): Promise<Evidence> {
  const { port } = server.address() as AddressInfo;
  const question = {
    text: 'what does Ida keep',
    scopePath: '/farm',
    reader: 'bo',
    limit: 12,
    includesQuestions: false,
  };
  const access = { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key' };
  return evidenceFor(access, question, (id) => (id === ID ? 3 : undefined));
}

test('evidence is what search and source search hand to the asker, with the turns behind it, and the answer', async () => {
  expect(await ask()).toEqual({
    items: [
      { kind: 'statement', text: 'Ida keeps goats.', turns: [3] },
      { kind: 'message', text: 'I keep goats.', turns: [3] },
    ],
    answer: { text: 'Goats.', abstained: false, citations: [ID] },
    isComplete: true,
  });
  for (const { body } of asked) expect(body).toMatchObject({ peer_key: 'bo', scope_path: '/farm' });
  expect(asked.find(({ path }) => path.endsWith('source-search'))?.body).toMatchObject({
    include_questions: false,
    limit: 12,
  });
});

test('an asker whom the service does not know is handed nothing', async () => {
  for (const path of answers.keys()) {
    answers.set(path, { status: 422, body: { error: 'unknown', code: 'unknown_peer' } });
  }
  expect(await ask()).toMatchObject({ items: [], answer: { abstained: true }, isComplete: true });
});

test('any other refusal fails the run with its code', async () => {
  answers.set('/api/v1/ask', { status: 422, body: { error: 'bad', code: 'invalid_request' } });
  await expect(ask()).rejects.toThrow('/api/v1/ask answered 422 invalid_request');
});

test.each([
  ['/api/v1/search', { degraded: true, candidates: [] }],
  ['/api/v1/source-search', { status: 'stale', results: [] }],
])('evidence without a part of %s is not complete', async (path, data) => {
  answers.set(path, { status: 200, body: { data } });
  expect(await ask()).toMatchObject({ isComplete: false });
});
