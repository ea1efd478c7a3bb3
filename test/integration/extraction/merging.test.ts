import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { Scene } from '../observations/scene.ts';
import { drain, literalExtractor, pipeline, statements, usePreset } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const work = (account: string) =>
  drain(scene, account, pipeline(scene, { extract: literalExtractor }));

async function newAccount(): Promise<{ account: string; agent: Caller }> {
  const account = await scene.account();
  return { account, agent: await scene.caller(account, { key: 'agent' }) };
}

const TOPICS = ['tea', 'boats', 'chess', 'rain', 'bread', 'maps', 'owls', 'jazz', 'salt', 'moss'];

/** A conversation of two people over several sessions, some of it said twice. */
function conversation(turns: number) {
  return Array.from({ length: turns }, (_, n) => ({
    session_id: `session-${n % 7}`,
    peer_key: n % 2 === 0 ? 'alice' : 'bob',
    content: `about=${n % 3 === 0 ? 'alice' : 'bob'} I like ${TOPICS[n % 10]} number ${n % 97}.`,
    occurred_at: new Date(Date.UTC(2024, 0, 1) + n * 60_000).toISOString(),
  }));
}

async function ingestAll(agent: Caller, bodies: readonly Readonly<Record<string, unknown>>[]) {
  for (let from = 0; from < bodies.length; from += 20) {
    await Promise.all(bodies.slice(from, from + 20).map((body) => scene.ingest(agent, body)));
  }
}

describe('a re-send', () => {
  test('of a whole conversation adds no statement and corroborates nothing', async () => {
    const { account, agent } = await newAccount();
    const bodies = conversation(210);
    await ingestAll(agent, bodies);
    expect(await work(account)).toMatchObject({ ok: 210, retry: 0, failed: 0 });
    const before = await statements(scene, account);
    const versions = await scene.rows(
      'select id, row_version from knowledge where account_id = $1 order by id',
      [account],
    );
    const sourcesBefore = before.reduce((sum, row) => sum + Number(row['sources']), 0);
    await ingestAll(agent, bodies);
    expect(await work(account)).toMatchObject({ ok: 210 });

    const after = await statements(scene, account);
    const withoutSources = (rows: typeof before) =>
      rows.map(({ sources: _sources, ...row }) => row);
    expect(withoutSources(after)).toEqual(withoutSources(before));
    expect(after.reduce((sum, row) => sum + Number(row['sources']), 0)).toBe(2 * sourcesBefore);
    expect(
      await scene.rows('select id, row_version from knowledge where account_id = $1 order by id', [
        account,
      ]),
    ).toEqual(versions);
    expect(await scene.count('select from messages where account_id = $1', [account])).toBe(420);
  });
});

describe('the same statement by several speakers', () => {
  test('is stored once, corroborated by speakers and not by relays', async () => {
    const { account, agent } = await newAccount();
    const other = await scene.caller(account, { key: 'other-agent' });
    const body = { session_id: 'a', occurred_at: '2024-01-02T00:00:00Z' };
    await scene.ingest(agent, {
      ...body,
      peer_key: 'bob',
      content: 'about=alice Alice likes TEA!',
    });
    await scene.ingest(other, {
      ...body,
      peer_key: 'bob',
      content: 'about=alice Alice likes tea.',
    });
    await scene.ingest(agent, {
      ...body,
      peer_key: 'alice',
      content: 'as=personal Alice likes tea',
      occurred_at: '2024-01-01T00:00:00Z',
    });
    await work(account);
    const [row, ...more] = await statements(scene, account);
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      statement: 'Alice likes tea',
      corroboration_count: 2,
      sources: 3,
      sensitivity: 'personal',
      confidence: 1,
      evidence_level: 'direct',
    });
    const submitters = await scene.rows(
      `select p.key from knowledge_submitters s join peers p on p.id = s.peer_id
       where s.account_id = $1 order by 1`,
      [account],
    );
    expect(submitters.map(({ key }) => key)).toEqual(['agent', 'alice', 'bob', 'other-agent']);
  });

  test('in concurrent drains is stored once', async () => {
    const { account, agent } = await newAccount();
    for (let n = 0; n < 24; n += 1) {
      await scene.ingest(agent, {
        session_id: `s${n}`,
        peer_key: `p${n % 6}`,
        content: 'about=p0 Zero plays chess.',
      });
      // A peer that is spoken of must have taken part.
      await scene.ingest(agent, { session_id: `s${n}`, peer_key: 'p0', content: 'Hello.' });
    }
    await work(account);
    const rows = await statements(scene, account);
    expect(rows.filter(({ statement }) => statement === 'Zero plays chess.')).toMatchObject([
      { corroboration_count: 6, sources: 24 },
    ]);
  });
});

