/** The provider of the extractor is away and comes back, seen from outside, on the whole service. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dataOf, startOwnService, type Body, type OwnService } from '../support/service.ts';
import { eventually, HANGS_MS } from '../support/patience.ts';
import { sized } from '../support/run.ts';
import { startStubOpenAi, type StubOpenAi } from '../support/stub-openai.ts';

const MESSAGES = 24;
const SESSIONS = 12;
const OPEN_SECONDS = 2;
/**
 * How soon after the circuit lets calls through everything is extracted. The target is 5 s; the long run gives it three
 * times that. An anchor that is not woken waits for the rest of a probe's time, two minutes, which hangs in any run.
 */
const LIMIT_MS = sized({ short: HANGS_MS, long: 15_000 });

let service: OwnService;
let stub: StubOpenAi | null = null;
let token: string;
let port: number;
const ids: string[] = [];

beforeAll(async () => {
  // A port that refuses connections now, and is the endpoint's later.
  const gone = await startStubOpenAi();
  port = Number(new URL(gone.baseUrl).port);
  await gone.close();
  service = await startOwnService({
    SERVICE_MODEL_INGEST_EXTRACTOR: 'openai-compatible:tiny',
    SERVICE_MODEL_INGEST_EXTRACTOR_BASE_URL: gone.baseUrl,
    SERVICE_CIRCUIT_OPEN_SECONDS: String(OPEN_SECONDS),
    // More calls than it takes to open the circuit, so that some observations are never tried.
    SERVICE_EXTRACTION_BATCH_ANCHORS: '1',
  });
  ({ token } = await service.home.agent('relay'));
  for (let n = 0; n < MESSAGES; n += 1) {
    const answer = await service.ingest(token, {
      session_id: `s${n % SESSIONS}`,
      peer_key: 'nora',
      content: `I planted tree number ${n}.`,
    });
    ids.push(String(dataOf(answer)['message_id']));
  }
});

afterAll(async () => {
  await service?.close();
  await stub?.close();
});

async function statuses(): Promise<readonly Body[]> {
  return Promise.all(ids.map(async (id) => dataOf(await service.status(token, id))));
}

async function circuit(): Promise<Body> {
  const [row] = await service.rows(
    `select state, consecutive_failures, blocked_until,
       extract(epoch from blocked_until - clock_timestamp())::float8 as wait
     from provider_circuits where role = 'ingest_extractor'`,
  );
  return row ?? {};
}

async function attempts(condition: string): Promise<number> {
  const [row] = await service.rows(
    `select count(*)::integer as n from provider_attempts where role = 'ingest_extractor' and ${condition}`,
  );
  return Number(row?.['n']);
}

interface Asked {
  readonly attempts: number;
  readonly failures: number;
}

/** Calls and counted failures while no call is under way: a call is entered before it is made, and counted after it. */
async function asked(): Promise<Asked> {
  let last = '';
  let row: Body = {};
  await eventually(async () => {
    [row = {}] = await service.rows(
      `select count(*)::integer as attempts, count(*) filter (where finished_at is null)::integer as open,
         (select consecutive_failures from provider_circuits where role = 'ingest_extractor') as failures
       from provider_attempts where role = 'ingest_extractor'`,
    );
    const now = JSON.stringify(row);
    const isStill = row['open'] === 0 && now === last;
    last = now;
    return isStill;
  });
  return { attempts: Number(row['attempts']), failures: Number(row['failures']) };
}

describe('while the provider is away', () => {
  test('every observation is failed, with its error class and the time of its next attempt', async () => {
    // What that look saw is judged: a further one may meet the next attempt.
    const failed = await eventually(async () => {
      const seen = await statuses();
      return seen.every(({ status }) => status === 'failed') && seen;
    });
    for (const { last_error_class: errorClass, next_attempt_at: next } of failed) {
      expect(['transport_error', 'circuit_open']).toContain(errorClass);
      expect(Date.parse(String(next))).not.toBeNaN();
    }
  });

  test('an observation that the circuit keeps back counts no attempt, and is due at the end of the open time', async () => {
    await eventually(async () => {
      const [row] = await service.rows(
        `select floor(extract(epoch from blocked_until) * 1000)::float8 as until
         from provider_circuits where role = 'ingest_extractor' and state = 'open'`,
      );
      const kept = (await statuses()).filter(
        (status) => status['last_error_class'] === 'circuit_open' && status['attempt_count'] === 0,
      );
      const until = row?.['until'];
      return kept.some(({ next_attempt_at: next }) => Date.parse(String(next)) === until);
    });
  });

  test('one probe at a time asks whether the provider is back', async () => {
    const startedAt = performance.now();
    const before = await asked();
    const probes = await eventually(async () => {
      const now = await asked();
      const made = now.attempts - before.attempts;
      // A call that has ended is counted as a failure a little later.
      return made >= 2 && made === now.failures - before.failures && made;
    });
    const openTimes = (performance.now() - startedAt) / 1000 / OPEN_SECONDS;
    // However long they took, each was the only one of its open time.
    expect(probes).toBeLessThanOrEqual(openTimes + 1);
  });
});

describe('when the provider is back', () => {
  let tookMs = Number.POSITIVE_INFINITY;

  beforeAll(async () => {
    await eventually(async () => {
      const { state, wait } = await circuit();
      return state === 'open' && Number(wait) > OPEN_SECONDS / 4;
    });
    stub = await startStubOpenAi({ port });
    const { wait } = await circuit();
    const letsThroughAt = performance.now() + Number(wait) * 1000;
    await eventually(async () => {
      const [row] = await service.rows(
        `select count(*)::integer as n from extraction_anchors where status = 'completed'`,
      );
      return Number(row?.['n']) === MESSAGES;
    });
    tookMs = performance.now() - letsThroughAt;
  });

  test('everything is extracted after the end of the open time', () => {
    process.stderr.write(`all extracted ${Math.round(tookMs)} ms after the open time\n`);
    expect(tookMs).toBeLessThan(LIMIT_MS);
  });

  test('nothing was extracted twice', async () => {
    const [extracted] = await service.rows(
      `select sum(cardinality(anchor_message_ids))::integer as n from provider_attempts
       where role = 'ingest_extractor' and state = 'success'`,
    );
    expect(extracted?.['n']).toBe(MESSAGES);
    const twice = await service.rows(
      `select anchor from provider_attempts, unnest(anchor_message_ids) as anchor
       where role = 'ingest_extractor' and state = 'success' group by 1 having count(*) > 1`,
    );
    expect(twice).toEqual([]);
    const [made] = await service.rows('select count(*)::integer as n from knowledge');
    expect(made?.['n']).toBe(MESSAGES);
    expect(stub?.requests).toHaveLength(await attempts(`state = 'success'`));
  });

  test('the circuit is closed, every call has its ledger row, and no error was logged', async () => {
    expect(await circuit()).toMatchObject({ state: 'closed', consecutive_failures: 0 });
    expect(await attempts(`state in ('reserved', 'dispatched')`)).toBe(0);
    expect(
      await attempts(`error_class is distinct from 'transport_error' and state <> 'success'`),
    ).toBe(0);
    expect(await service.errors()).toEqual([]);
  });
});
