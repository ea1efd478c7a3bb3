/** A collector of spans on loopback: takes OTLP as JSON over HTTP and keeps what it got, decoded and as text. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const value = z.looseObject({
  stringValue: z.string().optional(),
  intValue: z.union([z.number(), z.string()]).optional(),
});
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .default([])
  .transform((list): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      list.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value]),
    ),
  );
const span = z.looseObject({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  traceState: z.string().optional(),
  name: z.string(),
  attributes,
  events: z.array(z.unknown()).default([]),
  links: z
    .array(z.looseObject({ traceId: z.string(), spanId: z.string(), attributes }))
    .default([]),
  status: z.looseObject({ code: z.number().optional(), message: z.string().optional() }),
});
export type CollectedSpan = z.output<typeof span>;

const request = z.object({
  resourceSpans: z.array(
    z.looseObject({
      resource: z.looseObject({ attributes }),
      scopeSpans: z.array(z.looseObject({ spans: z.array(span) })),
    }),
  ),
});

export interface Collector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  readonly resources: readonly Readonly<Record<string, unknown>>[];
  /** Path and headers of every request. */
  readonly heads: readonly { readonly path: string; readonly headers: object }[];
  /** Everything that arrived. */
  text(): string;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const spans: CollectedSpan[] = [];
  const resources: Readonly<Record<string, unknown>>[] = [];
  const heads: { path: string; headers: object }[] = [];
  const take = (body: string): void => {
    bodies.push(body);
    for (const { resource, scopeSpans } of request.parse(JSON.parse(body)).resourceSpans) {
      resources.push(resource.attributes);
      spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    }
  };
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      heads.push({ path: incoming.url ?? '', headers: incoming.headers });
      take(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    heads,
    text: () => bodies.join('\n'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