describe('belief', () => {
  test('changes by closing one period and opening the next at the same instant', async () => {
    const { account, agent } = await newAccount();
    await scene.ingest(agent, { peer_key: 'alice', content: 'level=scope Alice plays chess.' });
    await work(account);
    await scene.ingest(agent, { peer_key: 'alice', content: 'as=personal Alice plays chess.' });
    await work(account);
    const periods = await scene.rows(
      `select state, target_level, sensitivity, believed_from, believed_until from belief_periods
       where account_id = $1 order by believed_from, believed_until nulls last`,
      [account],
    );
    expect(periods).toMatchObject([
      { state: 'held', target_level: 'scope', sensitivity: 'internal' },
      { state: 'provisional', target_level: 'peer', sensitivity: 'personal', believed_until: null },
    ]);
    expect(periods[0]?.['believed_until']).toEqual(periods[1]?.['believed_from']);
    expect(
      await scene.rows(
        'select from_state, to_state, reason from lifecycle_events where account_id = $1 order by occurred_at',
        [account],
      ),
    ).toEqual([
      { from_state: null, to_state: 'held', reason: 'extracted' },
      { from_state: 'held', to_state: 'provisional', reason: 'gates_rerun' },
    ]);
  });
});

describe('presets', () => {
  test('unattended places personal facts with recorded consent, corroborated ones at their scope, no restricted ones', async () => {
    const { account, agent } = await newAccount();
    await usePreset(scene, account, 'unattended');
    await scene.ingest(agent, { peer_key: 'a', content: 'as=restricted I hold a secret.' });
    await scene.ingest(agent, { peer_key: 'a', content: 'level=scope as=personal A likes tea.' });
    await work(account);
    const states = async () =>
      (await statements(scene, account)).map((row) => [row['statement'], row['state']]);
    expect(await states()).toEqual([
      ['A likes tea.', 'held'],
      ['I hold a secret.', 'rejected'],
    ]);
    // The second speaker reaches the threshold, and the gates run again.
    await scene.ingest(agent, {
      peer_key: 'b',
      content: 'level=scope as=personal about=a A likes tea.',
    });
    await work(account);
    expect(await states()).toEqual([
      ['A likes tea.', 'active'],
      ['I hold a secret.', 'rejected'],
    ]);
    expect(
      await scene.rows('select status, channel, verified from consents where account_id = $1', [
        account,
      ]),
    ).toEqual([{ status: 'granted', channel: 'pipeline', verified: true }]);
    expect(
      await scene.rows(
        "select state from review_items where account_id = $1 and kind = 'gate_a_b'",
        [account],
      ),
    ).toEqual([{ state: 'approved' }]);
    expect(
      await scene.count(
        "select from gate_decisions where account_id = $1 and decision = 'withhold'",
        [account],
      ),
    ).toBe(1);
  });

  test('an account-level statement is placed at the root, and its re-send finds it there', async () => {
    const { account, agent } = await newAccount();
    await usePreset(scene, account, 'unattended');
    for (const peer_key of ['a', 'b']) {
      await scene.ingest(agent, {
        peer_key,
        content: 'level=account as=public about=a A runs the shop.',
        occurred_at: '2024-01-01',
      });
    }
    await work(account);
    await scene.ingest(agent, {
      peer_key: 'a',
      content: 'level=account as=public about=a A runs the shop.',
      occurred_at: '2024-01-01',
    });
    await work(account);
    expect(
      await scene.rows(
        `select s.path, k.state, k.corroboration_count from knowledge k
         join scopes s on s.account_id = k.account_id and s.id = k.scope_id where k.account_id = $1`,
        [account],
      ),
    ).toEqual([{ path: '/', state: 'active', corroboration_count: 2 }]);
  });
});

describe('a refused statement', () => {
  test.each(['redacted', 'rejected'])(
    'that was %s comes back from a new source only, held and marked',
    async (state) => {
      const { account, agent } = await newAccount();
      await usePreset(scene, account, 'assisted');
      const body = { peer_key: 'a', content: 'I like tea.', occurred_at: '2024-01-01' };
      await scene.ingest(agent, body);
      await work(account);
      await scene.rows('update knowledge set state = $2 where account_id = $1', [account, state]);

      await scene.ingest(agent, body);
      await work(account);
      expect(await statements(scene, account)).toHaveLength(1);

      for (let n = 0; n < 2; n += 1) {
        await scene.ingest(agent, { ...body, occurred_at: '2024-02-01' });
        await work(account);
      }
      expect(
        await scene.rows(
          `select state, previously_refused from knowledge where account_id = $1 order by recorded_at`,
          [account],
        ),
      ).toEqual([
        { state, previously_refused: false },
        { state: 'held', previously_refused: true },
      ]);
    },
  );
});
