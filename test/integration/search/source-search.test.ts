/** Searches over messages on the real indexes: who finds what, in which order, and what is shown of it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { countClusters } from '../../../domain/text/excerpt.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { openSearchScene, type AccountScene, type SearchScene, type SourceData } from './scene.ts';

let scene: SearchScene;

beforeAll(async () => {
  scene = await openSearchScene();
});

afterAll(() => scene.close());

const ids = ({ results }: SourceData): string[] => results.map((each) => each.message_id);
const MODES = ['semantic', 'exact'] as const;

async function told(texts: Readonly<Record<string, string>>): Promise<{
  account: AccountScene;
  said: Readonly<Record<string, string>>;
}> {
  const account = await scene.account();
  const said: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) {
    said[name] = await account.message({ speaker: 'anna', text });
  }
  await account.refresh();
  return { account, said };
}

describe('a source search', () => {
  test.each(MODES)('in %s mode finds messages, with everything that a result has', async (mode) => {
    const account = await scene.account();
    const id = await account.message({
      speaker: 'anna',
      relay: 'relay',
      text: 'The lease of the boathouse ends in May',
      session: `talk-${mode}`,
      role: 'customer',
      occurredAt: '2026-03-01T10:00:00.000Z',
    });
    await account.message({ speaker: 'anna', text: 'Bread is baked on Tuesdays' });
    await account.refresh();
    for (const peer of ['anna', 'relay']) {
      const reader = await account.caller({ peer });
      const found = await scene.sources(reader, {
        query: 'lease of the boathouse',
        mode,
        limit: 1,
      });
      expect(found).toEqual({
        status: 'ready',
        failure_class: null,
        mode,
        scope_path: '/poc',
        reader_posture: 'peer',
        results: [
          {
            message_id: id,
            session_id: `talk-${mode}`,
            scope_path: '/poc',
            peer_key: 'anna',
            peer_name: 'anna',
            role: 'customer',
            occurred_at: '2026-03-01T10:00:00.000Z',
            excerpt: 'The lease of the boathouse ends in May',
            score: expect.any(Number),
            rank: 1,
          },
        ],
      });
    }
  });

  test.each(MODES)(
    'in %s mode reads the scope and its ancestors, nothing beside or below',
    async (mode) => {
      const account = await scene.account();
      const at = (path: string) =>
        account.message({ speaker: 'anna', text: 'the red canoe', path });
      const [root, team, deep] = [await at('/'), await at('/team'), await at('/team/deep')];
      await at('/other');
      await account.refresh();
      const reader = await account.caller({ peer: 'anna' });
      const from = async (scope_path: string) =>
        new Set(ids(await scene.sources(reader, { query: 'red canoe', scope_path, mode })));
      expect(await from('/team/deep')).toEqual(new Set([root, team, deep]));
      expect(await from('/team')).toEqual(new Set([root, team]));
      expect(await from('/nowhere')).toEqual(new Set([root]));
    },
  );

  test('ranks by the share of the words that are met, and messages of one score as they were said', async () => {
    const account = await scene.account();
    const say = (text: string, occurredAt: string) =>
      account.message({ speaker: 'anna', text, occurredAt });
    const later = await say('the otter sleeps', '2026-03-02T00:00:00.000Z');
    const first = await say('the otter sleeps', '2026-03-01T00:00:00.000Z');
    const both = await say('the otter and the heron sleep', '2026-03-03T00:00:00.000Z');
    await account.refresh();
    const reader = await account.caller({ peer: 'anna' });
    const found = await scene.sources(reader, { query: 'otter heron', mode: 'exact' });
    expect(ids(found)).toEqual([both, first, later]);
    expect(found.results.map(({ rank }) => rank)).toEqual([1, 2, 3]);
    expect(
      ids(await scene.sources(reader, { query: 'otter heron', mode: 'lexical', limit: 2 })),
    ).toEqual([both, first]);
  });

  test('shows a long message once, by its best passage, cut around the words', async () => {
    const filler = 'Nothing of note happened on that day in the harbour of the town. '.repeat(400);
    const { account, said } = await told({
      long: `${filler}The zeppelin landed beside 👩‍👩‍👧‍👦 the café. ${filler}`,
    });
    const reader = await account.caller({ peer: 'anna' });
    for (const excerpt_chars of [80, 481, 2000]) {
      const found = await scene.sources(reader, {
        query: 'zeppelin',
        mode: 'exact',
        excerpt_chars,
      });
      expect(ids(found)).toEqual([said['long']]);
      const { excerpt = '' } = found.results[0] ?? {};
      expect(excerpt).toContain('The zeppelin landed');
      expect(excerpt.startsWith('…') && excerpt.endsWith('…')).toBe(true);
      expect(countClusters(excerpt)).toBeLessThanOrEqual(excerpt_chars);
      expect(countClusters(excerpt)).toBeGreaterThan(excerpt_chars / 2);
      expect(excerpt.isWellFormed()).toBe(true);
    }
  });

  test('says that a text goes on exactly where it does', async () => {
    const reads = async (text: string) => {
      const { account, said } = await told({ long: text });
      const read = {
        reader: { posture: 'peer' as const, peerId: await account.peer('anna') },
        scopeIds: [await account.scope('/poc')],
      };
      const part = { part: 'around', before: 2, length: 4, unplaced: 3 } as const;
      const [placed] = await createInAccount(scene.pool)(account.id, ({ sourceMessages }) =>
        sourceMessages.read([{ id: said['long'] ?? '', beginsAt: 3 }], read, part, 1),
      );
      const [unplaced] = await createInAccount(scene.pool)(account.id, ({ sourceMessages }) =>
        sourceMessages.read([{ id: said['long'] ?? '', beginsAt: null }], read, part, 1),
      );
      return [placed, unplaced].map((row) => [row?.text, row?.text_begins_at, row?.is_cut_after]);
    };
    expect(await reads('a😀cde')).toEqual([
      ['😀cde', 1, false],
      ['a😀c', 0, true],
    ]);
    expect(await reads('a😀cdef')).toEqual([
      ['😀cde', 1, true],
      ['a😀c', 0, true],
    ]);
    expect(await reads('a😀c')).toEqual([
      ['😀c', 1, false],
      ['a😀c', 0, false],
    ]);
  });

  test('cuts around the words also where a secret before them was masked for the index', async () => {
    const filler = 'The harbour of the town was quiet on that day. '.repeat(60);
    const { account } = await told({
      long: `${filler} The password: hunter2-and-a-long-tail. ${filler}A zeppelin landed. ${filler}`,
    });
    const reader = await account.caller({ peer: 'anna' });
    const found = await scene.sources(reader, { query: 'zeppelin', mode: 'exact' });
    expect(found.results[0]?.excerpt).toContain('A zeppelin landed');
  });

  test.each(MODES)('in %s mode binds phrases, exclusions and alternatives', async (mode) => {
    const { account, said } = await told({
      red: 'Anna keeps a red canoe at the lake',
      painted: 'The canoe that Anna painted is red',
      general: 'Anna met a general in Lima',
    });
    const reader = await account.caller({ peer: 'anna' });
    const find = async (query: string) =>
      new Set(ids(await scene.sources(reader, { query, mode })));
    expect(await find('"red canoe"')).toEqual(new Set([said['red']]));
    expect(await find('anna -canoe')).toEqual(new Set([said['general']]));
    expect(await find('"red canoe" or general')).toEqual(new Set([said['red'], said['general']]));
    expect(await find('"green canoe"')).toEqual(new Set());
    // Meilisearch does not show it yet: the check on its text decides.
    const fresh = await account.message({ speaker: 'anna', text: 'Another red canoe for Anna' });
    await scene.sql(`delete from dirty_marks where unit_id = $1 and engine = 'meilisearch'`, [
      fresh,
    ]);
    await account.refresh();
    await scene.sql(
      `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard, available_at)
       select account_id, 'meilisearch', 'message', id, scope_id, 0, now() + interval '1 hour' from messages where id = $1`,
      [fresh],
    );
    expect(await find('"red canoe"')).toEqual(new Set([said['red'], fresh]));
    expect(await find('anna -canoe')).toEqual(new Set([said['general']]));
  });

  test('finds a quoted phrase whose words weigh nothing', async () => {
    const { account, said } = await told({ one: 'So it was one', other: 'It was two' });
    const reader = await account.caller({ peer: 'anna' });
    const found = await scene.sources(reader, { query: '"it was one"', mode: 'exact' });
    expect(ids(found)).toEqual([said['one']]);
  });

  test.each(MODES)('in %s mode shows no message to who was not there', async (mode) => {
    const { account, said } = await told({ hers: 'Anna hid the golden key under the stone' });
    const stranger = await account.caller({ peer: 'carol' });
    const query = { query: 'golden key', mode };
    const before = await scene.sources(stranger, query);
    expect(before).toMatchObject({ status: 'empty', results: [] });
    await account.attend('carol', said['hers'] ?? '');
    // The index learns of it with the next refresh.
    await scene.sql(
      `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
       select account_id, e, 'message', id, scope_id, 0 from messages, unnest(enum_range(null::index_engine)) e
       where id = $1`,
      [said['hers']],
    );
    await account.refresh();
    expect(ids(await scene.sources(stranger, query))).toEqual([said['hers']]);
    const machine = await account.caller({ peer: null });
    expect(await scene.sources(machine, query)).toMatchObject({
      status: 'empty',
      reader_posture: 'public_only',
      results: [],
    });
  });

  test('finds what a reader may read among messages with more readers than the index is told of', async () => {
    const { account, said } = await told({
      crowd: 'the crowd spoke of turnips',
      own: 'Anna likes turnips',
    });
    for (let n = 0; n < 70; n += 1) await account.attend(`guest-${n}`, said['crowd'] ?? '');
    await scene.sql(
      `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
       select account_id, e, 'message', id, scope_id, 0 from messages, unnest(enum_range(null::index_engine)) e
       where id = $1`,
      [said['crowd']],
    );
    await account.refresh();
    const find = async (peer: string) =>
      ids(await scene.sources(await account.caller({ peer }), { query: 'turnips', mode: 'exact' }));
    expect(await find('guest-69')).toEqual([said['crowd']]);
    expect(new Set(await find('anna'))).toEqual(new Set([said['crowd'], said['own']]));
    expect(await find('carol')).toEqual([]);
  });

  test('leaves out what was said by a person who is being erased', async () => {
    const { account, said } = await told({ hers: 'a song about turnips' });
    await account.attend('carol', said['hers'] ?? '');
    const reader = await account.caller({ peer: 'anna' });
    const query = { query: 'turnips', mode: 'exact' };
    expect(ids(await scene.sources(reader, query))).toEqual([said['hers']]);
    await scene.sql('update peers set erasing_at = now() where account_id = $1 and key = $2', [
      account.id,
      'anna',
    ]);
    expect(await scene.sources(reader, query)).toMatchObject({ status: 'empty', results: [] });
  });
});
