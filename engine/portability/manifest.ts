/** The manifest of an archive: the last member, and the list of all others. */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import { ARCHIVE_IDENTITY } from '../../domain/identities.ts';
import { ArchiveError } from '../../domain/portability/archive-error.ts';
import { MOST_BLOB_BYTES, MOST_BLOBS } from '../../domain/portability/bounds.ts';
import { MANIFEST_NAME } from '../../domain/portability/entries.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
/** The name of a migration. */
const schemaVersion = z.string().regex(/^\d{4}_[a-z0-9_]{1,64}$/);

const manifestShape = z.strictObject({
  schema: z.literal(ARCHIVE_IDENTITY),
  /** The last migration of the database that the account comes from. */
  schema_version: schemaVersion,
  app_version: z.string().min(1).max(64),
  account: z.strictObject({ id: z.uuidv7(), key: z.string().min(1).max(256) }),
  /** The collection of vectors that the account was searched in. For information: no vector travels. */
  embedder_space: z.string().max(255),
  resources: z.array(z.strictObject({ name: z.string().max(100), count, sha256 })).max(200),
  blobs: z
    .array(z.strictObject({ sha256, bytes: z.int().min(1).max(MOST_BLOB_BYTES) }))
    .max(MOST_BLOBS),
  /** The end of the audit chain, and the number of events that it holds. */
  audit: z.strictObject({ head: sha256, count }),
  /** Tables that stayed behind. */
  excluded: z.array(z.string().regex(/^[a-z][a-z_]{0,62}$/)).max(200),
});
export type ArchiveManifest = z.infer<typeof manifestShape>;
/** The manifest as it stands in an archive. It proves no author: whoever writes another manifest writes its hash too. */
const sealedShape = manifestShape.extend({
  /** SHA-256 of everything before it, as canonical JSON (RFC 8785). */
  sha256,
});

/** Rows of all tables. */
export function rowsOf({ resources }: Pick<ArchiveManifest, 'resources'>): number {
  return resources.reduce((sum, { count: rows }) => sum + rows, 0);
}

function hashOf(manifest: object): string {
  const text = canonicalize(manifest);
  if (text === undefined) throw new TypeError('a manifest is JSON');
  return createHash('sha256').update(text).digest('hex');
}

/** The bytes of the member: the manifest with its own hash, so that no change of it goes unseen. */
export function manifestBytes(manifest: object): Buffer {
  return Buffer.from(`${JSON.stringify({ ...manifest, sha256: hashOf(manifest) }, null, 1)}\n`);
}

const versionsShape = z.looseObject({
  schema: z.string().regex(/^[\w-]{1,64}$/),
  schema_version: schemaVersion,
});

const number = (schema: string): number => Number.parseInt(schema, 10);

/** Refuses an archive of another schema, with both versions. */
function checkVersions(
  { schema, schema_version: theirs }: z.infer<typeof versionsShape>,
  ours: string,
): void {
  if (schema !== ARCHIVE_IDENTITY) {
    throw new ArchiveError(
      `The archive has the schema ${schema}, and this build reads ${ARCHIVE_IDENTITY}. Import it with the build that wrote it.`,
    );
  }
  if (theirs === ours) return;
  throw new ArchiveError(
    number(theirs) > number(ours)
      ? `The archive is newer: its database has the migration ${theirs}, and this one ends at ${ours}. Update this deployment first.`
      : `The archive has the migration ${theirs}, and this database has ${ours}. Import it with the build that wrote it, then update; or update the source and export again.`,
  );
}

/**
 * Reads a manifest for a database that ends at the migration `ours`.
 * @throws ArchiveError when it is no manifest, or of another schema.
 */
export function readManifest(bytes: Uint8Array, ours: string): ArchiveManifest {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ArchiveError(`${MANIFEST_NAME} is not JSON. Nothing was imported.`);
  }
  const versions = versionsShape.safeParse(value);
  if (versions.success) checkVersions(versions.data, ours);
  const manifest = sealedShape.safeParse(value);
  if (manifest.success) {
    const { sha256: hash, ...said } = manifest.data;
    if (hashOf(said) === hash) return said;
    throw new ArchiveError(`${MANIFEST_NAME} was changed. Nothing was imported.`);
  }
  const where = manifest.error.issues[0]?.path.map(String).join('.') ?? '';
  throw new ArchiveError(
    `${MANIFEST_NAME} has a missing, unknown or invalid member${/^[\w.]{1,64}$/.test(where) ? ` (${where})` : ''}. Nothing was imported.`,
  );
}
