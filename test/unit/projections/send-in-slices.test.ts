import { describe, expect, test } from '@jest/globals';
import { IndexFailure } from '../../../domain/retrieval/index-failure.ts';
import { sendInSlices } from '../../../stores/send-in-slices.ts';

interface Item {
  readonly name: number;
  readonly bytes: number;
  readonly bad?: boolean;
}

/** An index that refuses what holds a bad item, and what its requests held. */
function index(code = 'invalid_document_fields') {
  const requests: number[][] = [];
  return {
    requests,
    slicing: {
      mostItems: 4,
      mostBytes: 100,
      bytesOf: ({ bytes }: Item) => bytes,
      refusesAll: (given: string) => given === 'index_not_found',
      send: async (items: readonly Item[]) => {
        requests.push(items.map(({ name }) => name));
        if (items.some(({ bad }) => bad)) throw new IndexFailure('meilisearch', 'refused', code);
      },
    },
  };
}

const items = (count: number, change: (name: number) => Partial<Item> = () => ({})): Item[] =>
  Array.from({ length: count }, (_, name) => ({ name, bytes: 10, ...change(name) }));

describe('sending in slices', () => {
  test('keeps requests within the count and the bytes, and makes no item before its turn', async () => {
    const { slicing, requests } = index();
    const made: number[] = [];
    function* lazily() {
      for (const item of items(8, (name) => (name > 4 ? { bytes: 90 } : {}))) {
        made.push(requests.length);
        yield item;
      }
    }
    expect(await sendInSlices(lazily(), slicing)).toEqual([]);
    expect(requests).toEqual([[0, 1, 2, 3], [4, 5], [6], [7]]);
    expect(made).toEqual([0, 0, 0, 0, 0, 1, 1, 2]);
  });

  test('sends an item over the bound by itself', async () => {
    const { slicing, requests } = index();
    await sendInSlices(
      items(3, (name) => (name === 1 ? { bytes: 500 } : {})),
      slicing,
    );
    expect(requests).toEqual([[0], [1], [2]]);
  });

  test('halves a refused slice until the item at fault is alone, and sends the others', async () => {
    const { slicing, requests } = index();
    const refused = await sendInSlices(
      items(8, (name) => ({ bad: name === 6 })),
      slicing,
    );
    expect(refused.map(({ name }) => name)).toEqual([6]);
    expect(requests).toEqual([[0, 1, 2, 3], [4, 5, 6, 7], [4, 5], [6, 7], [6], [7]]);
  });

  test('sends at most two requests per item, however many are refused', async () => {
    const { slicing, requests } = index();
    const refused = await sendInSlices(
      items(400, () => ({ bad: true })),
      slicing,
    );
    expect(refused).toHaveLength(400);
    expect(requests.length).toBeLessThan(8 * 7 + 400 / 4);
  });

  test('does not halve for an index that refuses everything, or is away', async () => {
    const { slicing, requests } = index('index_not_found');
    const sent = sendInSlices(
      items(4, () => ({ bad: true })),
      slicing,
    );
    await expect(sent).rejects.toMatchObject({ reason: 'refused', code: 'index_not_found' });
    expect(requests).toHaveLength(1);
    const away = { ...slicing, send: () => Promise.reject(new IndexFailure('qdrant', 'away')) };
    await expect(sendInSlices(items(4), away)).rejects.toMatchObject({ reason: 'away' });
  });
});
