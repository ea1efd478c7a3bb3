/**
 * A stub of a model endpoint, as a process of its own. It answers one statement about the speaker for each anchor that has
 * a speaker, and the same answer to every question: a pure function of the request. It reports a token for every four
 * bytes. Its argument is the time of an answer in milliseconds. Its parent may send it `{outageEvery, outageMs}`: after
 * every `outageEvery` answers it then refuses all requests for `outageMs`. It prints its address and ends with its parent.
 */
import { createServer } from 'node:http';
import { z } from 'zod';

const [delay = '0'] = process.argv.slice(2);
const delayMs = z.coerce.number().int().min(0).max(60_000).parse(delay);

const BYTES_PER_TOKEN = 4;

const said = z.object({
  id: z.string(),
  speaker_key: z.string(),
  speaker_name: z.string(),
  text: z.string(),
});
/** A passage of a document has no speaker. */
const passage = z.object({ id: z.string(), speaker_key: z.undefined().optional() });
const anchorDocument = z.object({ anchor_messages: z.array(z.union([said, passage])) });
const question = z.object({ question: z.string() });
const outagesMessage = z.object({ outageEvery: z.int().min(1), outageMs: z.int().min(0) });
const chatRequest = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
});

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = z.array(z.object({ text: z.string().optional() })).safeParse(content);
  return parts.success ? parts.data.map(({ text }) => text ?? '').join('') : '';
}

function statementOf({ id, speaker_key, speaker_name, text }: z.infer<typeof said>): unknown {
  return {
    supporting_span: text,
    statement: `${speaker_name}: ${text}`,
    confidence_level: 'stated_explicitly',
    kind: 'fact',
    subject_type: 'peer',
    subject_ref: speaker_key,
    sensitivity: 'internal',
    target_level: 'peer',
    source_message_ids: [id],
    relevant_from: null,
    relevant_until: null,
  };
}

/** What an answerer says of any question. */
const ANSWERED = {
  answer: 'The first statement says so.',
  citations: ['S1'],
  abstained: false,
  answer_confidence: 90,
};

function answerFor(texts: readonly string[]): unknown {
  const document = texts.find((text) => text.startsWith('{'));
  if (document === undefined) return { answers: [] };
  const asked: unknown = JSON.parse(document);
  if (question.safeParse(asked).success) return ANSWERED;
  return {
    answers: anchorDocument.parse(asked).anchor_messages.map((one) => ({
      anchor_id: one.id,
      statements: one.speaker_key === undefined ? [] : [statementOf(one)],
    })),
  };
}

function tokensOf(texts: readonly string[]): number {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

function answer(body: string): string {
  const request = chatRequest.parse(JSON.parse(body));
  const texts = request.messages.map(({ content }) => textOf(content));
  const content = JSON.stringify(answerFor(texts));
  const [asked, answered] = [tokensOf(texts), tokensOf([content])];
  return JSON.stringify({
    id: 'load',
    object: 'chat.completion',
    created: 1,
    model: request.model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: asked,
      completion_tokens: answered,
      total_tokens: asked + answered,
    },
  });
}

const outages = { every: Infinity, ms: 0, answered: 0, until: 0 };

/** Whether the endpoint refuses requests now; otherwise counts the answer. */
function isAway(): boolean {
  if (performance.now() < outages.until) return true;
  outages.answered += 1;
  if (outages.answered % outages.every === 0) outages.until = performance.now() + outages.ms;
  return false;
}

process.on('message', (told) => {
  const { outageEvery, outageMs } = outagesMessage.parse(told);
  Object.assign(outages, { every: outageEvery, ms: outageMs, answered: 0, until: 0 });
});

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (isAway()) {
      response.writeHead(503, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"away"}}');
      return;
    }
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(answer(Buffer.concat(chunks).toString('utf8')));
    }, delayMs);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) {
    process.stdout.write(`http://127.0.0.1:${address.port}/v1\n`);
  }
});
process.on('disconnect', () => process.exit(0));
