import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Refusal } from '../../../domain/errors.ts';
import { openSearchScene, texts, type AccountScene, type SearchScene } from './scene.ts';

let scene: SearchScene;
let home: AccountScene;

beforeAll(async () => {
  scene = await openSearchScene();
  home = await scene.account();
});

afterAll(() => scene.close());

describe('a search', () => {
  test('finds a statement right after the acknowledged write, ranked before others', async () => {
    const account = await scene.account();
    const other = await account.statement({ text: 'Boris plays chess in Minsk' });
    const wanted = await account.statement({ text: 'Anna rides a blue bicycle to work' });
    expect(await account.index(other, wanted)).toBe('acknowledged');
    const reader = await account.caller({ peer: 'carol' });
    const answer = await scene.search(reader, { query: 'Which bicycle does Anna ride?' });
    expect(texts(answer)[0]).toBe('Anna rides a blue bicycle to work');
    expect(answer).toMatchObject({
      scope_path: '/poc',
      profile: 'balanced',
      profile_version: 'f7-1',
      deadline: 'enabled',
      degraded: false,
      degraded_components: [],
      dropped_strategies: [],
      reader_posture: 'peer',
      identity_profile_status: 'not_requested',
      reserved_rerank_ms: 0,
    });
    expect(answer.contributed_strategies).toEqual(['semantic', 'lexical']);
    expect(answer.candidates[0]?.fusion_score).toBe(answer.candidates[0]?.rrf_score);
    expect(answer.retrieval_outcomes.map(({ component, status }) => [component, status])).toEqual([
      ['semantic', 'completed'],
      ['lexical', 'completed'],
      ['temporal', 'not_applicable'],
      ['entity_match', 'not_applicable'],
      ['reranker', 'not_applicable'],
    ]);
  });

  test('binds phrases and exclusions before and after the full-text index knows the text', async () => {
    const account = await scene.account();
    const ids = [
      await account.statement({ text: 'Anna keeps a red canoe at the lake' }),
      await account.statement({ text: 'The canoe that Anna painted is red' }),
      await account.statement({ text: 'Anna met a general in Lima' }),
    ];
    await account.index(...ids);
    const reader = await account.caller({ peer: 'carol' });
    const check = async (): Promise<void> => {
      const phrase = await scene.search(reader, { query: '"red canoe"' });
      expect(texts(phrase)).toEqual(['Anna keeps a red canoe at the lake']);
      expect(phrase.degraded).toBe(false);
      const excluded = await scene.search(reader, { query: 'anna -canoe' });
      expect(texts(excluded)).toEqual(['Anna met a general in Lima']);
      const either = await scene.search(reader, { query: '"red canoe" or general' });
      expect(texts(either).toSorted()).toEqual([
        'Anna keeps a red canoe at the lake',
        'Anna met a general in Lima',
      ]);
      const none = await scene.search(reader, { query: '"green canoe"' });
      expect(none.candidates).toEqual([]);
      expect(none.degraded).toBe(false);
    };
    await check();
    await account.refresh();
    await check();
  });

  test('finds quoted phrases of scripts without spaces', async () => {
    const account = await scene.account();
    await account.statement({ text: '田中さんは東京大学で働いています' });
    await account.statement({ text: '田中さんは京都の大学にいます' });
    await account.refresh();
    const reader = await account.caller({ peer: 'carol' });
    const answer = await scene.search(reader, { query: '"東京大学"' });
    expect(texts(answer)).toEqual(['田中さんは東京大学で働いています']);
  });

  test('inherits from ancestors and shows nothing of siblings, missing or unreadable scopes', async () => {
    const account = await scene.account();
    await account.statement({ text: 'Falcon is an inherited project', path: '/' });
    await account.statement({ text: 'Falcon starts in team one', path: '/team/one' });
    await account.statement({ text: 'Falcon starts in team two', path: '/team/two' });
    await account.refresh();
    const everywhere = await account.caller({ peer: 'carol' });
    const inOne = await scene.search(everywhere, { query: 'falcon', scope_path: 'team/one/' });
    expect(inOne.scope_path).toBe('/team/one');
    expect(texts(inOne).toSorted()).toEqual([
      'Falcon is an inherited project',
      'Falcon starts in team one',
    ]);
    const narrow = await account.caller({ peer: 'carol', path: '/team/one' });
    const hidden = await scene.search(narrow, { query: 'falcon', scope_path: '/team/two' });
    const missing = await scene.search(narrow, { query: 'falcon', scope_path: '/team/six' });
    const comparable = ({ scope_path: _p, latency_ms: _l, ...rest }: typeof hidden) => ({
      ...rest,
      pre_rerank_remaining_ms: 0,
      retrieval_outcomes: rest.retrieval_outcomes.map(({ component, status, reason_class }) => [
        component,
        status,
        reason_class,
      ]),
    });
    expect(hidden.candidates).toEqual([]);
    expect(comparable(hidden)).toEqual(comparable(missing));
  });

  test('reads as the peer of the caller, as public only, or as a named reader', async () => {
    const account = await scene.account();
    await account.statement({ text: 'Walnut allergy is public', sensitivity: 'public' });
    await account.statement({ text: 'Walnut allergy is internal', sensitivity: 'internal' });
    await account.statement({ text: 'Walnut allergy is personal', sensitivity: 'personal' });
    await account.statement({ text: 'Walnut allergy is provisional', state: 'provisional' });
    await account.refresh();
    const find = async (options: Parameters<AccountScene['caller']>[0], peerKey?: string) =>
      scene.search(await account.caller(options), { query: 'walnut allergy', peer_key: peerKey });
    expect(texts(await find({ peer: 'anna' }))).toHaveLength(4);
    const stranger = await find({ peer: 'carol' });
    expect(texts(stranger).toSorted()).toEqual([
      'Walnut allergy is internal',
      'Walnut allergy is public',
    ]);
    const nobody = await find({ peer: null });
    expect(nobody.reader_posture).toBe('public_only');
    expect(texts(nobody)).toEqual(['Walnut allergy is public']);
    expect(texts(await find({ peer: 'carol' }, 'anna'))).toHaveLength(4);
    const [recorded] = await scene.sql(
      `select count(*)::integer as n from audit_events where account_id = $1 and action = 'reader.named'`,
      [account.id],
    );
    expect(recorded).toEqual({ n: 1 });
  });

  test('refuses an unknown reader, and a person who may not name a reader', async () => {
    const codeOf = async (kind: 'machine' | 'human', key: string): Promise<unknown> => {
      const caller = await home.caller({ peer: 'carol', kind });
      try {
        return await scene.search(caller, { query: 'x', peer_key: key });
      } catch (error) {
        return error instanceof Refusal ? error.code : error;
      }
    };
    await home.peer('anna');
    expect(await codeOf('machine', 'nobody')).toBe('unknown_peer');
    expect(await codeOf('human', 'nobody')).toBe('forbidden');
    expect(await codeOf('human', 'anna')).toBe('forbidden');
  });

  test('never shows rows of another account, whatever is asked', async () => {
    const [one, two] = [await scene.account(), await scene.account()];
    await one.statement({ text: 'Quartz is a secret of account one' });
    await two.statement({ text: 'Quartz is a secret of account two' });
    await one.refresh();
    await two.refresh();
    const answer = await scene.search(await two.caller({ peer: 'carol' }), {
      query: 'quartz secret',
    });
    expect(texts(answer)).toEqual(['Quartz is a secret of account two']);
  });

  test('reports authorization_filtered only when visibility removed every lexical match', async () => {
    const account = await scene.account();
    await account.statement({ text: 'Obsidian is held back', state: 'provisional' });
    await account.statement({ text: 'Onyx is nobody else’s', sensitivity: 'personal' });
    await account.statement({ text: 'Basalt was rejected', state: 'rejected' });
    await account.refresh();
    const reader = await account.caller({ peer: 'carol' });
    const filtered = await scene.search(reader, { query: 'obsidian' });
    expect(filtered.candidates).toEqual([]);
    expect(filtered.retrieval_outcomes).toContainEqual(
      expect.objectContaining({
        component: 'candidate_filter',
        reason_class: 'authorization_filtered',
      }),
    );
    expect(filtered.degraded_components).toEqual(['candidate_filter']);
    for (const query of ['onyx', 'basalt', 'granite', '"obsidian"', '-obsidian']) {
      expect((await scene.search(reader, { query })).degraded).toBe(false);
    }
    const own = await scene.search(await account.caller({ peer: 'anna' }), {
      query: 'obsidian',
      min_score: 2,
    });
    expect(own.candidates).toEqual([]);
    expect(own.degraded).toBe(false);
  });

  test('hides an expired row at once, whatever the index holds', async () => {
    const account = await scene.account();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const id = await account.statement({ text: 'Marble counts until soon', expiresAt });
    await account.refresh();
    const reader = await account.caller({ peer: 'carol' });
    expect(texts(await scene.search(reader, { query: 'marble' }))).toHaveLength(1);
    await scene.sql(`update knowledge set expires_at = now() - interval '1 second' where id = $1`, [
      id,
    ]);
    expect(texts(await scene.search(reader, { query: 'marble' }))).toEqual([]);
  });

  test('reads memory as it stood, in every strategy, and ranks by distance in time', async () => {
    const account = await scene.account();
    const march = '2026-03-01T00:00:00.000Z';
    const april = '2026-04-01T00:00:00.000Z';
    const may = '2026-05-01T00:00:00.000Z';
    await account.statement({
      text: 'Anna lives in Bergen',
      state: 'superseded',
      recordedAt: march,
      relevantFrom: '2026-02-01T00:00:00.000Z',
      periods: [
        { from: march, until: april, state: 'active' },
        { from: april, until: null, state: 'superseded' },
      ],
    });
    await account.statement({
      text: 'Anna lives in Oslo',
      recordedAt: april,
      periods: [{ from: april, until: null, state: 'active' }],
    });
    await account.statement({
      text: 'Anna lives in a withdrawn place',
      state: 'redacted',
      recordedAt: march,
      periods: [
        { from: march, until: may, state: 'active' },
        { from: may, until: null, state: 'redacted' },
      ],
    });
    await account.refresh();
    const reader = await account.caller({ peer: 'carol' });
    const at = async (as_of?: string) =>
      texts(await scene.search(reader, { query: 'where does anna live', as_of }));
    expect(await at('2026-03-15')).toEqual(['Anna lives in Bergen']);
    expect(await at('2026-04-15T00:00:00+02:00')).toEqual(['Anna lives in Oslo']);
    expect(await at('2026-01-15')).toEqual([]);
    expect(await at()).toEqual(['Anna lives in Oslo']);
    const past = await scene.search(reader, { query: 'anna lives', as_of: '2026-03-15' });
    expect(past.candidates[0]?.strategies).toContain('temporal');
    expect(past.candidates[0]?.state).toBe('active');
  });

  test('answers a blank query by salience, only in profiles that have that strategy', async () => {
    const account = await scene.account();
    await account.statement({ text: 'Old news', recordedAt: '2026-01-01T00:00:00.000Z' });
    await account.statement({ text: 'Fresh and well attested', corroboration: 5 });
    await account.refresh();
    const reader = await account.caller({ peer: 'carol' });
    const fast = await scene.search(reader, { query: ' ', profile: 'fast' });
    expect(texts(fast)).toEqual(['Fresh and well attested', 'Old news']);
    expect(fast.disagreement.query_dependent_empty).toBe(true);
    const balanced = await scene.search(reader, {});
    expect(balanced.candidates).toEqual([]);
    expect(balanced.degraded).toBe(false);
  });

  test('applies source filters and min_score inside each strategy', async () => {
    const account = await scene.account();
    await account.statement({ text: 'Copper pipes burst', corroboration: 3 });
    await account.statement({ text: 'Copper wires hum' });
    await account.refresh();
    const reader = await account.caller({ peer: 'carol' });
    const find = async (body: Record<string, unknown>) =>
      texts(await scene.search(reader, { query: 'copper', ...body }));
    expect(await find({ source_filters: { minimum_corroboration: 2 } })).toEqual([
      'Copper pipes burst',
    ]);
    expect(await find({ source_filters: { provider: 'elsewhere' } })).toEqual([]);
    expect(await find({ source_filters: { source_document_id: account.id } })).toEqual([]);
    expect(await find({ min_score: 1.1 })).toEqual([]);
    expect(await find({ limit: 1 })).toHaveLength(1);
  });

  test('refuses invalid fields', async () => {
    const caller = await home.caller({ peer: 'carol' });
    const codeOf = async (body: Record<string, unknown>, by = caller): Promise<unknown> => {
      try {
        await scene.search(by, body);
        return 'answered';
      } catch (error) {
        return error instanceof Refusal ? error.code : error;
      }
    };
    const invalid = [
      { strategies: ['lexical'] },
      { profile: 'minimal' },
      { profile: 'best' },
      { scope_path: '/a/../b' },
      { as_of: 'soon' },
      { deadline: 'later' },
      { query: 7 },
      { min_score: 'high' },
    ];
    for (const body of invalid)
      expect([body, await codeOf(body)]).toEqual([body, 'invalid_request']);
    expect(await codeOf({ deadline: 'disabled' })).toBe('forbidden');
    const admin = await home.caller({ peer: 'carol', role: 'account_admin' });
    expect(await codeOf({ deadline: 'disabled' }, admin)).toBe('answered');
    for (const limit of ['many', null, 0, 1000, '5']) {
      expect(await codeOf({ query: 'x', limit })).toBe('answered');
    }
  });
});

