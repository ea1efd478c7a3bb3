/**
 * A model endpoint that answers at once, as a process of its own: each anchor becomes one statement about its
 * speaker, a pure function of the request. Prints its address; ends with its parent.
 */
import { createServer } from 'node:http';
import { z } from 'zod';

const [delay = '0'] = process.argv.slice(2);
const delayMs = z.coerce.number().int().min(0).max(60_000).parse(delay);

const anchorDocument = z.object({
  anchor_message: z.object({
    id: z.string(),
    speaker_key: z.string(),
    speaker_name: z.string(),
    text: z.string(),
  }),
});
const chatRequest = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
});

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = z.array(z.object({ text: z.string().optional() })).safeParse(content);
  return parts.success ? parts.data.map(({ text }) => text ?? '').join('') : '';
}

function statementsFor(request: z.infer<typeof chatRequest>): unknown[] {
  const document = request.messages
    .map(({ content }) => textOf(content))
    .find((text) => text.startsWith('{'));
  if (document === undefined) return [];
  const { anchor_message: anchor } = anchorDocument.parse(JSON.parse(document));
  return [
    {
      supporting_span: anchor.text,
      statement: `${anchor.speaker_name}: ${anchor.text}`,
      confidence_level: 'stated_explicitly',
      kind: 'fact',
      subject_type: 'peer',
      subject_ref: anchor.speaker_key,
      sensitivity: 'internal',
      target_level: 'peer',
      source_message_ids: [anchor.id],
      relevant_from: null,
      relevant_until: null,
    },
  ];
}

function answer(body: string): string {
  const request = chatRequest.parse(JSON.parse(body));
  const content = JSON.stringify({ statements: statementsFor(request) });
  return JSON.stringify({
    id: 'load',
    object: 'chat.completion',
    created: 1,
    model: request.model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  });
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
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
