/** What was promised after an export holds after its import, before anybody reads. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { GivenPromise } from '../../../domain/promises/kinds.ts';
import { importAccount } from '../../../operations/portability/import.ts';
import type { NumberedLine } from '../../../stores/promises/read-file.ts';
import { openTestAccount } from '../../support/account.ts';
import { SERVERS_MS } from '../../support/patience.ts';
import {
  closeWithoutErrors,
  rowsOf,
  startOwnService,
  startService,
  type OwnService,
  type Service,
} from '../../support/service.ts';
import {
  answering,
  archiveFolder,
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

beforeAll(async () => {
  source = await startService();
  target = await startOwnService({ TEMPORAL_NAMESPACE: 'elsewhere' });
  filled = await fillAccount(source, 'promised');
  await sealed(source, filled.account.id);
  await exportTo(source, filled.account.key, archive);
}, SERVERS_MS);
afterAll(async () => {
  await closeWithoutErrors(target);
  await closeWithoutErrors(source);
  folder.remove();
}, SERVERS_MS);

/** The statement that was redacted after the export. */
const redacted = (): string => String(filled.knowledge[0]?.['id']);

/** The lines of a list with one promise; `isCut`: it cannot be read to its end. */
async function* lines(isCut: boolean): AsyncGenerator<NumberedLine> {
  if (isCut) throw new Error('the list is away');
  const promise: GivenPromise = {
    kind: 'redaction',
    knowledge_id: redacted(),
    account_id: filled.account.id,
    event_id: randomUUID(),
    given_at: new Date().toISOString(),
  };
  yield { list: 1, line: 1, read: { state: 'promise', promise } };
}

const importWith = (isCut: boolean) =>
  target.operate(importAccount, { input: archive, lines: lines(isCut) });

test('an import whose list cannot be read brings the account and opens it to nobody', async () => {
  await expect(importWith(true)).rejects.toThrow('the list is away');
  const [account] = await target.rows('select is_rebuilding from accounts where id = $1', [
    filled.account.id,
  ]);
  expect(account).toEqual({ is_rebuilding: true });
  const runs = await target.rows(`select from pipeline_runs where kind = 'import_rebuild'`);
  expect(runs).toEqual([]);
  await expect(target.operate(importAccount, { input: archive })).rejects.toThrow(
    'an account of that id or key already',
  );
});

test('the same command again holds the account to its promises and then opens it', async () => {
  const done = await importWith(false);
  expect(done).toMatchObject({
    imported: true,
    promises_known: true,
    promises: { kinds: { redaction: { done: 1, already: 0, unknown: 0 } } },
  });
  const moved = openTestAccount(filled.account.key, filled.account.id, target);
  const nora = (await moved.agent('nora')).token;
  await answering(target, nora);
  const ids = rowsOf(await target.knowledge(nora)).map((row) => row['id']);
  expect(ids).not.toContain(redacted());
  expect(ids.toSorted()).toEqual(
    filled.knowledge
      .map((row) => row['id'])
      .filter((id) => id !== redacted())
      .toSorted(),
  );
});

test('an import that has ended is not gone on with', async () => {
  await expect(importWith(false)).rejects.toThrow('an account of that id or key already');
});
