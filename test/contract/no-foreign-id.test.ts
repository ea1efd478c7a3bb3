/**
 * No answer names or quotes anything of another account, of a scope outside of the chain, or that its reader may not
 * read: random reads over fifty accounts with 1,400 scopes, while observations come in and people decide, contest and
 * redact. Plain SQL judges the answers (`no-foreign-id/oracle.ts`), not the predicate of the service.
 *
 * The same requests in every run; `VOUCH_FOREIGN` and `VOUCH_FOREIGN_SEED` set another number and seed. The full number is
 * 10,000.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { rebuildIndex } from '../../operations/retrieval/index-admin.ts';
import { testSetting } from '../support/environment.ts';
import { startService, type Service } from '../support/service.ts';
import { judge } from './no-foreign-id/judge.ts';
import { live } from './no-foreign-id/life.ts';
import { requests, type Asked } from './no-foreign-id/requests.ts';
import { seedAccounts, type SeededAccount } from './no-foreign-id/seed.ts';

const COUNT = testSetting('VOUCH_FOREIGN', 500);
const SEED = testSetting('VOUCH_FOREIGN_SEED', 20_261_124);
const ACCOUNTS = 50;
const CONCURRENT = 4;
const REBUILT_AT_ONCE = 5;
const MOST_SHOWN = 5;
/** Fast reads are over before the queue of any account has had its turn. */
const GOING_WITHIN_MS = 60_000;
/** Of so many reads there is at least one thing that answers of a sort name. */
const LEAST_SHARE = 50;

let service: Service;
let accounts: readonly SeededAccount[];

beforeAll(async () => {
  service = await startService();
  await service.home.preset('assisted');
  accounts = await seedAccounts(service, ACCOUNTS);
  const waiting = accounts.values();
  const rebuild = async (): Promise<void> => {
    for (const { key } of waiting) await service.operate(rebuildIndex, { account: key });
  };
  await Promise.all(Array.from({ length: REBUILT_AT_ONCE }, rebuild));
}, 300_000);
afterAll(() => service.close());

const shown = ({ call, ...asked }: Asked): string => {
  const { token: _, ...sent } = call(accounts);
  return JSON.stringify({ ...asked, ...sent });
};

test(`none of ${COUNT} random reads (seed ${SEED}) names what is not of its account, its scopes and its reader`, async () => {
  const [{ n: scopes } = { n: 0 }] = await service.rows(
    'select count(*)::integer as n from scopes where account_id = any($1)',
    [accounts.map(({ id }) => id)],
  );
  expect(scopes).toBe(1_400);
  const all = fc.sample(requests(ACCOUNTS), { numRuns: COUNT, seed: SEED }).entries();
  const faults: string[] = [];
  const named = new Map<string, number>();
  const life = live(service, accounts);
  const reader = async (): Promise<void> => {
    for (const [index, asked] of all) {
      const account = accounts[asked.account];
      if (account === undefined) throw new Error('no such account');
      const from = Date.now();
      const answer = await service.call(asked.call(accounts));
      const judged = await judge(service, account, asked, answer, { from, until: Date.now() });
      named.set(asked.what, (named.get(asked.what) ?? 0) + judged.named);
      if (judged.faults.length > 0) {
        faults.push(`request ${index}: ${judged.faults.slice(0, 3).join(', ')}\n${shown(asked)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, reader));
  const going = ['ingest', 'approve', 'confirm', 'contest', 'redact'];
  const undone = (): string[] => going.filter((what) => !life.done.has(what));
  for (const giveUpAt = Date.now() + GOING_WITHIN_MS; undone().length > 0;) {
    if (Date.now() > giveUpAt) break;
    await sleep(100);
  }
  await life.end();
  expect(faults.slice(0, MOST_SHOWN).join('\n\n')).toBe('');
  expect(await service.errors()).toEqual([]);
  // Reads that show nothing, or without anything that goes on beside them, would prove nothing.
  for (const what of ['search', 'ask', 'source-search', 'knowledge', 'lineage', 'stable-profile']) {
    expect([what, (named.get(what) ?? 0) > COUNT / LEAST_SHARE]).toEqual([what, true]);
  }
  expect(undone()).toEqual([]);
}, 3_600_000);
