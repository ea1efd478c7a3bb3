/** A bucket in memory that takes requests only when they are signed and their body is as the signature says. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';

export interface StubBucket {
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  close(): Promise<void>;
}

/** Keys of a page: few, so that a listing has several. */
const PAGE = 2;

/** What a bucket answers to `ListObjectsV2`: keys in order, or with a delimiter the prefixes before it. */
function listOf(objects: ReadonlyMap<string, Buffer>, path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://bucket');
  const prefix = searchParams.get('prefix') ?? '';
  const after = searchParams.get('continuation-token') ?? '';
  const delimiter = searchParams.get('delimiter');
  const keys = [...objects.keys()].map((key) => key.slice(pathname.length + 1));
  const below = keys
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
      return end < 0 ? key : key.slice(0, end + 1);
    });
  const all = [...new Set(below)].toSorted().filter((key) => key > after);
  const page = all.slice(0, PAGE);
  const next =
    all.length > PAGE ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  const items = page.map((key) =>
    delimiter === null
      ? `<Contents><Key>${key}</Key></Contents>`
      : `<CommonPrefixes><Prefix>${key}</Prefix></CommonPrefixes>`,
  );
  return `<ListBucketResult><Prefix>${prefix}</Prefix>${next}${items.join('')}</ListBucketResult>`;
}

export async function openStubBucket(accessKeyId: string): Promise<StubBucket> {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      const path = request.url ?? '';
      const isSigned = request.headers.authorization?.startsWith(
        `AWS4-HMAC-SHA256 Credential=${accessKeyId}/`,
      );
      const hash = createHash('sha256').update(body).digest('hex');
      const isWhole = request.method !== 'PUT' || request.headers['x-amz-content-sha256'] === hash;
      const found = objects.get(path);
      const listing = path.includes('?list-type=2') ? listOf(objects, path) : null;
      if (isSigned !== true || !isWhole) response.writeHead(403).end('<Error>key</Error>');
      else if (listing !== null) response.writeHead(200).end(listing);
      else if (request.method === 'PUT') {
        objects.set(path, body);
        response.writeHead(200).end();
      } else if (request.method === 'DELETE') {
        objects.delete(path);
        response.writeHead(204).end();
      } else if (found === undefined) response.writeHead(404).end('<Error>NoSuchKey</Error>');
      else response.writeHead(200).end(found);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    objects,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
