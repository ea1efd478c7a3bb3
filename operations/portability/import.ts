/**
 * `account.import`: an account out of an archive, into a database that does not have it. The archive is read as one from
 * a stranger. It is read twice before the database hears of it: its members against its manifest, and its lines one by
 * one. Then one transaction brings all rows, judges every key and the audit chain, and commits all or nothing.
 */
import { withKeysTurned } from '../../engine/portability/sealed-keys.ts';
import { resolve } from 'node:path';
import { z } from 'zod';
import { ArchiveError } from '../../domain/portability/archive-error.ts';
import { resourceName } from '../../domain/portability/entries.ts';
import { lineCheck } from '../../domain/portability/lines.ts';
import type { TravellingName } from '../../domain/portability/tables.ts';
import { createVerifyChain } from '../../engine/audit/verify.ts';
import type { LinePage } from '../../engine/portability/line-pages.ts';
import { readManifest, rowsOf, type ArchiveManifest } from '../../engine/portability/manifest.ts';
import { readPages } from '../../engine/portability/pages.ts';
import { compareWithManifest, scanArchive } from '../../engine/portability/scan.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { repeatPromises } from '../promises/repeat.ts';
import { linesField } from '../promises/tally.ts';

/** Milliseconds for one page of rows, and for one of the checks over all rows. */
const STATEMENT_TIMEOUT_MS = 3_600_000;
/** Pages after which the tables that most rows name are counted anew. */
const PAGES_BETWEEN_COUNTS = 50;
const NAMED_MOST = ['sessions', 'session_scopes', 'messages', 'knowledge'] as const;

interface CheckedArchive {
  readonly path: string;
  readonly manifest: ArchiveManifest;
  readonly digest: string;
}

const refused = (why: string): ArchiveError => new ArchiveError(`${why}. Nothing was imported.`);

/** The first and the second reading. */
async function checkArchive(context: RequestContext, path: string): Promise<CheckedArchive> {
  const { directory, progress, signal } = context;
  const scanned = await scanArchive(path, signal);
  const manifest = readManifest(scanned.manifest, await directory.schemaVersion());
  compareWithManifest(scanned, manifest);
  progress?.(`${scanned.resources.length + scanned.blobs.length} members are whole`);
  const { id, key } = manifest.account;
  let accounts = 0;
  await readPages(path, manifest, signal, {
    async page(table, { first, lines }) {
      const check = lineCheck(table, id);
      for (const [at, line] of lines.entries()) {
        const row = check(line, first + at);
        if (table !== 'accounts') continue;
        accounts += 1;
        if (row['key'] !== key) throw refused('The manifest names another account than the rows');
      }
    },
    async rowsEnded() {
      if (accounts !== 1) throw refused(`${resourceName('accounts')} must hold one account`);
    },
  });
  return { path, manifest, digest: scanned.digest };
}

/** Refuses an account that the database has. */
async function refuseKnown({ directory, inAccount }: RequestContext, { account }: ArchiveManifest) {
  const isThere =
    (await directory.accountIdByKey(account.key)) !== null ||
    (await inAccount(account.id, ({ archive }) => archive.isPresent(), { readOnly: true }));
  if (isThere) {
    throw new ArchiveError(
      'This database has an account of that id or key already. An archive is imported once, into a database without its account.',
    );
  }
}

/** Brings the rows of one page. */
async function insertPage(
  stores: Stores,
  table: TravellingName,
  { first, lines }: LinePage,
  credentialId: string,
): Promise<void> {
  const why = await stores.archiveRows.insert(table, lines, credentialId);
  if (why !== null) {
    const where = `${resourceName(table)}, lines ${first} to ${first + lines.length - 1}`;
    throw refused(`${where}: ${why}`);
  }
}

