/** The blob store that the settings name. */
import { resolve } from 'node:path';
import type { BlobStore } from '../../stores/blobs/blob-store.ts';
import { createFolderBlobStore } from '../../stores/blobs/folder.ts';
import type { Settings } from '../config/index.ts';

/** Nothing is made or opened before the first blob. */
export function buildBlobStore(settings: Pick<Settings, 'SERVICE_BLOB_STORE'>): BlobStore {
  return createFolderBlobStore(resolve(settings.SERVICE_BLOB_STORE));
}
