/** The blob store that the settings name, and the part of it that operations use. */
import { resolve } from 'node:path';
import { Refusal } from '../../domain/errors.ts';
import { withoutEnding } from '../../domain/text/ending.ts';
import type { BlobStore, ListedBlobStore, UploadedBlobs } from '../../stores/blobs/blob-store.ts';
import { createFolderBlobStore } from '../../stores/blobs/folder.ts';
import { createS3BlobStore } from '../../stores/blobs/s3.ts';
import { PreconditionError } from '../../stores/postgres/precondition-error.ts';
import type { Settings } from '../config/index.ts';
import { errorFields, type Log } from '../../engine/logging/logger.ts';

const BUCKET = /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>[\w./-]*))?$/;

/** Whether `SERVICE_BLOB_STORE` means a bucket; else it is a folder. */
export function isBucket(where: string): boolean {
  return where.startsWith('s3:');
}

type BlobSettings = Pick<
  Settings,
  | 'SERVICE_BLOB_STORE'
  | 'AWS_ENDPOINT_URL_S3'
  | 'AWS_REGION'
  | 'AWS_ACCESS_KEY_ID'
  | 'AWS_SECRET_ACCESS_KEY'
  | 'AWS_SESSION_TOKEN'
>;

function inBucket(settings: BlobSettings): ListedBlobStore {
  const named = BUCKET.exec(settings.SERVICE_BLOB_STORE)?.groups;
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (named?.['bucket'] === undefined) {
    throw new PreconditionError('SERVICE_BLOB_STORE must be a folder or s3://bucket/prefix.');
  }
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new PreconditionError(
      'SERVICE_BLOB_STORE names a bucket. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY too.',
    );
  }
  const region = settings.AWS_REGION;
  const endpoint = settings.AWS_ENDPOINT_URL_S3 ?? `https://s3.${region}.amazonaws.com`;
  return createS3BlobStore({
    endpoint: withoutEnding(endpoint, /\//),
    bucket: named['bucket'],
    prefix: withoutEnding((named['prefix'] ?? '').replace(/^\/+/, ''), /\//),
    region,
    accessKeyId,
    secretAccessKey,
    sessionToken: settings.AWS_SESSION_TOKEN,
  });
}

/**
 * The store creates and opens nothing before the first blob.
 * @throws PreconditionError for a bucket without a name or credentials.
 */
export function buildBlobStore(settings: BlobSettings): ListedBlobStore {
  const { SERVICE_BLOB_STORE: where } = settings;
  return isBucket(where) ? inBucket(settings) : createFolderBlobStore(resolve(where));
}

/** Refuses with `unavailable` when the bytes cannot be kept; the store's error goes to the log. */
export function blobsForOperations(
  blobs: BlobStore,
  log: Log,
): UploadedBlobs & Pick<BlobStore, 'get'> {
  return {
    get: (address) => blobs.get(address),
    delete: (address) => blobs.delete(address),
    deleteDraft: (address, draft) => blobs.deleteDraft(address, draft),
    async put(address, bytes, draft) {
      try {
        await blobs.put(address, bytes, draft);
      } catch (error) {
        log.error('blob.put_failed', errorFields(error));
        throw new Refusal('unavailable');
      }
    },
  };
}
