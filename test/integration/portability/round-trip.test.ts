/** An account goes from one deployment to another and answers there as it did here. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPublicKey } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { verifyAudit } from '../../../operations/audit/verify.ts';
import { erasePeer } from '../../../operations/erasure/erase-peer.ts';
import { readErasureAsOperator } from '../../../operations/erasure/read-as-operator.ts';
import { verifyReceipt } from '../../../operations/erasure/receipt.ts';
import { importAccount } from '../../../operations/portability/import.ts';
import { verifyIndex } from '../../../operations/retrieval/index-admin.ts';
import { TRAVELLING, TRAVELLING_NAMES } from '../../../domain/portability/tables.ts';
import { openTestAccount, type TestAccount } from '../../support/account.ts';
import { eventually, SERVERS_MS } from '../../support/patience.ts';
import { sized } from '../../support/run.ts';
import {
  candidatesOf,
  closeWithoutErrors,
  dataOf,
  rowsOf,
  startOwnService,
  startService,
  type OwnService,
  type Service,
} from '../../support/service.ts';
import {
  answering,
  archiveFolder,
  countsOf,
  exportTo,
  fillAccount,
  sealed,
  type FilledAccount,
} from './scene.ts';

const folder = archiveFolder();
const archive = folder.path('account.tar.gz');
let source: Service;
let target: OwnService;
let filled: FilledAccount;
let moved: TestAccount;
let nora: string;
let erasureId: string;
const keyFile = folder.path('receipt-key.pem');

/** Somebody says something and has it erased: what is left is a receipt. */
async function eraseZoe(): Promise<void> {
  const { key } = filled.account;
  const zoe = (await filled.account.agent('zoe')).token;
  await source.ingestAndWait(zoe, { content: 'I juggle in Narva.' });
  ({ id: erasureId } = await source.operate(erasePeer, { account: key, peer: 'zoe' }));
  await eventually(async () => {
    const { state } = await source.operate(readErasureAsOperator, { account: key, id: erasureId });
    return state === 'completed';
  });
}

beforeAll(async () => {
  source = await startService({
    SERVICE_ERASURE_SETTLE_SECONDS: '0',
    SERVICE_RECEIPT_KEY_FILE: keyFile,
  });
  // Actors have names of the account: two deployments of one account share no Temporal.
  target = await startOwnService({ TEMPORAL_NAMESPACE: 'elsewhere' });
  filled = await fillAccount(source, 'moving');
  await buyKettles();
  await eraseZoe();
  await sealed(source, filled.account.id);
}, SERVERS_MS);
afterAll(async () => {
  await closeWithoutErrors(target);
  await closeWithoutErrors(source);
  folder.remove();
}, SERVERS_MS);

/** The rows of the account in a table, as its columns that travel have them. */
async function rowsIn(service: Service, name: keyof typeof TRAVELLING) {
  const { account, columns, selections } = TRAVELLING[name];
  const order = selections[0].key.map(({ column }) => column).join(', ') || '1';
  return service.rows(
    `select ${columns.join(', ')} from ${name} where ${account} = $1 order by ${order}`,
    [filled.account.id],
  );
}

/** Things of which each question finds exactly one. */
const KETTLES = sized({ short: 24, long: 400 });
const SYLLABLES = ['ba', 'do', 'fe', 'gi', 'ku', 'la', 'mo', 'ne', 'pi', 'ru', 'sa', 'to'];

/** Another word for each number below 1,728. */
const nameOf = (n: number): string =>
  [n, Math.floor(n / 12), Math.floor(n / 144)].map((place) => SYLLABLES[place % 12]).join('');

