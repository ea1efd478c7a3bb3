/** What a daily token limit means for observations: they wait without an attempt, until others give back or the day ends. */
import { afterAll, beforeAll, beforeEach, expect, test as once } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import type { TokenLimits } from '../../../domain/models/token-limits.ts';
import { ReconcileStore } from '../../../stores/postgres/reconcile/reconcile.store.ts';
import { ProviderAttemptsStore } from '../../../stores/postgres/models/provider-attempts.store.ts';
import { onOneDay } from '../../support/one-day.ts';
import { startStubOpenAi, type StubOpenAi } from '../../support/stub-openai.ts';
import { remoteRole } from '../../unit/models/fixtures.ts';
import { CONTENT } from '../providers/behaviours.ts';
import { openProviderScene, type ProviderScene } from '../providers/scene.ts';
import { drainOnce, pipeline } from '../extraction/scene.ts';
import { call } from './scene.ts';

const WAITS = { status: 'failed', last_error_class: 'token_budget_exhausted', attempt_count: 0 };
const HOUR_MS = 3_600_000;

let providers: ProviderScene;
let stub: StubOpenAi;
let account: { readonly id: string; readonly agent: Caller };

beforeAll(async () => {
  providers = await openProviderScene();
  stub = await startStubOpenAi();
});
afterAll(async () => {
  await stub?.close();
  await providers?.close();
});
async function begin(): Promise<void> {
  account = await providers.account();
}
beforeEach(begin);
const test = (name: string, body: () => Promise<void>): void => once(name, onOneDay(body, begin));

/** The output of one call at its worst is `maxOutputTokens`. */
const extractor = () => remoteRole(stub.baseUrl, { maxOutputTokens: 1_000 });
const outputOf = (output_tokens: number): TokenLimits => ({ ingest_extractor: { output_tokens } });

async function observe(sessions: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const session_id of sessions) {
    const body = { peer_key: 'alice', content: CONTENT, session_id };
    ids.push((await providers.scene.ingest(account.agent, body)).message_id);
  }
  return ids;
}

/** Works through what is due; answers what became of the observations and how many calls the provider received. */
async function extract(ids: readonly string[], limits: TokenLimits) {
  const before = stub.requests.length;
  await providers.extract(account.id, providers.processor(extractor(), limits));
  const statuses = await Promise.all(ids.map((id) => providers.scene.status(account.agent, id)));
  return { statuses, requests: stub.requests.length - before };
}

/** All that is kept back becomes due, as when its time has come. */
const timePasses = () =>
  providers.scene.admin.query(
    `update extraction_anchors set available_at = clock_timestamp() where account_id = $1 and status = 'failed'`,
    [account.id],
  );

/** What the account has used until now was used yesterday. */
async function midnight(): Promise<void> {
  await providers.scene.admin.query('update token_days set day = day - 1 where account_id = $1', [
    account.id,
  ]);
  await providers.scene.admin.query(
    `update provider_attempts set reserved_at = reserved_at - interval '1 day' where account_id = $1`,
    [account.id],
  );
}

test('one that no limit leaves room for waits until the day is over, without an attempt, and then completes', async () => {
  const limits = outputOf(1_010);
  const ids = await observe(['one', 'two']);
  const first = await extract(ids, limits);
  // Whichever came first has used 20; another call may use 1,000.
  if (first.requests === 1) await timePasses();
  const { statuses, requests } = await extract(ids, limits);
  const waiting = statuses.filter(({ status }) => status !== 'completed');
  expect(waiting).toEqual([expect.objectContaining(WAITS)]);
  const untilMs = Date.parse(waiting[0]?.next_attempt_at ?? '') - Date.now();
  expect(untilMs).toBeLessThanOrEqual(24 * HOUR_MS + 60_000);
  expect(first.requests + requests).toBe(1);

  await midnight();
  await timePasses();
  const after = await extract(ids, limits);
  expect(after.requests).toBe(1);
  expect(after.statuses.map(({ status, attempt_count: attempts }) => [status, attempts])).toEqual([
    ['completed', 1],
    ['completed', 1],
  ]);
});

test('one that others leave no room for tries again in a moment, also without an attempt', async () => {
  const limits = outputOf(1_500);
  await new ProviderAttemptsStore(providers.scene.pool, limits).reserve(
    call(account.id, { output: 1_000 }),
  );
  const ids = await observe(['one']);
  const { statuses, requests } = await extract(ids, limits);
  expect(requests).toBe(0);
  expect(statuses).toEqual([expect.objectContaining(WAITS)]);
  const [row] = (
    await providers.scene.admin.query(
      `select (extract(epoch from available_at - failed_at) between 4.9 and 5.1) as "inAMoment"
       from extraction_anchors where account_id = $1`,
      [account.id],
    )
  ).rows;
  expect(row).toEqual({ inAMoment: true });
});

test('several that would share a call are asked about alone where only that fits', async () => {
  const { id, agent } = account;
  const batching = { anchors: 4, tokens: 12_000 };
  const extractTogether = (limits: TokenLimits) =>
    drainOnce(
      providers.scene,
      id,
      pipeline(providers.scene, { endpoint: stub.baseUrl, batching, limits }),
    );
  await observe(['same', 'same', 'same']);
  await extractTogether({});
  const calls = await providers.scene.rows(
    `select cardinality(anchor_message_ids) as anchors, worst_input_tokens::integer as tokens
     from provider_attempts where account_id = $1`,
    [id],
  );
  expect(calls).toEqual([expect.objectContaining({ anchors: 3 })]);
  const ids = await observe(['other', 'other', 'other']);
  // Nothing of the calls before is left of today.
  await midnight();
  const tokens = Number(calls[0]?.['tokens']) - 1;
  await extractTogether({ ingest_extractor: { input_tokens: tokens } });
  const statuses = await Promise.all(ids.map((one) => providers.scene.status(agent, one)));
  expect(statuses.some(({ status }) => status === 'completed')).toBe(true);
});

test('one that waits for tomorrow is due at once when a limit was raised', async () => {
  const ids = await observe(['one']);
  await extract(ids, outputOf(0));
  const still = new ReconcileStore(providers.scene.pool, outputOf(0));
  expect(await still.releaseWaiting(account.id, 100)).toBe(0);
  const raised = new ReconcileStore(providers.scene.pool, outputOf(2_000));
  expect(await raised.releaseWaiting(account.id, 100)).toBe(1);
  expect(await raised.releaseWaiting(account.id, 100)).toBe(0);
  const { statuses } = await extract(ids, outputOf(2_000));
  expect(statuses).toEqual([expect.objectContaining({ status: 'completed', attempt_count: 1 })]);
});
