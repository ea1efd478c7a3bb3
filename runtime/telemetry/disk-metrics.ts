/**
 * Room on the disks that the process sees, read at a scrape. A folder that is not there yet stands for the folder in which it
 * will be made. While a disk does not answer, its figures are absent.
 */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Gauge, type Registry } from 'prom-client';
import { bounded } from '../../operations/health/bounded.ts';
import { keptForScrapes } from './kept-reading.ts';

/** `data`: the folder of the list of promises, `.vouch` of a start by one command; `blobs`: that of original bytes. */
export const DISK_PLACES = ['data', 'blobs'] as const;
export type DiskPlace = (typeof DISK_PLACES)[number];

/** Absolute folders. Null, or left out, where the process keeps nothing there. */
export type DiskFolders = Readonly<Partial<Record<DiskPlace, string | null>>>;

export interface DiskRoom {
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

/** Room on the disk of the folder, for a process without privileges. */
export async function roomAt(folder: string): Promise<DiskRoom> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
  } catch (error) {
    const above = dirname(folder);
    if (Reflect.get(Object(error), 'code') !== 'ENOENT' || above === folder) throw error;
    return roomAt(above);
  }
}

/** The result must be called and awaited before the registry is read. `now` is in monotonic milliseconds. */
export function watchDisks(
  registry: Registry,
  folders: DiskFolders,
  now: () => number = () => performance.now(),
  read: (folder: string) => Promise<DiskRoom> = roomAt,
): () => Promise<void> {
  const registers = [registry];
  const free = new Gauge({
    name: 'vouch_disk_free_bytes',
    help: 'Room on the disk of a folder of this process, as a process without privileges may use it.',
    labelNames: ['place'],
    registers,
  });
  const size = new Gauge({
    name: 'vouch_disk_size_bytes',
    help: 'Size of the disk of a folder of this process.',
    labelNames: ['place'],
    registers,
  });
  const one = async (place: DiskPlace, folder: string): Promise<void> => {
    const room = await bounded(() => read(folder));
    free.remove({ place });
    size.remove({ place });
    if (!room.ok) return;
    free.set({ place }, room.value.freeBytes);
    size.set({ place }, room.value.sizeBytes);
  };
  return keptForScrapes(now, async () => {
    await Promise.all(
      DISK_PLACES.map(async (place) => {
        const folder = folders[place] ?? null;
        if (folder !== null) await one(place, folder);
      }),
    );
  });
}
