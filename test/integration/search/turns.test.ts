/** The turns before and after what a source search finds, as far as its reader may read them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countClusters } from '../../../domain/text/excerpt.ts';
import { MOST_TURNS_MET } from '../../../stores/postgres/observations/turns.store.ts';
import { SEED, sized } from '../../support/run.ts';
import { openSearchScene, type AccountScene, type SearchScene } from './scene.ts';

const SESSIONS = sized({ short: 8, long: 60 });

let scene: SearchScene;
beforeAll(async () => {
  scene = await openSearchScene();
});
afterAll(() => scene.close());

interface Said {
  readonly speaker?: string;
  readonly text: string;
  readonly path?: string;
  readonly occurredAt?: string;
}

/** A session of such turns; `attending` read all of it. Answers the ids of the messages. */
async function talk(
  account: AccountScene,
  turns: readonly Said[],
  attending: readonly string[] = ['anna', 'ben'],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const { speaker = 'anna', ...turn } of turns) {
    const [first] = ids;
    ids.push(await account.message({ speaker, ...turn, ...(first ? { after: first } : {}) }));
    if (first === undefined) for (const key of attending) await account.attend(key, ids[0] ?? '');
  }
  await account.refresh();
  return ids;
}

const ASKED = { mode: 'exact', include_neighbours: true, limit: 100 } as const;

async function find(account: AccountScene, peer: string, query: string, more: object = {}) {
  const reader = await account.caller({ peer });
  return scene.sources(reader, { query, ...ASKED, ...more });
}

/** What is shown before and after each result, by the excerpt of the result. */
async function around(...asked: Parameters<typeof find>) {
  const { results } = await find(...asked);
  return new Map(
    results.map(({ after, before, excerpt }) => [
      excerpt,
      [before?.excerpt ?? null, after?.excerpt ?? null],
    ]),
  );
}

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString();

describe('a result', () => {
  test('has the turns before and after it in the order in which they were said, if they are asked for', async () => {
    const account = await scene.account();
    // Recorded in another order than they were said.
    const ids = await talk(account, [
      { text: 'The lease ends in May.', occurredAt: at(2) },
      { text: 'And the boat?', occurredAt: at(3) },
      { text: 'When does it end?', occurredAt: at(1), speaker: 'ben' },
    ]);
    const [result] = (await find(account, 'anna', 'lease', { limit: 1 })).results;
    expect(result?.before).toEqual({
      message_id: ids[2],
      peer_key: 'ben',
      peer_name: 'ben',
      role: 'user',
      occurred_at: at(1),
      excerpt: 'When does it end?',
    });
    expect(result?.after).toMatchObject({ message_id: ids[1], excerpt: 'And the boat?' });
    const [without] = (await find(account, 'anna', 'lease', { include_neighbours: false })).results;
    expect(without).not.toHaveProperty('before');
    expect(without).not.toHaveProperty('after');
  });

  test('has null at an end of the session, and no turns of another session or scope', async () => {
    const account = await scene.account();
    await talk(account, [
      { text: 'Elsewhere.', path: '/' },
      { text: 'The lease ends in May.' },
      { text: 'Elsewhere again.', path: '/' },
    ]);
    await talk(account, [{ text: 'Bread is baked on Tuesdays.' }]);
    const shown = await around(account, 'anna', 'lease');
    expect(shown.get('The lease ends in May.')).toEqual([null, null]);
  });

  test('has a turn that only asks, or that the query excludes, beside it', async () => {
    const account = await scene.account();
    await talk(account, [{ text: 'When does the lease end?' }, { text: 'The lease ends in May.' }]);
    const shown = await around(account, 'anna', 'lease -when', { include_questions: false });
    expect([...shown]).toEqual([['The lease ends in May.', ['When does the lease end?', null]]]);
  });

  test('has the beginnings of long turns, as long as its own excerpt may be', async () => {
    const account = await scene.account();
    const long = 'Ten green bottles stand on the wall. '.repeat(60);
    const flags = '🏴󠁧󠁢󠁳󠁣󠁴󠁿'.repeat(400);
    await talk(account, [{ text: long }, { text: 'The lease ends in May.' }, { text: flags }]);
    const [before, after] = (await around(account, 'anna', 'lease', { excerpt_chars: 100 })).get(
      'The lease ends in May.',
    ) ?? [null, null];
    expect(before).toBe(`${long.slice(0, 99)}…`);
    expect(countClusters(after ?? '')).toBeLessThanOrEqual(100);
    expect(after).toMatch(/^🏴󠁧󠁢󠁳󠁣󠁴󠁿.*…$/u);
  });

  test('does not have what was said by a person who is being erased, but the turn beyond it', async () => {
    const account = await scene.account();
    await talk(account, [
      { text: 'Hello.' },
      { text: 'I am Ben.', speaker: 'ben' },
      { text: 'The lease ends in May.' },
    ]);
    await scene.sql('update peers set erasing_at = now() where account_id = $1 and key = $2', [
      account.id,
      'ben',
    ]);
    const shown = await around(account, 'anna', 'lease');
    expect(shown.get('The lease ends in May.')).toEqual(['Hello.', null]);
  });
});

