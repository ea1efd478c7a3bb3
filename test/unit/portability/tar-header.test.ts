/** Headers of members: what an export writes is read, and nothing else. */
import { describe, expect, test } from '@jest/globals';
import {
  decodeTarHeader,
  encodeTarHeader,
  isTarEnd,
} from '../../../domain/portability/tar-header.ts';

const NAME = 'resources/messages.jsonl';

/** A header with other bytes at a place, and with the sum that fits them. */
function changed(at: number, bytes: string): Uint8Array {
  const block = encodeTarHeader({ name: NAME, size: 5 });
  block.set(new TextEncoder().encode(bytes), at);
  block.set(new TextEncoder().encode(' '.repeat(8)), 148);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
  return block;
}

describe('a header of a member', () => {
  test.each([0, 1, 511, 512, 8 ** 11 - 1, 8 ** 11, 2 ** 45])('is read with %d bytes', (size) => {
    expect(decodeTarHeader(encodeTarHeader({ name: NAME, size }))).toEqual({ name: NAME, size });
  });

  test.each([
    ['1', 'a link'],
    ['2', 'a link'],
    ['3', 'a device'],
    ['5', 'a folder'],
    ['6', 'a pipe'],
  ])('of type %s is refused', (type, what) => {
    expect(() => decodeTarHeader(changed(156, type))).toThrow(`${NAME} is ${what}`);
  });

  test.each([
    ['an extended header', 156, 'x'],
    ['a global header', 156, 'g'],
    ['a long name', 156, 'L'],
    ['a sparse file', 156, 'S'],
    ['another mode', 100, '0000777'],
    ['an owner', 108, '0001750'],
    ['a time', 136, '14000000000'],
    ['a target of a link', 157, '/etc/passwd'],
    ['a prefix', 345, '/etc'],
    ['another magic', 257, 'gnu  '],
    ['a negative size', 124, '-0000000005'],
  ])('with %s is refused', (_what, at, bytes) => {
    expect(() => decodeTarHeader(changed(at, bytes))).toThrow('was not written by an export');
  });

  test('with any other byte is refused', () => {
    const block = encodeTarHeader({ name: NAME, size: 5 });
    for (let at = 0; at < block.length; at += 1) {
      const damaged = block.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      // One bit more in a name or a size is another name or size, which the sum does not fit.
      expect(() => decodeTarHeader(damaged)).toThrow();
    }
  });

  test('shows no name that nobody would write', () => {
    const block = encodeTarHeader({ name: NAME, size: 5 });
    block.set(new TextEncoder().encode('\u001B[2J'), 0);
    expect(() => decodeTarHeader(block)).toThrow('a member with a strange name');
  });

  test('is no end, and zeros are one', () => {
    expect(isTarEnd(encodeTarHeader({ name: NAME, size: 0 }))).toBe(false);
    expect(isTarEnd(new Uint8Array(512))).toBe(true);
  });
});