async function buyKettles(): Promise<void> {
  for (let n = 0; n < KETTLES; n += 1) {
    const content = `I bought a ${nameOf(n)} kettle in ${nameOf(1_727 - n)}.`;
    const said = { content, peer_key: `buyer-${n}`, scope_path: '/kettles', session_id: `k${n}` };
    expect((await source.ingest(filled.nora, said)).status).toBe(202);
  }
  await eventually(async () => {
    const open = await source.rows(
      `select from extraction_anchors where account_id = $1 and status <> 'completed' limit 1`,
      [filled.account.id],
    );
    return open.length === 0;
  });
  await source.quiet();
}

/** The numbers of the kettles that a question about each finds among its first ten. */
async function kettlesFound(service: Service, token: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (let n = 0; n < KETTLES; n += 1) {
    const query = `Who bought the ${nameOf(n)} kettle?`;
    const answer = await service.search(token, { query, limit: 10, scope_path: '/kettles' });
    const statements = candidatesOf(answer).map(({ statement }) => String(statement));
    if (statements.some((one) => one.includes(`${nameOf(n)} kettle`))) found.push(n);
  }
  return found;
}

const QUESTIONS = [
  'Where does Nora live?',
  'Where does Nora work?',
  'What does Nora like to drink?',
  'What was bought in Riga?',
  'copper kettle',
  'moved to Oslo',
];

