/**
 * `account.export`: all that an account is, as one file that its owner takes along. One transaction sees everything at
 * one instant; the service works on beside it.
 */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { z } from 'zod';
import { ARCHIVE_IDENTITY, APP_VERSION } from '../../domain/identities.ts';
import { ArchiveError } from '../../domain/portability/archive-error.ts';
import {
  FIRST_PAGE_ROWS,
  MOST_BLOBS,
  nextPageRows,
  PAGE_BYTES,
} from '../../domain/portability/bounds.ts';
import { blobName, MANIFEST_NAME, resourceName } from '../../domain/portability/entries.ts';
import {
  LEFT_BEHIND,
  TRAVELLING,
  TRAVELLING_NAMES,
  type TravellingName,
} from '../../domain/portability/tables.ts';
import {
  assertFree,
  beginArchive,
  type ArchiveWriter,
} from '../../engine/portability/archive-writer.ts';
import { rememberOutside, type RunOutside } from '../../engine/outside.ts';
import { manifestBytes, rowsOf, type ArchiveManifest } from '../../engine/portability/manifest.ts';
import { Spool } from '../../engine/portability/spool.ts';
import type { ArchiveObstacles } from '../../stores/postgres/portability/archive.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput } from '../identity/inputs.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { withKeysTurned } from '../../engine/portability/sealed-keys.ts';

/** Seconds after which an event that no worker has sealed stands against an export. */
const MOST_UNSEALED_SECONDS = 60;
/** Milliseconds for one page of rows on a busy database. */
const PAGE_TIMEOUT_MS = 300_000;
const BLOB_PAGE = 1_000;

interface Exporting {
  readonly stores: Stores;
  readonly writer: ArchiveWriter;
  readonly spool: Spool;
  readonly context: RequestContext;
  readonly accountId: string;
  /** Transactions beside the snapshot. */
  readonly outside: RunOutside;
  readonly schemaVersion: string;
}

function refuseObstacles(found: ArchiveObstacles): void {
  if (found.open_erasures > 0) {
    throw new ArchiveError(
      'An erasure of this account is not completed. Export when `vouch status` shows none, so that the archive holds nobody who is being erased.',
    );
  }
  if (found.oldest_unsealed_seconds > MOST_UNSEALED_SECONDS) {
    throw new ArchiveError(
      `Audit events have waited ${found.oldest_unsealed_seconds} seconds to be sealed. Start a worker, wait a minute, and export again.`,
    );
  }
}

/** Spools the rows of a table and adds them to the archive. */
async function addTable(
  { accountId, context, spool, stores, writer }: Exporting,
  table: TravellingName,
): Promise<ArchiveManifest['resources'][number]> {
  for (const selection of TRAVELLING[table].selections) {
    let after: readonly string[] | null = null;
    let rows = FIRST_PAGE_ROWS;
    for (;;) {
      context.signal.throwIfAborted();
      const page = await stores.archiveRows.page(table, selection, {
        after,
        rows,
        bytes: PAGE_BYTES,
      });
      await spool.add(withKeysTurned(table, page.lines, context.holdKeysOf(accountId)));
      // The only row of its table has no key.
      if (page.lines.length === 0 || page.last.length === 0) break;
      after = page.last;
      rows = nextPageRows(
        page.lines.length,
        page.lines.reduce((sum, line) => sum + line.length, 0),
      );
    }
  }
  const { bytes, count, sha256 } = spool.end();
  await writer.add(resourceName(table), bytes, spool.read(bytes));
  context.progress?.(`${table}: ${count} rows`);
  return { name: resourceName(table), count, sha256 };
}

