/**
 * How many anchors a drain holds at a time. It takes more whenever it has room, so that slow anchors leave room for
 * others. Anchors that failed before, or that an earlier drain lost, get little of the room.
 */

/** A multiple of the calls that a provider gets at a time, so that the provider never waits for anchors. */
const MOST_HELD = 100;
/** One transaction's worth of statements; a drain that is cut off while it takes anchors loses no more than this. */
const MOST_TAKEN_AT_ONCE = 50;
/** With less room the drain takes nothing, so that it takes neighbours, and asks about them, together. */
const LEAST_ROOM = 10;
/** Anchors that failed before are likely to fail again, and to take long for it. */
const MOST_FAILED_HELD = 16;
/**
 * One of the anchors that a lost drain held may have ended its process. A drain holds few such anchors, and holds an
 * anchor that was lost twice alone, so that the one at fault is known after three lost drains.
 */
const MOST_LOST_HELD = 8;
/**
 * Bytes of the held messages and their windows together. In memory they take a multiple of it, for each drain of a
 * process. A single message with its window may have more: it is held alone.
 */
const MOST_HELD_BYTES = 4 * 1024 * 1024;

/** An anchor that a drain holds. */
export interface HeldAnchor {
  readonly sessionId: string;
  /** Chunks of a document wait for no other chunk. */
  readonly isChunk: boolean;
  /** It failed before. */
  readonly failed: boolean;
  /** Holds in a row that ended without an outcome. */
  readonly lostHolds: number;
  /** Of its message and the window that it is read with. */
  readonly bytes: number;
}

/** What a drain may take in addition to what it holds. */
export interface HoldRoom {
  readonly anchors: number;
  readonly failed: number;
  /** Anchors that were lost once. */
  readonly lost: number;
  /** Whether one that was lost more than once may join. */
  readonly mayBeAlone: boolean;
  readonly bytes: number;
  /** Sessions to take nothing from: a session is worked on once at a time. */
  readonly busySessions: readonly string[];
  readonly holdsAny: boolean;
}

/** Room for at most `limit` anchors beside `held`; null when there is none. */
export function roomBeside(held: Iterable<HeldAnchor>, limit: number): HoldRoom | null {
  const anchors = [...held];
  const bytes = MOST_HELD_BYTES - anchors.reduce((sum, anchor) => sum + anchor.bytes, 0);
  const free = MOST_HELD - anchors.length;
  const most = Math.min(limit, MOST_TAKEN_AT_ONCE, free);
  if (most <= 0 || bytes <= 0 || free < LEAST_ROOM) return null;
  const many = (matches: (anchor: HeldAnchor) => boolean): number => anchors.filter(matches).length;
  return {
    anchors: most,
    failed: Math.max(0, MOST_FAILED_HELD - many(({ failed }) => failed)),
    lost: Math.max(0, MOST_LOST_HELD - many(({ lostHolds }) => lostHolds === 1)),
    mayBeAlone: anchors.every(({ lostHolds }) => lostHolds < 2),
    bytes,
    busySessions: [
      ...new Set(anchors.flatMap(({ isChunk, sessionId }) => (isChunk ? [] : [sessionId]))),
    ],
    holdsAny: anchors.length > 0,
  };
}

/** The room of a drain that holds nothing. */
export function roomFor(anchors: number): HoldRoom {
  return {
    anchors,
    failed: MOST_FAILED_HELD,
    lost: MOST_LOST_HELD,
    mayBeAlone: true,
    bytes: MOST_HELD_BYTES,
    busySessions: [],
    holdsAny: false,
  };
}