/** Judges what can be judged only once all rows are there. */
async function judgeRows(
  { signal }: RequestContext,
  stores: Stores,
  { account, audit }: ArchiveManifest,
): Promise<void> {
  const why = await stores.archiveRows.settle();
  if (why !== null) throw refused(`A row names one that is not in the archive: ${why}`);
  const dangling = await stores.archiveRows.dangling();
  if (dangling !== null) throw refused(`${dangling} names a row that is not in the archive`);
  if (await stores.archive.hasStrangeWork()) {
    throw refused('A session, an anchor or a decision names a mailbox or a run that cannot be');
  }
  const verify = createVerifyChain(stores.auditChains);
  const { finding, head } = await verify(account.id, { expectedHead: null, signal });
  if (finding !== null) {
    throw refused(
      `${resourceName('audit_events')}: the audit chain is broken at position ${finding.position}`,
    );
  }
  if (head.hash !== audit.head || head.position !== audit.count) {
    throw refused('The audit chain ends at another event than the manifest says');
  }
}

/**
 * What an imported account needs to go on. Answers the run that writes its indexes and opens it; null where promises are
 * repeated before.
 */
async function enterWork(
  { traceId }: RequestContext,
  stores: Stores,
  { digest, manifest }: CheckedArchive,
  hasList: boolean,
): Promise<string | null> {
  await stores.archive.enterWork(traceId);
  const runId = hasList ? null : await stores.runs.enter({ kind: 'import_rebuild', traceId });
  await stores.audit.record({
    category: 'lifecycle',
    action: 'account.imported',
    actor: { kind: 'cli' },
    resourceType: 'account',
    resourceId: manifest.account.id,
    metadata: {
      manifest_sha256: digest,
      rows: rowsOf(manifest),
      blobs: manifest.blobs.length,
    },
  });
  return runId;
}

/** Ends a trial: what it wrote goes with its transaction. */
class TrialEnded extends Error {}

interface Purpose {
  readonly isTrial: boolean;
  readonly hasList: boolean;
}

/**
 * Keeps the planner's idea of the tables that are filled. Keys are checked in them row by row, and no other process knows
 * of the rows: a vacuum in between would write down that there are none.
 */
class Counting {
  readonly #stores: Stores;
  readonly #progress: RequestContext['progress'];
  #table: TravellingName | null = null;
  #pages = 0;

  constructor(stores: Stores, progress: RequestContext['progress']) {
    this.#stores = stores;
    this.#progress = progress;
  }

