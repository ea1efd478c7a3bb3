/**
 * A local endpoint that speaks enough of the OpenAI protocol (chat completions and embeddings), of Anthropic's
 * Messages at `/messages`, and of rerankers at `/rerank`, to stand in for a model provider in tests. By default it is a pure function of its input; a script of behaviours makes
 * it misbehave in the ways real endpoints do. It records what it received and binds a free loopback port.
 */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { asMessage } from './messages-protocol.ts';

/**
 * Chat answers: `text` is the assistant's message as is, `answers` the list that a prompt asks for, `statements`
 * the same ones for every anchor.
 */
export type StubBehaviour =
  | { readonly kind: 'default' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'statements'; readonly statements: readonly unknown[] }
  | { readonly kind: 'answers'; readonly answers: readonly unknown[] }
  | { readonly kind: 'fenced' }
  | { readonly kind: 'prose' }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'filtered' }
  | { readonly kind: 'refusal' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'unmetered' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'held'; readonly until: Promise<void> }
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'html'; readonly status?: number }
  | { readonly kind: 'wrong_json' }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'vectors'; readonly vectors: readonly (readonly number[])[] }
  /** What a reranker answers, in place of the order turned round. */
  | { readonly kind: 'rankings'; readonly answer: unknown }
  /** A space now and then, and never an end. */
  | { readonly kind: 'drip' };

const DRIP_MS = 20;

