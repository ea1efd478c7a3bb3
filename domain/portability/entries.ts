/** The names of the members of an archive, and the order in which they stand. */
import { TRAVELLING_NAMES } from './tables.ts';

export const MANIFEST_NAME = 'manifest.json';

export type EntryKind =
  | { readonly kind: 'manifest' }
  | { readonly kind: 'blob'; readonly sha256: string }
  /** Of a table, whether this build knows it or not. */
  | { readonly kind: 'resource'; readonly table: string };

const RESOURCE = /^resources\/(?<table>[a-z][a-z_]{0,62})\.jsonl$/;
const BLOB = /^blobs\/(?<sha256>[0-9a-f]{64})$/;

export const resourceName = (table: string): string => `resources/${table}.jsonl`;
export const blobName = (sha256: string): string => `blobs/${sha256}`;

/** What the name stands for; null for any other name, such as an absolute one or one with `..`. */
export function entryKind(name: string): EntryKind | null {
  if (name === MANIFEST_NAME) return { kind: 'manifest' };
  const table = RESOURCE.exec(name)?.groups?.['table'];
  if (table !== undefined) return { kind: 'resource', table };
  const sha256 = BLOB.exec(name)?.groups?.['sha256'];
  return sha256 === undefined ? null : { kind: 'blob', sha256 };
}

/** The resources of an archive that this build writes, in order. */
export const RESOURCE_NAMES: readonly string[] = TRAVELLING_NAMES.map(resourceName);