  /** A page of the table comes next. */
  async page(table: TravellingName): Promise<void> {
    if (this.#table !== null && this.#table !== table) await this.end();
    this.#table = table;
    this.#pages += 1;
    if (this.#pages % PAGES_BETWEEN_COUNTS !== 0) return;
    for (const named of NAMED_MOST) await this.#stores.archiveRows.count(named);
  }

  /** The table is filled. */
  async end(): Promise<void> {
    if (this.#table === null) return;
    if (this.#table !== 'accounts') await this.#stores.archiveRows.count(this.#table);
    this.#progress?.(`${this.#table}: written`);
    this.#table = null;
  }
}

async function bring(
  context: RequestContext,
  archive: CheckedArchive,
  stores: Stores,
  { hasList, isTrial }: Purpose,
): Promise<string | null> {
  const { account } = archive.manifest;
  await stores.archive.prepare();
  await stores.archiveRows.defer();
  let credentialId = '';
  let runId: string | null = null;
  const counted = new Counting(stores, context.progress);
  await readPages(archive.path, archive.manifest, context.signal, {
    async page(table, page) {
      await counted.page(table);
      const lines = withKeysTurned(table, page.lines, context.holdKeysOf(account.id));
      if (table !== 'accounts') return insertPage(stores, table, { ...page, lines }, credentialId);
      const why = await stores.archive.insertAccount(page.lines[0] ?? '');
      if (why !== null) throw refused(`${resourceName(table)}: ${why}`);
      credentialId = await stores.archive.insertCredential();
      return undefined;
    },
    async rowsEnded() {
      await counted.end();
      await judgeRows(context, stores, archive.manifest);
      context.progress?.('every key and the audit chain are whole');
      if (isTrial) throw new TrialEnded();
      runId = await enterWork(context, stores, archive, hasList);
    },
    async blob(sha256, bytes) {
      const address = { accountId: account.id, sha256 };
      // What an import that died has left of this blob.
      await context.blobs.deleteDraft(address, account.id);
      await context.blobs.put(address, bytes, account.id);
    },
  });
  return runId;
}

/** The third reading, in one transaction. Answers the run of the indexes; null after a trial. */
async function bringAll(
  context: RequestContext,
  archive: CheckedArchive,
  purpose: Purpose,
): Promise<string | null> {
  try {
    return await context.inAccount(
      archive.manifest.account.id,
      (stores) => bring(context, archive, stores, purpose),
      { statementTimeoutMs: STATEMENT_TIMEOUT_MS, signal: context.signal },
    );
  } catch (error) {
    if (error instanceof TrialEnded) return null;
    throw error;
  }
}

/** Whether an import with a list has brought the account and died before the promises were repeated. */
async function awaitsPromises(
  { inAccount }: RequestContext,
  { digest, manifest }: CheckedArchive,
): Promise<boolean> {
  return inAccount(manifest.account.id, ({ archive }) => archive.awaitsPromises(digest), {
    readOnly: true,
  });
}

type Lines = z.output<typeof linesField>;

/** Repeats the promises while the account answers nobody, and then has it opened. Answers the run. */
async function holdToPromises(
  context: RequestContext,
  { manifest }: CheckedArchive,
  lines: Lines,
): Promise<{ readonly runId: string; readonly promises: z.input<typeof repeatPromises.output> }> {
  const { id, key } = manifest.account;
  const promises = await repeatPromises.run(context, { account: key, lines });
  const { traceId } = context;
  const runId = await context.inAccount(id, (stores) =>
    stores.runs.enter({ kind: 'import_rebuild', traceId }),
  );
  return { runId, promises };
}

export const importAccount = defineOperation({
  id: 'account.import',
  access: 'operator',
  effect: 'write',
  input: z.object({
    input: z.string().min(1).max(4096),
    validate_only: z.boolean().default(false),
    /** The list of what was promised since the export. */
    lines: linesField.optional(),
  }),
  output: z.object({
    account_id: z.uuid(),
    account_key: z.string(),
    /** False after `validate_only`. */
    imported: z.boolean(),
    manifest_sha256: z.string(),
    rows: z.int(),
    blobs: z.int(),
    audit: z.object({ head: z.string(), count: z.int() }),
    /** The run that writes the indexes. Until it is completed, the account answers 503. */
    run_id: z.uuid().nullable(),
    /** Whether what was erased or revoked after the export is known, and holds here. */
    promises_known: z.boolean(),
    /** What came of the list. */
    promises: repeatPromises.output.nullable(),
  }),
  async run(context, input) {
    const archive = await checkArchive(context, resolve(input.input));
    const { manifest } = archive;
    const { lines, validate_only: isTrial } = input;
    const hasList = lines !== undefined;
    let runId: string | null = null;
    let promises: z.input<typeof repeatPromises.output> | null = null;
    if (!(hasList && !isTrial && (await awaitsPromises(context, archive)))) {
      await refuseKnown(context, manifest);
      runId = await bringAll(context, archive, { isTrial, hasList });
    }
    if (lines !== undefined && !isTrial) {
      ({ runId, promises } = await holdToPromises(context, archive, lines));
    }
    return {
      account_id: manifest.account.id,
      account_key: manifest.account.key,
      imported: runId !== null,
      manifest_sha256: archive.digest,
      rows: rowsOf(manifest),
      blobs: manifest.blobs.length,
      audit: manifest.audit,
      run_id: runId,
      promises_known: promises !== null,
      promises,
    };
  },
});
