/** Where the data of servers that live for one test run stands. */
import { statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

/** A file system in memory that Linux has. */
const IN_MEMORY = '/dev/shm';
/** A whole test run leaves some two gigabytes there at a time; other programs need memory too. */
const ROOM_BYTES = 8 * 2 ** 30;

/** Bytes that are free in the file system of `path`; 0 where there is none. */
function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/**
 * The folder in memory where it and the machine have eight gigabytes free, else the folder for temporary files. Such
 * servers flush nothing, yet the system writes what they change to the disk after a while, which slows down other tests.
 * `free` has the bytes that are free in the folder in memory, and in memory.
 */
export function ephemeralFolder(
  free: { readonly folder: number; readonly memory: number } = {
    folder: freeBytes(IN_MEMORY),
    memory: freemem(),
  },
): string {
  return Math.min(free.folder, free.memory) >= ROOM_BYTES ? IN_MEMORY : tmpdir();
}
