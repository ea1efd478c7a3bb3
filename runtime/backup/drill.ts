/**
 * `vouch backup --verify`: the drill of each month. The backup is restored into a scratch directory on other ports,
 * looked over, and removed again. Nothing of the installation beside it is touched: no variable that names a server, a
 * folder or a model reaches the drill, so it also costs no call to a model.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { randomPorts } from '../../embedded/port-numbers.ts';
import { loadState } from '../../embedded/state.ts';
import { layOut } from '../../embedded/data-dir.ts';
import { execute } from '../../operations/execute.ts';
import { checkRestore } from '../../operations/restore/check.ts';
import type { Variables } from '../config/model-settings.ts';
import type { Container } from '../container/index.ts';
import { knownReceiptKeyPem } from '../container/receipt-key.ts';
import type { StartOptions } from '../start/servers.ts';
import { promisesFile } from './places.ts';
import { restoreBackup, type RestoreReport } from './restore.ts';

type Checked = Awaited<ReturnType<typeof checkRestore.run>>;

export interface DrillReport extends RestoreReport {
  readonly checked: Checked;
  readonly ageSeconds: number;
  /** What is wrong with the backup, as sentences; none where all is well. */
  readonly faults: readonly string[];
}

export interface DrillOptions extends StartOptions {
  readonly input: string;
  readonly now: Date;
}

/** What a drill may know of its surroundings. */
const PASSED_ON = [
  'PATH',
  'HOME',
  'TMPDIR',
  'XDG_CACHE_HOME',
  'TEMPORAL_CLI_PATH',
  'SERVICE_SECRET_KEY',
];

const PORT_SETTINGS = {
  api: 'SERVICE_PORT',
  metrics: 'SERVICE_METRICS_PORT',
  postgres: 'SERVICE_POSTGRES_PORT',
  temporal: 'SERVICE_TEMPORAL_PORT',
  temporalUi: 'SERVICE_TEMPORAL_UI_PORT',
  meilisearch: 'SERVICE_MEILI_PORT',
  qdrant: 'SERVICE_QDRANT_PORT',
} as const;

async function surroundings(environment: Variables): Promise<Variables> {
  const ports = await randomPorts([
    'api',
    'metrics',
    'postgres',
    'temporal',
    'temporalUi',
    'meilisearch',
    'qdrant',
  ]);
  const named = Object.entries(PORT_SETTINGS).map(([name, setting]) => [
    setting,
    String(Reflect.get(ports, name)),
  ]);
  const kept = PASSED_ON.map((name) => [name, environment[name]]);
  return Object.fromEntries([...kept, ...named]);
}

function faultsOf({ finished, backup }: RestoreReport, checked: Checked): string[] {
  const { audit, documents, indexes } = finished;
  const said: readonly (readonly [number, (count: number) => string])[] = [
    [documents.missing, (n) => `${n} documents have no bytes.`],
    [backup.counts.blobs_damaged, (n) => `${n} documents were damaged before the backup.`],
    [audit.broken_accounts, (n) => `The audit chain of ${n} accounts is broken.`],
    [checked.receipts.invalid, (n) => `${n} receipts of erasures are not signed by the key.`],
    [checked.drifting_accounts, (n) => `The indexes of ${n} accounts differ from the database.`],
    [indexes.failed, (n) => `${n} entries of the indexes could not be written.`],
  ];
  // The bytes in a bucket are not in the backup, so that they are missing here says nothing.
  const relevant = backup.includes_blobs ? said : said.slice(1);
  return relevant.filter(([count]) => count > 0).map(([count, sentence]) => sentence(count));
}

/** Removes the scratch directory, and where Postgres keeps its data elsewhere, that too. */
async function removeScratch(root: string): Promise<void> {
  const path = join(root, '.vouch');
  if (existsSync(join(path, 'state.json'))) {
    const { postgresHome } = loadState(layOut(path, process.getuid?.() ?? 0));
    if (postgresHome !== undefined) await rm(postgresHome, { recursive: true, force: true });
  }
  await rm(root, { recursive: true, force: true });
}

/**
 * Restores the backup beside everything, and says what would be missing.
 * @throws EmbeddedError where it cannot be restored at all. The scratch directory is gone in any case.
 */
export async function drill(options: DrillOptions): Promise<DrillReport> {
  const root = await mkdtemp(join(tmpdir(), 'vouch-drill-'));
  try {
    const known = promisesFile(options);
    let checked: Checked = { receipts: { valid: 0, invalid: 0 }, drifting_accounts: 0 };
    const look = async (container: Container): Promise<void> => {
      const file = resolve(root, container.config.settings.SERVICE_RECEIPT_KEY_FILE);
      const pem = existsSync(file) ? { receipt_key_pem: knownReceiptKeyPem(file) } : {};
      checked = await execute(checkRestore, container.operatorContext(options.signal), pem);
    };
    const report = await restoreBackup({
      environment: await surroundings(options.environment),
      root,
      input: resolve(options.root, options.input),
      lists: existsSync(known) ? [known] : [],
      say: options.say,
      signal: options.signal,
      andThen: look,
    });
    const age = options.now.getTime() - Date.parse(report.backup.ended_at);
    return {
      ...report,
      checked,
      ageSeconds: Math.max(0, Math.round(age / 1000)),
      faults: faultsOf(report, checked),
    };
  } finally {
    await removeScratch(root);
  }
}