describe('an account that is exported and imported', () => {
  test('is written to a file for its owner alone, and never over another file', async () => {
    const done = await exportTo(source, filled.account.key, archive);
    expect(done).toMatchObject({ account_id: filled.account.id, blobs: 1, file: archive });
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    await expect(exportTo(source, filled.account.key, archive)).rejects.toThrow('exists already');
  });

  test('is checked without a trace', async () => {
    const before = await countsOf(target);
    const checked = await target.operate(importAccount, { input: archive, validate_only: true });
    expect(checked).toMatchObject({ imported: false, run_id: null });
    expect(await countsOf(target)).toEqual(before);
  });

  test('answers nobody until its indexes are written, and everybody afterwards', async () => {
    const done = await target.operate(importAccount, { input: archive });
    expect(done).toMatchObject({ account_id: filled.account.id, imported: true });
    const tools = { ...target, quiet: () => target.quiet() };
    // From here on nothing but this test closes the account and opens it again.
    await eventually(async () => {
      const [run] = await target.rows('select status from pipeline_runs where id = $1', [
        done.run_id,
      ]);
      return run?.['status'] === 'completed';
    });
    moved = openTestAccount(filled.account.key, filled.account.id, tools);
    await target.rows('update accounts set is_rebuilding = true where id = $1', [moved.id]);
    nora = (await moved.agent('nora')).token;
    expect(await target.knowledge(nora)).toMatchObject({ status: 503 });
    await target.rows(
      `update pipeline_runs set status = 'pending', dispatched_at = null where id = $1`,
      [done.run_id],
    );
    await answering(target, nora);
    await target.quiet();
  });

  test.each(
    TRAVELLING_NAMES.filter((name) => !['extraction_anchors', 'audit_chains'].includes(name)).map(
      (name) => [name],
    ),
  )('has the same %s', async (name) => {
    const [there, here] = await Promise.all([rowsIn(target, name), rowsIn(source, name)]);
    const known = new Set(here.map((row) => JSON.stringify(row)));
    const kept = there.filter((row) => known.has(JSON.stringify(row)));
    // What came after the snapshot: the export's own event, and the grants and events of the new deployment.
    const isLog = name === 'audit_events' || name === 'grants';
    if (!isLog) expect(there).toEqual(here);
    else expect(kept.length).toBeGreaterThanOrEqual(here.length - 2);
  });

  test('reads and searches alike', async () => {
    const ids = (rows: readonly object[]) =>
      rows
        .map((row) => String(Reflect.get(row, 'id') ?? Reflect.get(row, 'knowledge_id')))
        .toSorted();
    const known = rowsOf(await target.knowledge(nora));
    expect(known).toEqual(filled.knowledge);
    for (const query of QUESTIONS) {
      const there = await target.search(nora, { query, limit: 10 });
      const here = await source.search(filled.nora, { query, limit: 10 });
      expect(candidatesOf(here).length).toBeGreaterThan(0);
      expect([query, ids(candidatesOf(there))]).toEqual([query, ids(candidatesOf(here))]);
    }
    const then = { as_of: '2026-01-20T00:00:00Z' };
    expect(rowsOf(await target.knowledge(nora, then))).toEqual(
      rowsOf(await source.knowledge(filled.nora, then)),
    );
  });

  test(
    'finds among the first ten what it found',
    async () => {
      const here = await kettlesFound(source, filled.nora);
      expect(here.length).toBeGreaterThanOrEqual(0.9 * KETTLES);
      expect(await kettlesFound(target, nora)).toEqual(here);
    },
    SERVERS_MS,
  );

  test('has an audit chain that stands, whose next event is the import', async () => {
    await sealed(target, moved.id);
    const report = await target.operate(verifyAudit, { account: moved.key });
    expect(report).toMatchObject({ intact: true, finding: null });
    const [first] = await target.rows(
      `select action from audit_events where account_id = $1 and chain_position = (
         select count(*) + 1 from audit_events where account_id = $1 and occurred_at < (
           select occurred_at from audit_events where account_id = $1 and action = 'account.imported'))`,
      [moved.id],
    );
    expect(first).toEqual({ action: 'account.imported' });
  });

  test('has the receipts of erasures, which the key of the source still signs', async () => {
    const { receipt, state } = await target.operate(readErasureAsOperator, {
      account: moved.key,
      id: erasureId,
    });
    expect(state).toBe('completed');
    const key = createPublicKey(readFileSync(keyFile));
    expect(verifyReceipt(JSON.stringify(receipt), key)).toBe('valid');
  });

  test('has indexes that agree with the database', async () => {
    const verified = await target.operate(verifyIndex, { account: moved.key });
    expect(verified).toMatchObject({ consistent: true });
  });

  test('says of the extraction of its scopes that its ledger stayed behind', async () => {
    const admin = await moved.person('boss', { role: 'account-admin' });
    const answer = await target.call({
      path: '/api/v1/operations/extraction-evidence?scope_root=/team',
      token: admin,
    });
    expect(dataOf(answer)['accounting']).toMatchObject({ complete: false });
    expect(Object(dataOf(answer)['accounting']).reasons).toContain('archive_imported');
  });

  test('takes new observations, which change and confirm what came along', async () => {
    await target.ingestAndWait(nora, { content: 'I live in Malmo now.' });
    const rows = await eventually(async () => rowsOf(await target.knowledge(nora)));
    expect(rows.length).toBeGreaterThan(0);
  });

  test('is imported once', async () => {
    await expect(target.operate(importAccount, { input: archive })).rejects.toThrow(
      'an account of that id or key already',
    );
  });

  test('is whole where it was exported while people spoke', async () => {
    const busy = await fillAccount(source, 'busy', false);
    await sealed(source, busy.account.id);
    const spoken = Array.from({ length: 40 }, (_none, n) =>
      source.ingest(busy.nora, { content: `I counted ${n} boats in Pärnu.`, session_id: `s${n}` }),
    );
    const file = folder.path('busy.tar.gz');
    await exportTo(source, busy.account.key, file);
    await Promise.all(spoken);
    const checked = await target.operate(importAccount, { input: file, validate_only: true });
    expect(checked).toMatchObject({ account_id: busy.account.id, imported: false });
  });

  test('says in the source that it was exported', async () => {
    const events = await source.rows(
      `select action from audit_events where account_id = $1 and action = 'account.exported'`,
      [filled.account.id],
    );
    expect(events).toHaveLength(1);
    const runs = await source.rows(
      `select status from pipeline_runs where account_id = $1 and kind = 'portability'`,
      [filled.account.id],
    );
    expect(runs).toEqual([{ status: 'completed' }]);
  });
});
