/** Operations: for administrators of the account; for everybody else a page that is missing. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeWithoutErrors, openScene, type Browser, type Scene } from './scene.ts';

const PATH = '/console/operations';
const UI = 'https://temporal.example/ui/';
const HOSTILE = '<img src=x onerror=alert(1)>"\'';

let scene: Scene;
let admin: Browser;

beforeAll(async () => {
  scene = await openScene({ SERVICE_TEMPORAL_UI_URL: UI });
  admin = await scene.signedIn('admin');
});
afterAll(async () => closeWithoutErrors(scene?.service));

async function accountId(key: string): Promise<unknown> {
  const [row] = await scene.service.rows('select id from accounts where key = $1', [key]);
  return row?.['id'];
}

/** A call to a model in the ledger of the account. */
async function called(key: string, model: string, daysAgo = 0): Promise<void> {
  await scene.service.rows(
    `insert into provider_attempts (account_id, id, role, provider, model, model_version, state, metered,
       input_tokens, output_tokens, usd_micros, reserved_at, dispatched_at, finished_at)
     select $1, gen_random_uuid(), 'ingest_extractor', 'openai', $2, '1', 'success', true, 1200, 34, 1500,
       now() - make_interval(days => $3::integer), now(), now()`,
    [await accountId(key), model, daysAgo],
  );
}

describe('an administrator', () => {
  test('sees every component, the queues, the models and the preset', async () => {
    const page = await admin.open(PATH);
    expect([page.status, page.title]).toEqual([200, 'Operations · Vouch']);
    for (const words of ['database works', 'job queue works', 'search index works', 'ingest 0']) {
      expect(page.text).toContain(words);
    }
    expect(page.text).toContain('The preset of the account is strict');
    expect(page.text).toContain('Last completed');
    expect(page.links).toContain('/console/operations/workflows?list=failed');
    expect(page.source).toMatch(/aria-current="page"\s*>Operations</);
  });

  test('sees figures and usage by day, role, model and scope, of the own account, in the days that the address says', async () => {
    await scene.service.account('neighbour');
    await called('home', 'model-of-today');
    await called('home', 'model-of-today');
    await called('home', 'model-of-then', 50);
    await called('neighbour', 'model-next-door');
    const page = await admin.open(PATH);
    expect(page.text).toContain('Estimated cost $0.0008 Rates planning-reference-v1, as shipped');
    expect(page.text).toContain('ingest extractor 3,600 102 0');
    expect(page.text).toMatch(/\d{4}-\d\d-\d\d \d 0 0 2,400 68 0 \$0\.0005/);
    const byModel = await admin.open(`${PATH}?by=model`);
    expect(byModel.text).toContain('openai:model-of-today 2 0 0 2,400 68 0 $0.0005');
    expect(byModel.text).not.toContain('model-of-then');
    expect(byModel.text).not.toContain('model-next-door');
    expect((await admin.open(`${PATH}?by=model&days=90`)).text).toContain('model-of-then');
    expect((await admin.open(`${PATH}?by=model&days=9999`)).text).not.toContain('model-of-then');
    expect((await admin.open(`${PATH}?by=scope`)).text).toContain('several scopes at once 2 0 0');
    expect((await admin.open(`${PATH}?by=role`)).text).toMatch(/ingest extractor \d 0 0 2,400/);
  });

  test('sees providers that are kept back, budgets and overrides, with markup in names as text', async () => {
    const id = await accountId('home');
    await scene.service.rows(
      `insert into provider_circuits (account_id, role, provider, model, state, consecutive_failures, blocked_until)
       values ($1, 'reranker', $2, 'm', 'open', 7, now() + interval '1 hour')`,
      [id, HOSTILE],
    );
    await scene.service.rows(
      `insert into extraction_budgets (account_id, id, scope_root, request_cap, token_cap, usd_micros_cap,
         deadline_at, input_usd_micros_per_million, output_usd_micros_per_million)
       values ($1, gen_random_uuid(), $2, 10, 2000, 3000000, now() + interval '1 day', 1, 1)`,
      [id, `/${HOSTILE}`],
    );
    await scene.service.rows(
      `insert into retrieval_profiles (account_id, id, profile, deadline_ms, set_at)
       values ($1, gen_random_uuid(), 'balanced', 450, now())`,
      [id],
    );
    const page = await admin.open(PATH);
    expect(page.text).toContain(`reranker ${HOSTILE} m calls are kept back 7`);
    expect(page.text).toContain(`/${HOSTILE} 0 of 10 0 of 2,000 $0.0000 of $3.0000`);
    expect(page.text).toContain('balanced the account as the profile 450 ms');
    expect(['img', '@onerror'].filter((name) => page.elements.has(name))).toEqual([]);
  });

  test('sees the rules in force at a scope, and what is wrong with its name', async () => {
    const page = await admin.open(`${PATH}?scope=%2Fteam`);
    expect([page.status, page.text.includes('the account')]).toEqual([200, true]);
    // Nothing was written there yet: what holds above it holds there too.
    const early = await admin.open(`${PATH}?scope=%2Fnowhere`);
    expect([early.status, early.text.includes('the account')]).toEqual([200, true]);
    const odd = await admin.open(`${PATH}?scope=${encodeURIComponent('a/../b')}`);
    expect([odd.status, odd.text.includes('must be a scope path')]).toEqual([422, true]);
  });

  test('is led to the Temporal UI, and nowhere else', async () => {
    const all = await admin.request('GET', `${PATH}/workflows?list=https://evil.example`);
    const base = 'https://temporal.example/ui/namespaces/';
    expect(all.status).toBe(303);
    expect(String(all.headers.location)).toMatch(new RegExp(`^${base}[^/?]+/workflows$`));
    const failed = await admin.request('GET', `${PATH}/workflows?list=failed`);
    expect(String(failed.headers.location)).toMatch(/\?query=ExecutionStatus%3D%22Failed%22$/);
  });
});

describe('for everybody else', () => {
  test.each(['reader', 'member', 'curator', 'alice'])(
    'the pages are as missing, byte for byte: %s',
    async (who) => {
      const browser = await scene.signedIn(who);
      const missing = await browser.open('/console/no-such-page');
      for (const path of [PATH, `${PATH}?days=1`, `${PATH}/workflows`]) {
        const page = await browser.open(path);
        expect([path, page.status, page.source]).toEqual([path, 404, missing.source]);
      }
      expect(missing.source).not.toContain('>Operations</a');
    },
  );

  test('an administrator of one scope is no administrator of the account', async () => {
    await scene.service.home.person('partial', { role: 'account-admin', scope: '/team' });
    expect((await (await scene.signedIn('partial')).open(PATH)).status).toBe(404);
  });

  test('who has not signed in is led to the sign-in, and a key opens nothing', async () => {
    const page = await scene.browser().open(PATH);
    expect(page.path).toMatch(/^\/sign-in\?/);
    const answer = await scene
      .browser()
      .request('GET', PATH, { headers: { authorization: `Bearer ${scene.relay}` } });
    expect(answer.status).toBe(303);
  });
});