export interface StubRequest {
  readonly path: string;
  readonly authorization: string | null;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** One message as an extraction prompt shows it. */
export interface StubMessage {
  readonly id: string;
  /** Absent in a chunk of a document, which has no speaker. */
  readonly speaker_key?: string;
  readonly speaker_name?: string;
  readonly evidence: boolean;
  readonly text: string;
}

/** What an extraction prompt asks about one of its anchors, with the messages of that anchor's window. */
export interface ExtractionDocument {
  readonly scope_path: string;
  readonly people: readonly { readonly peer_key: string; readonly name: string }[];
  readonly earlier_messages: readonly StubMessage[];
  readonly anchor_message: StubMessage;
}

export interface StubOpenAi {
  /** Address for a role's `_BASE_URL`. */
  readonly baseUrl: string;
  readonly requests: readonly StubRequest[];
  /** Requests whose connection the client closed before an answer. */
  readonly abandoned: () => number;
  /** Requests that are open now. */
  readonly open: () => number;
  /** The most requests that were open at one time. */
  readonly peak: () => number;
  /** Behaviours for the next requests, in order; after them the default again. */
  script(...behaviours: readonly StubBehaviour[]): void;
  close(): Promise<void>;
}

export interface StubOptions {
  /** Width of the default embeddings. */
  readonly dimensions?: number;
  /** Any free one unless given. */
  readonly port?: number;
  /** Milliseconds before every answer. */
  readonly delayMs?: number;
  /** The statements of a default answer for an anchor: a pure function of the prompt. */
  readonly extract?: (document: ExtractionDocument) => readonly unknown[];
}

/** Starts a stub; close it when the test is over. */
export async function startStubOpenAi(options: StubOptions = {}): Promise<StubOpenAi> {
  const requests: StubRequest[] = [];
  const queue: StubBehaviour[] = [];
  const sockets = new Set<Socket>();
  const counts = { open: 0, peak: 0, abandoned: 0 };

  const server = createServer((request, response) => {
    counts.open += 1;
    counts.peak = Math.max(counts.peak, counts.open);
    response.once('close', () => {
      counts.open -= 1;
      if (!response.writableFinished) counts.abandoned += 1;
    });
    const answer = async (): Promise<void> => {
      const body = await readBody(request);
      const path = request.url ?? '';
      const authorization = request.headers.authorization ?? null;
      const { headers } = request;
      requests.push({ path, authorization, headers, body, receivedAt: Date.now() });
      const behaviour = queue.shift() ?? { kind: 'default' };
      if (options.delayMs !== undefined) await sleep(options.delayMs);
      await respond(response, path, body, behaviour, options);
    };
    // A client that is killed while it sends is no failure of the stub.
    answer().catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    abandoned: () => counts.abandoned,
    open: () => counts.open,
    peak: () => counts.peak,
    script: (...behaviours) => void queue.push(...behaviours),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

async function respond(
  response: ServerResponse,
  path: string,
  body: Readonly<Record<string, unknown>>,
  behaviour: StubBehaviour,
  { dimensions = 8, extract = oneStatementPerSentence }: StubOptions,
): Promise<void> {
  if (behaviour.kind === 'delay') await sleep(behaviour.ms);
  else if (behaviour.kind === 'held') await behaviour.until;
  else if (misbehave(response, behaviour)) return;
  if (path.endsWith('/embeddings')) {
    return sendJson(response, 200, embeddings(body, behaviour, dimensions));
  }
  if (path.endsWith('/rerank')) return sendJson(response, 200, rankings(body, behaviour));
  const answer = completion(body, behaviour, extract);
  sendJson(response, 200, path.endsWith('/messages') ? asMessage(body, answer) : answer);
}

/** Behaviours that give no answer of the protocol; false when the behaviour is none of them. */
function misbehave(response: ServerResponse, behaviour: StubBehaviour): boolean {
  if (behaviour.kind === 'hang') return true;
  if (behaviour.kind === 'drip') {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drops = setInterval(() => response.write(' '), DRIP_MS);
    response.once('close', () => clearInterval(drops));
  } else if (behaviour.kind === 'reset') {
    response.socket?.resetAndDestroy();
  } else if (behaviour.kind === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '4096' });
    response.write('{"id":"x","choices":[{"index":0,');
    setTimeout(() => response.destroy(), 20);
  } else if (behaviour.kind === 'html') {
    response.writeHead(behaviour.status ?? 200, { 'content-type': 'text/html' });
    response.end('<html><body>Bad gateway SECRET-PROVIDER-TEXT</body></html>');
  } else if (behaviour.kind === 'wrong_json') {
    sendJson(response, 200, { unexpected: 'SECRET-PROVIDER-TEXT' });
  } else if (behaviour.kind === 'status') {
    const { status, body = providerError(status), headers = {} } = behaviour;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    sendJson(response, status, body);
  } else return false;
  return true;
}

type Extract = NonNullable<StubOptions['extract']>;

function completion(
  body: Readonly<Record<string, unknown>>,
  behaviour: StubBehaviour,
  extract: Extract,
) {
  const message = { role: 'assistant', ...messageFor(body, behaviour, extract) };
  const reasons: Partial<Record<StubBehaviour['kind'], string>> = {
    truncated: 'length',
    filtered: 'content_filter',
  };
  return {
    id: 'stub',
    object: 'chat.completion',
    created: 1,
    model: body['model'],
    choices: [{ index: 0, message, finish_reason: reasons[behaviour.kind] ?? 'stop' }],
    ...(behaviour.kind === 'unmetered'
      ? {}
      : { usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } }),
  };
}

function messageFor(
  body: Readonly<Record<string, unknown>>,
  behaviour: StubBehaviour,
  extract: Extract,
): { content: string | null; refusal?: string } {
  const documents = extractionMaterial(body);
  const answered = (statements: (document: ExtractionDocument) => readonly unknown[]): string =>
    JSON.stringify({
      answers: documents.map((document) => ({
        anchor_id: document.anchor_message.id,
        statements: statements(document),
      })),
    });
  const { kind } = behaviour;
  if (kind === 'text') return { content: behaviour.text };
  if (kind === 'statements') return { content: answered(() => behaviour.statements) };
  if (kind === 'answers') return { content: JSON.stringify({ answers: behaviour.answers }) };
  const usual = answered(extract);
  if (kind === 'fenced') return { content: `\`\`\`json\n${usual}\n\`\`\`` };
  if (kind === 'prose') {
    return { content: `Here is what I found [see below]:\n${usual}\nLet me know {if} it helps.` };
  }
  if (kind === 'truncated') return { content: usual.slice(0, -5) };
  if (kind === 'refusal') return { content: null, refusal: 'SECRET-PROVIDER-TEXT' };
  return { content: kind === 'filtered' || kind === 'empty' ? '' : usual };
}

/** The default extractor: each sentence of the anchor becomes a statement about its speaker, or else the scope. */
export function oneStatementPerSentence(document: ExtractionDocument): unknown[] {
  const { id, speaker_key: key, speaker_name: name, text } = document.anchor_message;
  return assertions(text).map((sentence) => ({
    supporting_span: sentence,
    statement: name === undefined ? sentence : `${name}: ${sentence}`,
    confidence_level: 'stated_explicitly',
    kind: 'fact',
    subject_type: key === undefined ? 'scope' : 'peer',
    subject_ref: key ?? document.scope_path,
    sensitivity: 'internal',
    target_level: 'peer',
    source_message_ids: [id],
    relevant_from: null,
    relevant_until: null,
  }));
}

/** The sentences of a text that are no questions. */
export function assertions(text: string): string[] {
  const sentences = text.match(/[^.!?。！？\n]+[.!?。！？]?/gu) ?? [];
  return sentences
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence) && !/[?？]$/u.test(sentence));
}