describe('a turn that the reader may not read', () => {
  test(`is like one that is not there, in ${SESSIONS} sessions (seed ${SEED})`, async () => {
    const account = await scene.account();
    let nth = 0;
    const spoken = fc.array(fc.tuple(fc.constantFrom('carol', 'anna'), fc.nat({ max: 3 })), {
      minLength: 3,
      maxLength: 9,
    });
    await fc.assert(
      fc.asyncProperty(spoken, async (turns) => {
        nth += 1;
        const word = `canoe${nth}`;
        // Some were said at one time. Carol reads what she said, and takes no part in the session.
        const said = turns.map(([speaker, minute], n) => ({
          speaker,
          minute,
          text: `${word} ${n}`,
        }));
        await talk(
          account,
          said.map(({ minute, ...turn }) => ({ ...turn, occurredAt: at(minute) })),
          ['anna'],
        );
        const own = said
          .filter(({ speaker }) => speaker === 'carol')
          .toSorted((a, b) => a.minute - b.minute);
        const expected = own.map(({ text }, n) => [
          text,
          [own[n - 1]?.text ?? null, own[n + 1]?.text ?? null],
        ]);
        const shown = await around(account, 'carol', word);
        expect([...shown].toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: SESSIONS, seed: SEED },
    );
  });

  test('is passed over as long as fewer stand in a row than a look meets', async () => {
    const account = await scene.account();
    const between = async (count: number, word: string): Promise<unknown> => {
      const [first = ''] = await talk(
        account,
        [
          { text: `${word} at first.`, speaker: 'carol', occurredAt: at(1) },
          { text: `${word} at last.`, speaker: 'carol', occurredAt: at(50) },
        ],
        [],
      );
      await account.peer('anna');
      await scene.sql(
        `insert into messages (account_id, id, session_id, scope_id, speaker_peer_id, credential_id, role, content,
           content_hash, occurred_at, occurred_offset_minutes, trace_id)
         select account_id, gen_random_uuid(), session_id, scope_id, $2, credential_id, role, 'Hidden.', content_hash,
           occurred_at + interval '1 minute', 0, trace_id from messages, generate_series(1, $3) where id = $1`,
        [first, account.peerIds.get('anna'), count],
      );
      return Object.fromEntries(await around(account, 'carol', word));
    };
    const [first, last] = ['canoe at first.', 'canoe at last.'];
    expect(await between(MOST_TURNS_MET - 1, 'canoe')).toEqual({
      [first]: [null, last],
      [last]: [first, null],
    });
    expect(await between(MOST_TURNS_MET, 'kayak')).toEqual({
      'kayak at first.': [null, null],
      'kayak at last.': [null, null],
    });
  });
});
