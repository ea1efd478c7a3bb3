/** How failures of a request to an index leave the stores. */
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { asking as askingMeilisearch } from '../../../stores/meilisearch/client.ts';
import { asking as askingQdrant } from '../../../stores/qdrant/client.ts';

const ends = (name: string): unknown =>
  runInNewContext(`Object.assign(new Error('over'), { name: '${name}' })`);

describe.each([
  ['Qdrant', askingQdrant],
  ['Meilisearch', askingMeilisearch],
])('a request to %s', (_, asking) => {
  test.each(['TimeoutError', 'AbortError'])(
    'that a signal ended (%s) took too long',
    async (name) => {
      const thrown = ends(name);
      expect(thrown instanceof Error).toBe(false);
      await expect(asking(() => Promise.reject(thrown))).rejects.toMatchObject({
        reason: 'timeout',
      });
    },
  );

  test('that found nobody says that the index is away', async () => {
    const refused = new TypeError('fetch failed', { cause: ends('Error') });
    for (const thrown of [refused, null, 'text']) {
      await expect(asking(() => Promise.reject(thrown))).rejects.toMatchObject({ reason: 'away' });
    }
  });
});
