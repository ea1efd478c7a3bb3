/** The folders in which a process keeps things, for the metrics of their disks. */
import { dirname, resolve } from 'node:path';
import type { Settings } from '../config/index.ts';
import type { DiskFolders } from '../telemetry/disk-metrics.ts';
import { isBucket } from './blobs.ts';

export function keptFolders({
  SERVICE_BLOB_STORE: blobs,
  SERVICE_PROMISES_FILE: promises,
}: Pick<Settings, 'SERVICE_BLOB_STORE' | 'SERVICE_PROMISES_FILE'>): DiskFolders {
  return { data: dirname(resolve(promises)), blobs: isBucket(blobs) ? null : resolve(blobs) };
}
