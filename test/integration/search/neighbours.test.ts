/** Messages are found by words of the turns around them, by those who may read these turns. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AccountScene } from './account.ts';
import { openSearchScene, type SearchScene } from './scene.ts';

let scene: SearchScene;
beforeAll(async () => {
  scene = await openSearchScene();
});
afterAll(() => scene.close());

/** Texts of the messages that a peer finds by words, best first. */
async function found(account: AccountScene, peer: string, query: string): Promise<string[]> {
  const reader = await account.caller({ peer });
  const { results } = await scene.sources(reader, { scope_path: '/poc', query, mode: 'exact' });
  return results.map(({ excerpt }) => excerpt);
}

/** A conversation of Anna and Ben, who read all of it. Answers the ids of the messages. */
async function talk(account: AccountScene, ...said: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [n, text] of said.entries()) {
    const speaker = n % 2 === 0 ? 'anna' : 'ben';
    ids.push(await account.message({ speaker, text, ...(ids[0] ? { after: ids[0] } : {}) }));
    if (n === 0) for (const key of ['anna', 'ben']) await account.attend(key, ids[0] ?? '');
  }
  return ids;
}

const HARBOUR = 'We met at the harbour.';
const RED = 'All boats were red.';
const LATER = 'Then it rained.';
const LAST = 'And we sang.';

describe('a message is found by words', () => {
  test('of the two turns before and after it, after the turn that says them', async () => {
    const account = await scene.account();
    await talk(account, 'Hello.', HARBOUR, RED, LATER, LAST);
    await account.refresh();
    expect(await found(account, 'anna', 'harbour')).toEqual([HARBOUR, 'Hello.', RED, LATER]);
  });

  test('of a turn that came later, once that is written', async () => {
    const account = await scene.account();
    const [first = ''] = await talk(account, HARBOUR, RED);
    await account.refresh();
    expect(await found(account, 'anna', 'rained')).toEqual([]);
    await account.message({ speaker: 'anna', text: LATER, after: first });
    await account.refresh();
    expect(await found(account, 'ben', 'rained')).toEqual([LATER, RED, HARBOUR]);
  });

  test('of a turn whose batch holds the other of its own two marks', async () => {
    const account = await scene.account();
    const [first = ''] = await talk(account, HARBOUR);
    await account.refresh(1);
    expect(await found(account, 'anna', 'harbour')).toEqual([HARBOUR]);
    await account.message({ speaker: 'anna', text: LATER, after: first });
    await account.refresh();
    expect(await found(account, 'ben', 'rained')).toEqual([LATER, HARBOUR]);
  });

  test('of a turn that was said before it and arrived late', async () => {
    const account = await scene.account();
    const [first = ''] = await talk(account, HARBOUR, RED);
    await account.refresh();
    const occurredAt = '2020-01-01T00:00:00Z';
    await account.message({ speaker: 'anna', text: LATER, after: first, occurredAt });
    await account.refresh();
    expect(await found(account, 'ben', 'rained')).toEqual([LATER, HARBOUR, RED]);
  });

  test('of its own session and scope alone', async () => {
    const account = await scene.account();
    const [first = ''] = await talk(account, HARBOUR);
    const elsewhere = await account.message({
      speaker: 'ben',
      text: RED,
      after: first,
      path: '/poc/sub',
    });
    await account.attend('anna', elsewhere);
    await talk(account, LATER);
    await account.refresh();
    expect(await found(account, 'anna', 'harbour')).toEqual([HARBOUR]);
  });

  test('of no turn that is long', async () => {
    const account = await scene.account();
    const long = `The harbour. ${'It rains. '.repeat(1_000)}`;
    await talk(account, long, RED);
    await account.refresh();
    expect(await found(account, 'anna', 'harbour')).toHaveLength(1);
  });
});

describe('who joins a session', () => {
  test('finds nothing by what was said before, and others find there what only they read', async () => {
    const account = await scene.account();
    const [first = ''] = await talk(account, HARBOUR);
    await account.join('carol', first);
    await account.message({ speaker: 'ben', text: RED, after: first });
    await account.refresh();
    expect(await found(account, 'carol', 'boats')).toEqual([RED]);
    expect(await found(account, 'carol', 'harbour')).toEqual([]);
    // Whoever reads the second reads no word of the first in it: Carol reads it too.
    expect(await found(account, 'anna', 'harbour')).toEqual([HARBOUR]);
    expect(await found(account, 'anna', 'boats')).toEqual([RED, HARBOUR]);
  });
});
