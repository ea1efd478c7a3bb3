/** An account with something of everything that travels, on one service, and the archive of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSealer } from '../../../engine/audit/sealer.ts';
import { AuditChainStore } from '../../../stores/postgres/audit/audit-chain.store.ts';
import { openPool } from '../../../stores/postgres/pool.ts';
import { testServers } from '../../support/environment.ts';
import { exportAccount } from '../../../operations/portability/export.ts';
import { createCircle } from '../../../operations/circles/operator-circles.ts';
import type { TestAccount } from '../../support/account.ts';
import { submitAndWait, base64 } from '../../support/documents.ts';
import { eventually } from '../../support/patience.ts';
import { rowsOf, type Body, type Service } from '../../support/service.ts';

/** A folder for archives. */
export interface Folder {
  readonly path: (name: string) => string;
  remove(): void;
}

export function archiveFolder(): Folder {
  const root = mkdtempSync(join(tmpdir(), 'vouch-archives-'));
  return {
    path: (name) => join(root, name),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Observations of two people and an agent, some of them for few readers. */
const SAID: readonly Body[] = [
  { content: 'I live in Bergen and I work as a baker.', occurred_at: '2026-01-05T09:00:00Z' },
  { content: 'My favourite drink is green tea.', occurred_at: '2026-01-06T09:00:00Z' },
  { content: 'I moved to Oslo last week.', occurred_at: '2026-02-06T09:00:00Z' },
  { content: 'I bought a copper kettle in Riga.', session_id: 's2' },
  {
    content: 'I am learning fencing with Dora.',
    session_id: 's2',
    audience: { circles: ['fencers'] },
  },
];

export interface FilledAccount {
  readonly account: TestAccount;
  readonly nora: string;
  readonly ben: string;
  /** Ids of the statements that Nora could read. */
  readonly knowledge: readonly Body[];
}

/** The address of the service's database, as superuser. */
export async function databaseOf(service: Pick<Service, 'rows'>): Promise<string> {
  const [named] = await service.rows('select current_database() as name');
  return `${testServers().postgresAdminUrl}/${String(named?.['name'])}`;
}

/** Fills a new account of the service; `hasDocument` gives it one. */
export async function fillAccount(
  service: Service,
  key: string,
  hasDocument = true,
): Promise<FilledAccount> {
  const account = await service.account(key);
  await account.preset('unattended');
  const nora = (await account.agent('nora')).token;
  const ben = (await account.agent('ben')).token;
  await service.operate(createCircle, {
    account: account.key,
    scope: '/team',
    name: 'fencers',
    peers: ['ben'],
  });
  for (const body of SAID) await service.ingestAndWait(nora, body);
  await service.ingestAndWait(ben, { content: 'I play the accordion in Tartu.' });
  if (hasDocument) {
    await submitAndWait(service, nora, {
      external_id: 'handbook',
      title: 'Handbook',
      content_base64: base64('# Rules\n\nThe office in Riga opens at nine. Nora owns the kayak.'),
    });
  }
  await service.quiet();
  const knowledge = rowsOf(await service.knowledge(nora));
  return { account, nora, ben, knowledge };
}

/** Waits until every event of the account is sealed. */
export async function sealed(service: Service, accountId: string): Promise<void> {
  const pool = await openPool(await databaseOf(service), { maxPoolSize: 5 });
  const failures: unknown[] = [];
  const sealer = createSealer({
    store: new AuditChainStore(pool),
    onFailure: (error) => failures.push(error),
  });
  try {
    await eventually(async () => {
      await sealer.pass(new AbortController().signal);
      if (failures.length > 0) throw failures[0];
      const open = await service.rows(
        'select from audit_events where account_id = $1 and chain_position is null limit 1',
        [accountId],
      );
      return open.length === 0;
    });
  } finally {
    await pool.end();
  }
}

/** Every row of every table of the database, counted. */
export async function countsOf(
  service: Pick<Service, 'rows'>,
): Promise<Readonly<Record<string, number>>> {
  const tables = await service.rows(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await service.rows(`select count(*)::integer as n from ${String(name)}`);
    counts[String(name)] = Number(row?.['n']);
  }
  return counts;
}

export async function exportTo(service: Service, key: string, output: string) {
  return service.operate(exportAccount, { account: key, output });
}

/** Waits until an imported account answers. */
export async function answering(service: Service, token: string): Promise<void> {
  await eventually(async () => (await service.knowledge(token)).status === 200);
}
