/** `GET` and `PUT /api/v1/governance/rules`: who may read and change the rules of a scope, and what a change does. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signIn } from '../support/account.ts';
import { eventually } from '../support/patience.ts';
import { dataOf, startService, type Body, type Service } from '../support/service.ts';
import { refusal } from './answers.ts';
import { NOTHING_GIVEN } from '../support/rules.ts';

const PATH = '/api/v1/governance/rules';

let service: Service;
let admin: string;
let agent: string;

beforeAll(async () => {
  service = await startService();
  admin = await signIn((call) => service.call(call), service.home.adminEmail);
  agent = (await service.home.agent('agent')).token;
  for (const scope of ['/team', '/team/deep', '/apart', '/contested', '/waiting']) {
    await service.ingest(agent, { scope_path: scope, content: 'Hello.', role: 'assistant' });
  }
});
afterAll(() => service?.close());

const get = (scope?: string, token = admin) =>
  service.call({
    path: scope === undefined ? PATH : `${PATH}?scope_path=${encodeURIComponent(scope)}`,
    token,
  });
const put = (json: unknown, token = admin) =>
  service.call({ method: 'PUT', path: PATH, token, json });

const read = async (scope?: string): Promise<Body> => dataOf(await get(scope));
const list = (rows: unknown): readonly Body[] =>
  Array.isArray(rows) ? rows.map((row): Body => Object(row)) : [];
const runs = (status?: string) =>
  service.rows(
    `select id, status from pipeline_runs where account_id = $1 and kind = 'regate'
       and ($2::text is null or status::text = $2) order by id`,
    [service.home.id, status ?? null],
  );

const CELL = { target_level: 'peer', sensitivity: 'internal' };
const RULE = {
  ...NOTHING_GIVEN,
  ...CELL,
  gate_a: 'auto_keep',
  gate_b: 'auto_place',
  minimum_evidence_level: 'direct',
  minimum_confidence: 0.5,
  minimum_corroboration: 1,
  requires_consent: false,
  automatic_consent: false,
  pending_max_age_hours: 24,
  revalidate_after_days: 30,
  expires_after_days: 365,
};

describe('the rules of the account', () => {
  test('are those of its preset, one in force in each cell', async () => {
    const account = await read();
    expect(account).toEqual({
      scope_path: null,
      version: expect.any(Number),
      rules: expect.any(Array),
      in_force: list(account['rules']).map((rule) => ({
        ...rule,
        source: 'account',
        source_scope_path: null,
      })),
    });
    expect(list(account['rules'])).toHaveLength(12);
    expect(await read('/team')).toEqual({
      ...account,
      scope_path: '/team',
      version: 0,
      rules: [],
    });
  });
});

describe('a rule of a scope', () => {
  test('is in force at the scope and below it, nearest first, and nowhere else', async () => {
    const set = await put({ scope_path: 'team//', version: 0, rules: [RULE] });
    expect([set.status, dataOf(set)['rules']]).toEqual([200, [RULE]]);
    const nearer = { ...RULE, minimum_confidence: 0.75 };
    await put({ scope_path: '/team/deep', version: 0, rules: [nearer] });
    const inForce = async (scope: string) =>
      list((await read(scope))['in_force']).find(
        (rule) => rule['target_level'] === 'peer' && rule['sensitivity'] === 'internal',
      );
    expect(await inForce('/team')).toEqual({
      ...RULE,
      source: 'scope',
      source_scope_path: '/team',
    });
    expect(await inForce('/team/deep')).toMatchObject({
      minimum_confidence: 0.75,
      source_scope_path: '/team/deep',
    });
    expect(await inForce('/apart')).toMatchObject({ gate_a: 'human', source: 'account' });

    const { version } = await read('/team/deep');
    const removed = await put({ scope_path: '/team/deep', version, remove: [CELL] });
    expect(dataOf(removed)).toMatchObject({ version: 0, rules: [] });
    expect(await inForce('/team/deep')).toMatchObject({ source_scope_path: '/team' });
  });

  test('decides about what is said there from then on, with its dates', async () => {
    const said = (scope: string) =>
      service.ingestAndWait(agent, {
        scope_path: scope,
        session_id: scope,
        peer_key: 'speaker',
        content: 'I keep bees behind the old mill.',
      });
    const [here] = (await said('/team')).knowledge;
    const days = (date: unknown) =>
      Math.round(
        (Date.parse(String(date)) - Date.parse(String(here?.['recorded_at']))) / 86_400_000,
      );
    expect(here).toMatchObject({ state: 'active' });
    expect([days(here?.['revalidate_after']), days(here?.['expires_at'])]).toEqual([30, 365]);
    const [elsewhere] = (await said('/apart')).knowledge;
    expect(elsewhere).toMatchObject({ state: 'provisional', expires_at: null });
  });

  test('has the gates look again at what waits, in a run that the answer names', async () => {
    const waits = await service.ingestAndWait(agent, {
      scope_path: '/waiting',
      peer_key: 'speaker',
      content: 'I play the cello on Sundays.',
    });
    expect(waits.knowledge).toMatchObject([{ state: 'provisional' }]);
    const { run_id: runId } = dataOf(
      await put({ scope_path: '/waiting', version: 0, rules: [RULE] }),
    );
    await eventually(async () => (await runs('completed')).some(({ id }) => id === runId));
    const placed = async () => dataOf(await service.status(agent, waits.messageId))['knowledge'];
    expect(await placed()).toMatchObject([{ state: 'active' }]);
    const { version } = await read('/waiting');
    const back = dataOf(await put({ scope_path: '/waiting', version, remove: [CELL] }));
    await eventually(async () => (await runs('completed')).some(({ id }) => id === back['run_id']));
    // A change takes nothing back.
    expect(await placed()).toMatchObject([{ state: 'active' }]);
  });
});

describe('a change', () => {
  test('that is sent again changes nothing, and one for another version is a conflict', async () => {
    const request = { scope_path: '/contested', version: 0, rules: [RULE] };
    const first = dataOf(await put(request));
    expect(first['run_id']).toEqual(expect.any(String));
    const before = (await runs()).length;
    expect(dataOf(await put(request))).toEqual({ ...first, run_id: null });
    expect(dataOf(await put({ scope_path: '/contested', version: 7 }))).toMatchObject({
      run_id: null,
    });
    const other = { ...request, rules: [{ ...RULE, gate_b: 'human' }] };
    expect(refusal(await put(other))).toEqual([409, 'conflict']);
    expect(await runs()).toHaveLength(before);
    expect((await put({ ...other, version: first['version'] })).status).toBe(200);
  });

  test('of two at once for one version is one change and one conflict', async () => {
    const { version } = await read('/apart');
    const answers = await Promise.all(
      [0.1, 0.2].map((confidence) =>
        put({
          scope_path: '/apart',
          version,
          rules: [{ ...RULE, minimum_confidence: confidence }],
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(list((await read('/apart'))['rules'])).toHaveLength(1);
  });

  test('is audited in counts, by the person who made it', async () => {
    const [event] = await service.rows(
      `select e.category, e.actor_kind, e.actor_peer_id is not null as by_peer, e.resource_type, e.metadata
       from audit_events e join scopes s on s.account_id = e.account_id and s.id = e.resource_id
       where e.account_id = $1 and e.action = 'gate_rules.changed' and s.path = '/team' order by e.id limit 1`,
      [service.home.id],
    );
    expect(event).toEqual({
      category: 'governance',
      actor_kind: 'credential',
      by_peer: true,
      resource_type: 'scope',
      metadata: { entered: 1, retired: 0 },
    });
  });

  test('of the account as a whole has a version of its own, and the preset takes it back', async () => {
    const { version } = await read();
    const changed = dataOf(await put({ version, rules: [RULE] }));
    expect(changed).toMatchObject({ scope_path: null });
    expect(list(changed['rules'])).toContainEqual(RULE);
    await service.home.preset('strict');
    const again = await read();
    expect(list(again['rules']).map((rule) => rule['gate_a'])).toEqual(
      Array.from({ length: 12 }, () => 'human'),
    );
    expect(again['version']).not.toBe(changed['version']);
  });
});

describe('a request is 422', () => {
  const attempt = (changes: Body) => put({ scope_path: '/team', version: 0, ...changes });
  const withRule = (changes: Body) => attempt({ rules: [{ ...RULE, ...changes }] });

  test.each(Object.keys(RULE).filter((key) => !(key in NOTHING_GIVEN)))(
    'with a rule without %s',
    async (key) => {
      const answer = await withRule({ [key]: null });
      expect(refusal(answer)).toEqual([422, 'invalid_request', `rules.0.${key}`]);
    },
  );

  test.each([
    [{ gate_a: 'maybe' }, 'gate_a'],
    [{ sensitivity: 'restricted' }, 'gate_b'],
    [{ minimum_confidence: 1.5 }, 'minimum_confidence'],
    [{ minimum_confidence: '1' }, 'minimum_confidence'],
    [{ minimum_corroboration: 0 }, 'minimum_corroboration'],
    [{ minimum_corroboration: 1_001 }, 'minimum_corroboration'],
    [{ requires_consent: 1 }, 'requires_consent'],
    [{ pending_max_age_hours: 8_761 }, 'pending_max_age_hours'],
    [{ revalidate_after_days: -1 }, 'revalidate_after_days'],
    [{ expires_after_days: 36_501 }, 'expires_after_days'],
  ])('with %j in a rule', async (changes, field) => {
    expect(refusal(await withRule(changes))).toEqual([422, 'invalid_request', `rules.0.${field}`]);
  });

  test('with a cell named twice, more rules than cells, no version or no path', async () => {
    for (const [changes, field] of [
      [{ rules: [RULE, RULE] }, 'rules.1'],
      [{ rules: [RULE], remove: [CELL] }, 'remove.0'],
      [{ rules: Array.from({ length: 13 }, () => RULE) }, 'rules'],
      [{ rules: 'all' }, 'rules'],
      [{ version: null }, 'version'],
      [{ version: -1 }, 'version'],
      [{ scope_path: ' ' }, 'scope_path'],
      [{ scope_path: '/a/../b' }, 'scope_path'],
    ] as const) {
      expect(refusal(await attempt(changes))).toEqual([422, 'invalid_request', field]);
    }
    expect(refusal(await get('/a/../b'))).toEqual([422, 'invalid_request', 'scope_path']);
  });

  test('and tells nothing of members that it does not know', async () => {
    const answer = await withRule({ qhvm: 'x', gate_a: 'maybe' });
    expect(answer.text).not.toContain('qhvm');
    expect((await put({ scope_path: '/team', version: 0, qhvm: 1 })).status).toBe(200);
  });
});

describe('who may', () => {
  test('not: an API key, also of an administrator', async () => {
    const { token } = await service.home.agent('boss', { role: 'account_admin' });
    for (const answer of [await get(undefined, token), await put({ version: 0 }, token)]) {
      expect(refusal(answer)).toEqual([403, 'human_identity_required']);
    }
  });

  test('not: a person who does not administer the scope, whether it exists or not', async () => {
    const curator = await service.home.person('curator', { role: 'curator' });
    const lead = await service.home.person('lead', { scope: '/team', role: 'account_admin' });
    const answers = await Promise.all([
      ...[undefined, '/', '/team', '/nowhere'].map((scope) => get(scope, curator)),
      ...[undefined, '/', '/apart', '/nowhere'].map((scope) => get(scope, lead)),
      put({ version: 0, rules: [RULE] }, lead),
      put({ scope_path: '/apart', version: 0, rules: [RULE] }, lead),
    ]);
    expect(answers.map((answer) => refusal(answer))).toEqual(answers.map(() => [403, 'forbidden']));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await get('/team/deep', lead)).status).toBe(200);
    expect((await get('/team', lead)).status).toBe(200);
  });

  test('are those above a scope that nothing was written to yet, which its first rule makes', async () => {
    const scopePath = '/team/early/bird';
    const made = () =>
      service.rows('select from scopes where account_id = $1 and path = $2', [
        service.home.id,
        scopePath,
      ]);
    const before = await read(scopePath);
    expect(before).toMatchObject({ scope_path: scopePath, version: 0, rules: [] });
    expect(before['in_force']).toEqual((await read('/team'))['in_force']);
    expect(await made()).toHaveLength(0);
    const nothing = await put({ scope_path: scopePath, version: 0, rules: [] });
    expect([nothing.status, await made()]).toEqual([200, []]);
    const changed = await put({ scope_path: scopePath, version: 0, rules: [RULE] });
    expect(dataOf(changed)).toMatchObject({ rules: [CELL] });
    expect(await made()).toHaveLength(1);
  });
});

test('the service logs no error during the tests of this file', async () => {
  expect(await service.errors()).toEqual([]);
});
