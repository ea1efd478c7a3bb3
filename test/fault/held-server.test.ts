/** How outage tests stop and start single servers. */
import { afterEach, expect, test } from '@jest/globals';
import { holdServer, type HeldServer } from './harness/held-server.ts';

const held: HeldServer[] = [];

afterEach(async () => {
  for (const server of held.splice(0)) await server.close();
});

async function collections({ settings }: HeldServer): Promise<unknown> {
  const response = await fetch(`${settings['QDRANT_URL']}/collections`, {
    headers: { 'api-key': settings['QDRANT_API_KEY'] ?? '' },
  });
  return response.json();
}

async function makeCollection({ settings }: HeldServer): Promise<void> {
  const response = await fetch(`${settings['QDRANT_URL']}/collections/kept`, {
    method: 'PUT',
    headers: { 'api-key': settings['QDRANT_API_KEY'] ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ vectors: { size: 2, distance: 'Cosine' } }),
  });
  expect(response.status).toBe(200);
}

test('a held server stays away, comes back with its data, or without', async () => {
  const qdrant = await holdServer('qdrant');
  held.push(qdrant);
  await makeCollection(qdrant);
  expect(() => qdrant.loseData()).toThrow('qdrant runs');
  await qdrant.away();
  await expect(collections(qdrant)).rejects.toThrow();
  await qdrant.back();
  expect(await collections(qdrant)).toMatchObject({ result: { collections: [{ name: 'kept' }] } });
  await qdrant.away();
  qdrant.loseData();
  await qdrant.back();
  expect(await collections(qdrant)).toMatchObject({ result: { collections: [] } });
});