async function addBlobs({
  accountId,
  context,
  stores,
  writer,
}: Exporting): Promise<ArchiveManifest['blobs']> {
  const blobs: ArchiveManifest['blobs'] = [];
  for (let after = ''; ;) {
    const page = await stores.archive.blobsAfter(after, BLOB_PAGE);
    for (const sha256 of page) {
      context.signal.throwIfAborted();
      if (blobs.length >= MOST_BLOBS) {
        throw new ArchiveError(`The account has more than ${MOST_BLOBS} originals of documents.`);
      }
      const bytes = await context.blobs.get({ accountId, sha256 }).catch(() => null);
      if (bytes === null) {
        throw new ArchiveError(
          `The original ${sha256} of a document is missing, damaged or cannot be read. Look at the blob store; if an erasure has begun meanwhile, export when it is completed.`,
        );
      }
      await writer.addBytes(blobName(sha256), bytes);
      blobs.push({ sha256, bytes: bytes.byteLength });
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last;
  }
  if (blobs.length > 0) context.progress?.(`originals: ${blobs.length}`);
  return blobs;
}

async function writeAll(
  exporting: Exporting,
  key: string,
): Promise<ArchiveManifest & { digest: string }> {
  const { accountId, context, stores, writer } = exporting;
  const resources: ArchiveManifest['resources'] = [];
  for (const table of TRAVELLING_NAMES) resources.push(await addTable(exporting, table));
  const blobs = await addBlobs(exporting);
  const manifest: ArchiveManifest = {
    schema: ARCHIVE_IDENTITY,
    schema_version: exporting.schemaVersion,
    app_version: APP_VERSION,
    account: { id: accountId, key },
    embedder_space: context.settings.embedderSpace,
    resources,
    blobs,
    audit: await stores.archive.chain(),
    excluded: Object.keys(LEFT_BEHIND),
  };
  const bytes = manifestBytes(manifest);
  await writer.addBytes(MANIFEST_NAME, bytes);
  return { ...manifest, digest: createHash('sha256').update(bytes).digest('hex') };
}

/** The event and the end of the run, in one transaction. The archive gets its name after it, so none is without event. */
function recordExport(
  { accountId, context, outside }: Exporting,
  runId: string,
  { blobs, digest, resources }: ArchiveManifest & { digest: string },
): Promise<void> {
  return outside(() =>
    context.inAccount(accountId, async (stores) => {
      await stores.runs.complete(runId);
      await stores.audit.record({
        category: 'access',
        action: 'account.exported',
        actor: { kind: 'cli' },
        resourceType: 'account',
        resourceId: accountId,
        metadata: {
          manifest_sha256: digest,
          rows: rowsOf({ resources }),
          blobs: blobs.length,
          run_id: runId,
        },
      });
    }),
  );
}

interface Place {
  readonly accountId: string;
  readonly file: string;
  readonly outside: RunOutside;
  readonly schemaVersion: string;
}

async function exportIn(context: RequestContext, place: Place, stores: Stores) {
  const { accountId, file, outside } = place;
  await stores.archive.prepare();
  if (!(await stores.archive.lock())) {
    throw new ArchiveError('Another export of this account is under way. Wait for its end.');
  }
  const obstacles = await stores.archive.obstacles();
  refuseObstacles(obstacles);
  const beside = <T>(work: (own: Stores) => Promise<T>): Promise<T> =>
    outside(() => context.inAccount(accountId, work));
  const runId = await beside((own) => own.archive.enterRun(context.traceId));
  const draft = `${file}.${accountId}.partial`;
  let writer: ArchiveWriter | null = null;
  let spool: Spool | null = null;
  try {
    writer = await beginArchive(file, draft);
    spool = await Spool.open(`${draft}.rows`);
    const exporting = { ...place, context, spool, stores, writer };
    const manifest = await writeAll(exporting, obstacles.key);
    const bytes = await writer.finish();
    await recordExport(exporting, runId, manifest);
    await writer.publish();
    return { manifest, bytes };
  } catch (error) {
    await beside((own) => own.runs.end(runId, 'failed', 'internal_error')).catch(() => undefined);
    throw error;
  } finally {
    await spool?.close();
    await writer?.discard();
  }
}

export const exportAccount = defineOperation({
  id: 'account.export',
  access: 'operator',
  effect: 'write',
  input: z.object({ account: accountInput, output: z.string().min(1).max(4096) }),
  output: z.object({
    account_id: z.uuid(),
    account_key: z.string(),
    file: z.string(),
    bytes: z.int(),
    /** SHA-256 of the manifest. */
    manifest_sha256: z.string(),
    rows: z.int(),
    blobs: z.int(),
    audit: z.object({ head: z.string(), count: z.int() }),
  }),
  async run(context, input) {
    const accountId = await resolveAccount(context.directory, input.account);
    const file = resolve(input.output);
    await assertFree(file);
    const schemaVersion = await context.directory.schemaVersion();
    const place = { accountId, file, outside: rememberOutside(), schemaVersion };
    const { bytes, manifest } = await context.inAccount(
      accountId,
      (stores) => exportIn(context, place, stores),
      { snapshot: true, statementTimeoutMs: PAGE_TIMEOUT_MS, signal: context.signal },
    );
    return {
      account_id: accountId,
      account_key: manifest.account.key,
      file,
      bytes,
      manifest_sha256: manifest.digest,
      rows: rowsOf(manifest),
      blobs: manifest.blobs.length,
      audit: manifest.audit,
    };
  },
});
