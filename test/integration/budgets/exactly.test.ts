/** The ledger, the gateway and an endpoint together: no more requests arrive than a budget holds. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { ProviderAttemptsStore } from '../../../stores/postgres/provider-attempts.store.ts';
import { eventually } from '../../support/patience.ts';
import { startStubOpenAi, type StubOpenAi } from '../../support/stub-openai.ts';
import {
  callContext,
  gatewayOf,
  NO_ROLES,
  remoteRole,
  REQUEST,
} from '../../unit/models/fixtures.ts';
import { path, Scene } from '../observations/scene.ts';

const PROCESSES = 2;
const CALLS_EACH = 24;
const SIDE_BY_SIDE = 16;
const CAP = 20;

let scene: Scene;
let stub: StubOpenAi;

beforeAll(async () => {
  scene = await Scene.open();
  stub = await startStubOpenAi();
});
afterAll(async () => {
  await scene.close();
  await stub.close();
});

test('sixteen calls at a time in each of two processes: exactly the cap arrives, the next is refused', async () => {
  const accountId = await scene.account();
  const budget = {
    scope_root: path('/'),
    request_cap: CAP,
    token_cap: Number.MAX_SAFE_INTEGER,
    usd_micros_cap: Number.MAX_SAFE_INTEGER,
    deadline_at: new Date(Date.now() + 3_600_000).toISOString(),
    input_usd_micros_per_million: 1,
    output_usd_micros_per_million: 1,
  };
  const register = () =>
    createInAccount(scene.pool)(accountId, (stores) => stores.extractionBudgets.register(budget));
  await register();
  const gateways = Array.from({ length: PROCESSES }, () =>
    gatewayOf({
      ledger: new ProviderAttemptsStore(scene.pool),
      roles: { ...NO_ROLES, ingest_extractor: remoteRole(stub.baseUrl) },
      concurrentCalls: SIDE_BY_SIDE,
    }),
  );
  const released = Promise.withResolvers<void>();
  stub.script(
    ...Array.from({ length: CAP }, () => ({ kind: 'held', until: released.promise }) as const),
  );
  const calls = gateways.flatMap((gateway) =>
    Array.from({ length: CALLS_EACH }, () => gateway.extract(REQUEST, callContext({ accountId }))),
  );
  const ended = Promise.allSettled(calls);
  // They are all open at once: nothing was given back by a call that ended.
  await eventually(() => stub.open() === CAP);
  released.resolve();
  const classes = (await ended).map((end) =>
    end.status === 'fulfilled' ? 'fulfilled' : Object(end.reason).errorClass,
  );
  const count = (word: string) => classes.filter((found) => found === word).length;
  expect(count('fulfilled')).toBe(CAP);
  expect(count('extraction_budget_exhausted')).toBe(PROCESSES * CALLS_EACH - CAP);
  expect(stub.requests).toHaveLength(CAP);
  expect(stub.peak()).toBe(CAP);

  const rows = await scene.rows(
    `select a.state, count(*)::int as n, sum(a.usd_micros)::int as spent from provider_attempts a
     where a.account_id = $1 group by 1`,
    [accountId],
  );
  expect(rows).toEqual([{ state: 'success', n: CAP, spent: CAP }]);
  expect(await register()).toMatchObject({ requests_reserved: CAP });
});
