/**
 * A model endpoint as a process of its own that does what a word of the observation, or of the query to rerank by,
 * asks for. What holds none of the words becomes one statement a sentence, or is ranked as it came. Its argument is how many candidates it makes up at most.
 * Prints its address; ends with its parent.
 */
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  extractionMaterial,
  oneStatementPerSentence,
  type ExtractionDocument,
} from '../../support/stub-openai.ts';
import type { Misdeed } from './misdeeds.ts';

const candidates = Number(process.argv[2]);
const HUGE_CHARACTERS = 8_000_000;
const DEEP = 500_000;
const ENDLESS_MIB = 64;
const DRIPS_MS = 100;

function completion(content: string): string {
  return JSON.stringify({
    id: 'hostile',
    object: 'chat.completion',
    created: 1,
    model: 'hostile',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  });
}

function answers(
  documents: readonly ExtractionDocument[],
  statements: (document: ExtractionDocument) => readonly unknown[],
): string {
  const list = documents.map((document) => ({
    anchor_id: document.anchor_message.id,
    statements: statements(document),
  }));
  return completion(JSON.stringify({ answers: list }));
}

const json = { 'content-type': 'application/json' };

type Deed = (response: ServerResponse, documents: readonly ExtractionDocument[]) => unknown;

const DEEDS: Readonly<Record<Misdeed, Deed>> = {
  // The caller gives up.
  hang: () => undefined,
  refuse: (response) => response.writeHead(500, json).end('{"error":{"message":"no"}}'),
  babble: (response) => response.writeHead(200, json).end(completion('I am [not {sure')),
  page: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  async drip(response) {
    response.writeHead(200, json);
    while (response.writable && !response.destroyed) {
      response.write(' ');
      await sleep(DRIPS_MS);
    }
  },
  async flood(response) {
    response.writeHead(200, json);
    for (let mib = 0; mib < ENDLESS_MIB && !response.destroyed; mib += 1) {
      response.write(' '.repeat(1_048_576));
      await sleep(1);
    }
    response.end('{}');
  },
  nest: (response) =>
    response.writeHead(200, json).end(completion(`{"answers":${'['.repeat(DEEP)}`)),
  // Written out once and repeated: this process answers the other account too, and must not be what it waits for.
  multiply(response, documents) {
    const [first] = documents;
    const one = first === undefined ? {} : oneStatementPerSentence(first)[0];
    const item = JSON.stringify(JSON.stringify(one)).slice(1, -1);
    const many = `${item},`.repeat(candidates - 1) + item;
    const body = answers(documents, () => ['MANY']).replaceAll('\\"MANY\\"', () => many);
    response.writeHead(200, json).end(body);
  },
  swell: (response, documents) =>
    response.writeHead(200, json).end(
      answers(documents, (document) => {
        const [one] = oneStatementPerSentence(document);
        const statement = `a${'.'.repeat(HUGE_CHARACTERS)}a`;
        return [{ ...Object(one), statement, supporting_span: statement }];
      }),
    ),
};

/** As a reranker it makes up rankings instead of statements. */
const RERANK_DEEDS: Readonly<Record<Misdeed, Deed>> = {
  ...DEEDS,
  babble: (response) => response.writeHead(200, json).end('[not {sure'),
  nest: (response) => response.writeHead(200, json).end(`{"results":${'['.repeat(DEEP)}`),
  multiply: (response) =>
    response.writeHead(200, json).end(`[${`{"index":0,"score":1},`.repeat(candidates)}{}]`),
  swell: (response) =>
    response.writeHead(200, json).end(`[{"index":0,"score":"${'.'.repeat(HUGE_CHARACTERS)}"}]`),
};

function rerank(response: ServerResponse, { query, documents }: Record<string, unknown>): void {
  const deed = deedOf(RERANK_DEEDS, String(query));
  const count = Array.isArray(documents) ? documents.length : 0;
  const results = Array.from({ length: count }, (_, index) => ({ index, score: -index }));
  if (deed === undefined) response.writeHead(200, json).end(JSON.stringify({ results }));
  else void deed(response, []);
}

function extract(response: ServerResponse, body: Record<string, unknown>): void {
  const documents = extractionMaterial(body);
  const said = documents.map(({ anchor_message: { text } }) => text).join(' ');
  const deed = deedOf(DEEDS, said);
  if (deed === undefined) {
    response.writeHead(200, json).end(answers(documents, oneStatementPerSentence));
  } else void deed(response, documents);
}

function deedOf(deeds: typeof DEEDS, texts: string): Deed | undefined {
  return Object.entries(deeds).find(([word]) => texts.includes(`please ${word}`))?.[1];
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  response.on('error', () => undefined);
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (request.url?.endsWith('/rerank')) rerank(response, body);
    else extract(response, body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) {
    process.stdout.write(`http://127.0.0.1:${address.port}/v1\n`);
  }
});
process.on('disconnect', () => process.exit(0));
