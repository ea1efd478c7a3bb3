/** One message takes one place of a list, whatever number of passages it has. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MOST_OF_BEGINNING } from '../../../domain/retrieval/message-search.ts';
import type { AccountScene } from './account.ts';
import { openSearchScene, type SearchScene } from './scene.ts';

/** Qdrant looks for groups in so many pages of passages, and then in as many for what these groups lack. */
const PAGES = 5;
/** A search for 20 messages has pages of 200 passages. */
const PASSAGES = 450;
const SHORT = 12;
const WORDS_OF_SENTENCE = 10;
const SENTENCES_OF_PASSAGE = 4;

let scene: SearchScene;
let account: AccountScene;
const long: string[] = [];
const short: string[] = [];

const filler = (n: number): string =>
  `${'bdfgklmnpr'[n % 10]}u${'bdfgklmnpr'[Math.floor(n / 10) % 10]}mat`;

/** What is searched for. The more of these words a passage has, the better it fits. */
const ASKED = ['zorvik', 'quemba', 'wulpet', 'xandro', 'jivost', 'yelfar', 'cosmul'];

/** A sentence of ten words, the first ones of which are searched for. */
const sentence = (of: number, seed: number): string =>
  `${Array.from({ length: WORDS_OF_SENTENCE }, (_, n) => (n < of ? ASKED[n] : filler(seed + n))).join(' ')}.`;

beforeAll(async () => {
  scene = await openSearchScene();
  account = await scene.account();
  // Each of these fits less than the one before it, so that they would fill one page each.
  for (let of = ASKED.length; long.length <= PAGES; of -= 1) {
    const sentences = Array.from({ length: PASSAGES * SENTENCES_OF_PASSAGE }, (_, n) =>
      sentence(of, n),
    );
    long.push(await account.message({ speaker: 'anna', text: sentences.join(' ') }));
  }
  for (let n = 0; n < SHORT; n += 1) {
    const rest = Array.from({ length: SENTENCES_OF_PASSAGE - 1 }, (_, m) => sentence(0, 7 * n + m));
    const text = [sentence(1, 3 * n), ...rest].join(' ');
    short.push(await account.message({ speaker: 'anna', text }));
  }
  await account.refresh();
});
afterAll(() => scene.close());

test.each(['exact', 'semantic'] as const)(
  'in %s mode messages of very many passages leave the other places to others',
  async (mode) => {
    const reader = await account.caller({ peer: 'anna' });
    const { results } = await scene.sources(reader, { query: ASKED.join(' '), mode, limit: 20 });
    const found = results.map(({ message_id: id }) => id);
    expect(found).toHaveLength(long.length + SHORT);
    expect(new Set(found)).toEqual(new Set([...long, ...short]));
    if (mode === 'exact') expect(found.slice(0, long.length)).toEqual(long);
  },
);

test('a message is found by a passage that comes after all that count as its beginning', async () => {
  const early = Array.from({ length: 2 * MOST_OF_BEGINNING * SENTENCES_OF_PASSAGE }, (_, n) =>
    sentence(0, n),
  );
  const text = `${early.join(' ')} The ferry leaves at noon.`;
  const id = await account.message({ speaker: 'anna', text });
  await account.refresh();
  const reader = await account.caller({ peer: 'anna' });
  const { results } = await scene.sources(reader, { query: 'ferry', mode: 'exact' });
  expect(
    results.map(({ excerpt, message_id: found }) => [found, excerpt.includes('ferry')]),
  ).toEqual([[id, true]]);
});
