/** What closes the restore of servers of one's own: nobody is let in, the indexes are those of the database. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkRestore } from '../../../operations/restore/check.ts';
import { finishRestore } from '../../../operations/restore/finish.ts';
import { resumeKeys } from '../../../operations/identity/resume-keys.ts';
import { eventually, SERVERS_MS } from '../../support/patience.ts';
import { candidatesOf, startOwnService, type OwnService } from '../../support/service.ts';

let service: OwnService;
let token: string;

beforeAll(async () => {
  service = await startOwnService();
  await service.home.preset('unattended');
  ({ token } = await service.home.agent('relay'));
  await service.ingestAndWait(token, { peer_key: 'ada', content: 'I keep bees in Tartu.' });
  await service.quiet();
}, SERVERS_MS);
afterAll(() => service?.close(), SERVERS_MS);

const found = async (): Promise<readonly unknown[]> =>
  candidatesOf(await service.search(token, { query: 'Who keeps bees?' })).map(
    (candidate) => candidate['statement'],
  );
const isLetIn = async (): Promise<boolean> =>
  (await service.search(token, { query: 'Who keeps bees?' })).status === 200;

test('a restore that is closed lets nobody in until keys are resumed, and may be closed again', async () => {
  expect(await found()).toEqual([expect.stringContaining('bees')]);
  const closed = await service.operate(finishRestore, {});
  expect(closed).toMatchObject({
    accounts: 2,
    promises: null,
    indexes: { failed: 0 },
    documents: { missing: 0, removed: 0 },
    audit: { broken_accounts: 0 },
  });
  expect(closed.keys_suspended).toBeGreaterThan(0);
  await eventually(async () => !(await isLetIn()));
  const again = await service.operate(finishRestore, {});
  expect(again).toMatchObject({ tokens_ended: 0, keys_suspended: closed.keys_suspended });
  await service.operate(resumeKeys, { account: service.home.key });
  await eventually(isLetIn);
  expect(await found()).toEqual([expect.stringContaining('bees')]);
});

test('the check finds the indexes as the database is, and no receipt that another key signed', async () => {
  await service.quiet();
  expect(await service.operate(checkRestore, {})).toEqual({
    receipts: { valid: 0, invalid: 0 },
    drifting_accounts: 0,
  });
});

test('the event of each account says what was ended, and nothing else', async () => {
  const events = await service.rows(
    "select actor_kind, metadata from audit_events where action = 'account.restored' order by id limit 1",
  );
  expect(events).toEqual([
    {
      actor_kind: 'cli',
      metadata: {
        backup_at: null,
        keys_suspended: expect.any(Number),
        runs_started_again: expect.any(Number),
        tokens_ended: expect.any(Number),
      },
    },
  ]);
});
