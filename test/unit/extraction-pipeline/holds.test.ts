import { describe, expect, test } from '@jest/globals';
import { roomBeside, type HeldAnchor } from '../../../domain/extraction/holds.ts';

function held(count: number, values: Partial<HeldAnchor> = {}): HeldAnchor[] {
  return Array.from({ length: count }, (_, n) => ({
    sessionId: `s${n}`,
    isChunk: false,
    failed: false,
    lostHolds: 0,
    bytes: 100,
    ...values,
  }));
}

describe('a drain has room', () => {
  test('for one transaction at a time, for no more than asked, and for none while it is full', () => {
    expect(roomBeside([], 1_000)).toMatchObject({ anchors: 50, holdsAny: false });
    expect(roomBeside([], 3)).toMatchObject({ anchors: 3 });
    expect(roomBeside(held(80), 1_000)).toMatchObject({ anchors: 20, holdsAny: true });
    expect(roomBeside(held(100), 1_000)).toBeNull();
    expect(roomBeside([], 0)).toBeNull();
  });

  test('for neighbours together only', () => {
    expect(roomBeside(held(90), 1_000)).toMatchObject({ anchors: 10 });
    expect(roomBeside(held(91), 1_000)).toBeNull();
  });

  test('for the bytes that are left', () => {
    const four = 4 * 1024 * 1024;
    expect(roomBeside([], 50)?.bytes).toBe(four);
    expect(roomBeside(held(2, { bytes: 1024 * 1024 }), 50)?.bytes).toBe(four / 2);
    expect(roomBeside(held(1, { bytes: 6 * 1024 * 1024 }), 50)).toBeNull();
  });

  test('for few that failed before, and for none beyond them', () => {
    expect(roomBeside([], 50)?.failed).toBe(16);
    expect(roomBeside(held(20, { failed: true }), 50)).toMatchObject({ failed: 0, anchors: 50 });
  });

  test('for eight that were lost once, and for a single one that was lost more often', () => {
    expect(roomBeside(held(5, { lostHolds: 1 }), 50)).toMatchObject({ lost: 3, mayBeAlone: true });
    expect(roomBeside(held(1, { lostHolds: 2 }), 50)).toMatchObject({
      lost: 8,
      mayBeAlone: false,
    });
  });

  test('for no session that it holds, and for every chunk of a document', () => {
    expect(roomBeside(held(2), 50)?.busySessions).toEqual(['s0', 's1']);
    expect(roomBeside(held(2, { isChunk: true }), 50)?.busySessions).toEqual([]);
  });
});
