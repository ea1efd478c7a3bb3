/** Blobs in a bucket of S3 or of a store with its protocol, by path: `<bucket>/<prefix>/<account>/…/<sha256>`. */
import { AwsClient } from 'aws4fetch';
import {
  BlobDamagedError,
  blobKey,
  SHA256,
  UUID,
  type BlobAddress,
  type ListedBlobStore,
} from './blob-store.ts';
import { sha256Of } from './sha256.ts';

export interface S3Options {
  /** Address without a path. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Without slashes at its ends; may be empty. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** The store answered with an error. The text of the answer is left out, because it quotes keys. */
class BlobStoreError extends Error {
  readonly code: string;
  override readonly name = 'BlobStoreError';

  constructor(status: number) {
    super('the blob store declined');
    this.code = `HTTP_${status}`;
  }
}

const TIMEOUT_MS = 60_000;
const RETRIES = 2;

/** The texts of the elements of that name. What the service looks for holds no character that XML escapes. */
function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(
    ([, text = '']) => text,
  );
}

type AskBucket = (query: Readonly<Record<string, string>>) => Promise<string>;

/** The pages of a listing, in the order of their keys. */
async function* pages(ask: AskBucket, query: Readonly<Record<string, string>>) {
  let after: Record<string, string> = {};
  for (;;) {
    const page = await ask({ 'list-type': '2', ...query, ...after });
    yield page;
    const [next] = elements(page, 'NextContinuationToken');
    if (next === undefined) return;
    after = { 'continuation-token': next.replaceAll('&amp;', '&') };
  }
}

const lastPart = (key: string): string => key.split('/').findLast((part) => part !== '') ?? '';

/** What a bucket holds below the prefix, which is empty or ends with a slash. */
function listing(ask: AskBucket, prefix: string): Pick<ListedBlobStore, 'accounts' | 'list'> {
  return {
    async *list(accountId) {
      for await (const page of pages(ask, { prefix: `${prefix}${accountId}/` })) {
        yield* elements(page, 'Key')
          .map(lastPart)
          .filter((name) => SHA256.test(name));
      }
    },
    async accounts() {
      const found: string[] = [];
      for await (const page of pages(ask, { prefix, delimiter: '/' })) {
        const below = page.slice(page.indexOf('<CommonPrefixes>'));
        found.push(
          ...elements(below, 'Prefix')
            .map(lastPart)
            .filter((name) => UUID.test(name)),
        );
      }
      return found;
    },
  };
}

/** A store in one bucket. Nothing is asked of it before the first blob. */
export function createS3BlobStore(options: S3Options): ListedBlobStore {
  const { accessKeyId, bucket, endpoint, prefix, region, secretAccessKey, sessionToken } = options;
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
    retries: RETRIES,
    ...(sessionToken === undefined ? {} : { sessionToken }),
  });
  const urlOf = (address: BlobAddress): string =>
    [endpoint, bucket, ...(prefix === '' ? [] : [prefix]), ...blobKey(address)].join('/');
  const ask: AskBucket = async (query) => {
    const url = `${endpoint}/${bucket}?${new URLSearchParams(query).toString()}`;
    const answer = await client.fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await answer.text();
    if (!answer.ok) throw new BlobStoreError(answer.status);
    return text;
  };
  return {
    ...listing(ask, prefix === '' ? '' : `${prefix}/`),
    // A bucket shows an object whole or not at all, and answers once it is durable.
    async put(address, bytes) {
      const answer = await client.fetch(urlOf(address), {
        method: 'PUT',
        body: bytes,
        // The address is the hash of what is put there.
        headers: { 'x-amz-content-sha256': address.sha256 },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.arrayBuffer();
      if (!answer.ok) throw new BlobStoreError(answer.status);
    },
    async get(address) {
      const answer = await client.fetch(urlOf(address), {
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (answer.status === 404) return null;
      if (!answer.ok) throw new BlobStoreError(answer.status);
      if ((await sha256Of(bytes)) !== address.sha256) throw new BlobDamagedError();
      return bytes;
    },
    async delete(address) {
      const answer = await client.fetch(urlOf(address), {
        method: 'DELETE',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.arrayBuffer();
      if (!answer.ok && answer.status !== 404) throw new BlobStoreError(answer.status);
    },
    // A bucket knows no drafts.
    async deleteDraft() {},
  };
}