describe('the knowledge query', () => {
  test('lists each state to the readers that may see it, highest confidence first', async () => {
    const account = await scene.account();
    const low = await account.statement({ text: 'Tin one', confidence: 0.5 });
    const high = await account.statement({ text: 'Tin two' });
    const held = await account.statement({
      text: 'Tin three',
      state: 'held',
      submitters: ['anna'],
    });
    const ids = async (options: Parameters<AccountScene['caller']>[0], query: object) =>
      (await scene.knowledge(await account.caller(options), { ...query })).map(({ id }) => id);
    expect(await ids({ peer: 'carol' }, {})).toEqual([high, low]);
    expect(await ids({ peer: 'carol' }, { limit: 1 })).toEqual([high]);
    expect(await ids({ peer: 'carol' }, { state: 'held' })).toEqual([]);
    expect(await ids({ peer: 'anna' }, { state: 'held' })).toEqual([held]);
    expect(await ids({ peer: 'carol', role: 'curator' }, { state: 'held' })).toEqual([held]);
    // A curator who reads as another peer does not read as a curator.
    expect(
      await ids({ peer: 'carol', role: 'curator' }, { state: 'held', peer_key: 'dora' }).catch(
        (error: unknown) => (error instanceof Refusal ? error.code : error),
      ),
    ).toBe('unknown_peer');
    await account.peer('dora');
    expect(
      await ids({ peer: 'carol', role: 'curator' }, { state: 'held', peer_key: 'dora' }),
    ).toEqual([]);
  });
});
