import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { roomAt, watchDisks, type DiskRoom } from '../../../runtime/telemetry/disk-metrics.ts';
import { parsePrometheus } from '../../support/prometheus.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-disk-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a folder that will be made later has the room of the folder above it', async () => {
  const { freeBytes, sizeBytes } = await roomAt(join(folder, 'blobs', 'inner'));
  expect(freeBytes).toBeGreaterThan(0);
  expect(sizeBytes).toBe((await roomAt(folder)).sizeBytes);
  expect(freeBytes).toBeLessThanOrEqual(sizeBytes);
});

test('room is shown by place, asked once in five seconds, and absent while the disk does not answer', async () => {
  const registry = new Registry();
  let ms = 0;
  let asked = 0;
  let room: () => Promise<DiskRoom> = async () => ({ freeBytes: 40, sizeBytes: 100 });
  const readings = watchDisks(
    registry,
    { data: '/data', blobs: null },
    () => ms,
    () => {
      asked += 1;
      return room();
    },
  );
  const scrape = async () => {
    await readings();
    return parsePrometheus(await registry.metrics());
  };
  const seen = await scrape();
  expect(seen.sum('vouch_disk_free_bytes', { place: 'data' })).toBe(40);
  expect(seen.sum('vouch_disk_size_bytes', { place: 'data' })).toBe(100);
  expect(seen.sum('vouch_disk_free_bytes', { place: 'blobs' })).toBeNull();
  ms = 4_999;
  await scrape();
  expect(asked).toBe(1);
  room = () => Promise.reject(new Error('stale handle'));
  ms = 5_000;
  expect((await scrape()).sum('vouch_disk_free_bytes')).toBeNull();
});