interface PositionedMessage extends StubMessage {
  readonly position: number;
}

interface PromptDocument extends Pick<ExtractionDocument, 'scope_path' | 'people'> {
  readonly earlier_messages: readonly PositionedMessage[];
  readonly anchor_messages: readonly (PositionedMessage & { readonly window: readonly number[] })[];
}

/** What a body asks about: every anchor of its document, or those that a request for a repair names. */
export function extractionMaterial(
  body: Readonly<Record<string, unknown>>,
): readonly ExtractionDocument[] {
  const messages = Array.isArray(body['messages']) ? body['messages'] : [];
  const objects = messages.flatMap((message) => {
    const text = message?.role === 'user' ? messageText(message.content) : '';
    return text.startsWith('{') ? [JSON.parse(text)] : [];
  });
  const document: PromptDocument | undefined = objects.find(
    ({ anchor_messages: anchors }) => anchors !== undefined,
  );
  if (document === undefined) return [];
  const faults: readonly { readonly anchor_id: string }[] | undefined = objects.at(-1).faults;
  const { scope_path, people, earlier_messages: earlier, anchor_messages: anchors } = document;
  const shown = [...earlier, ...anchors].sort((a, b) => a.position - b.position);
  return anchors
    .filter(({ id }) => faults?.some((fault) => fault.anchor_id === id) ?? true)
    .map(({ window, ...anchor_message }) => ({
      scope_path,
      people,
      earlier_messages: shown.filter(({ position }) => window.includes(position)),
      anchor_message,
    }));
}

function messageText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (typeof part?.text === 'string' ? part.text : '')).join('');
}

function embeddings(
  body: Readonly<Record<string, unknown>>,
  behaviour: StubBehaviour,
  dimensions: number,
): unknown {
  const texts = Array.isArray(body['input']) ? body['input'].map(String) : [];
  const vectors =
    behaviour.kind === 'vectors'
      ? behaviour.vectors
      : texts.map((text) => vectorOf(text, dimensions));
  return {
    object: 'list',
    model: body['model'],
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    ...(behaviour.kind === 'unmetered'
      ? {}
      : { usage: { prompt_tokens: texts.length * 3, total_tokens: texts.length * 3 } }),
  };
}

/** The last document is the best one, so the order of the documents is turned round. */
function rankings(body: Readonly<Record<string, unknown>>, behaviour: StubBehaviour): unknown {
  if (behaviour.kind === 'rankings') return behaviour.answer;
  const documents = Array.isArray(body['documents']) ? body['documents'] : [];
  const results = documents.map((_, index) => ({ index, relevance_score: index }));
  return {
    results,
    ...(behaviour.kind === 'unmetered' ? {} : { usage: { total_tokens: 5 * documents.length } }),
  };
}

/** A unit vector that depends on the text only. */
function vectorOf(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.01);
  for (let index = 0; index < text.length; index += 1) {
    const slot = (text.charCodeAt(index) + index) % dimensions;
    vector[slot] = (vector[slot] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function providerError(status: number): unknown {
  const error = { message: 'SECRET-PROVIDER-TEXT', type: 'stub', code: `stub_${status}` };
  return { type: 'error', error };
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
