import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openSearchScene, texts, type SearchScene } from './scene.ts';

let scene: SearchScene;

beforeAll(async () => {
  scene = await openSearchScene();
});

afterAll(() => scene.close());

describe('a search', () => {
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

  test.each(['fast', 'balanced', 'thorough'])(
    'finds what meets either alternative under %s, however unlike they are',
    async (profile) => {
      const account = await scene.account();
      for (const text of [
        'Ada plays the cello in an orchestra',
        'Bruno plays hockey on Fridays',
        'Carla keeps bees behind the house',
        'Dora repairs old radios',
      ]) {
        await account.statement({ text });
      }
      await account.refresh();
      const reader = await account.caller({ peer: 'carol' });
      for (const query of ['cello or hockey', 'hockey OR cello', 'cello or "plays hockey"']) {
        const found = texts(await scene.search(reader, { query, profile }));
        expect(found.slice(0, 2).toSorted()).toEqual([
          'Ada plays the cello in an orchestra',
          'Bruno plays hockey on Fridays',
        ]);
      }
    },
  );

  test('finds quoted phrases of scripts without spaces', async () => {
    const account = await scene.account();
    await account.statement({ text: '田中さんは東京大学で働いています' });
    await account.statement({ text: '田中さんは京都の大学にいます' });
    await account.refresh();
    const reader = await account.caller({ peer: 'carol' });
    const answer = await scene.search(reader, { query: '"東京大学"' });
    expect(texts(answer)).toEqual(['田中さんは東京大学で働いています']);
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
});
