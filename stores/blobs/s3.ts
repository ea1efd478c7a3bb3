/** Blobs in a bucket of S3 or of a store with its protocol, by path: `<bucket>/<prefix>/<account>/…/<sha256>`. */
import { AwsClient } from 'aws4fetch';
import { BlobDamagedError, blobKey, type BlobAddress, type BlobStore } from './blob-store.ts';
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

/** A store in one bucket. Nothing is asked of it before the first blob. */
export function createS3BlobStore(options: S3Options): BlobStore {
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
  return {
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
