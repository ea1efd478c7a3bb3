/**
 * The rule of the audit chain of an account. Sealed events have the positions 1, 2, 3 and so on without a gap. The hash
 * of each covers the event, its position and the hash of the event before, so a chain can only be continued, and
 * whoever kept a hash of it can tell later whether everything up to there still stands.
 */

/** An audit event as it is hashed: every column but those of the chain, as exact texts. */
export interface AuditFields {
  readonly account_id: string;
  readonly id: string;
  readonly category: string;
  readonly action: string;
  readonly actor_kind: string;
  readonly actor_peer_id: string | null;
  readonly credential_id: string | null;
  readonly resource_type: string;
  readonly resource_id: string | null;
  /** As the database prints the value: one text for a value. */
  readonly metadata: string;
  /** Lower-case hex. */
  readonly content_hash: string | null;
  /** Seconds since 1970 with six decimals: neither a time zone nor a setting changes it. */
  readonly occurred_at: string;
}

/** A place in a chain. */
export interface ChainPoint {
  /** 0 before the first event. */
  readonly position: number;
  /** SHA-256, lower-case hex. */
  readonly hash: string;
}

export interface SealedEvent extends ChainPoint {
  readonly fields: AuditFields;
}

/** The hash of an event at the position that follows `last`, lower-case hex. */
export type EventDigest = (fields: AuditFields, last: ChainPoint) => string;

/** Where every chain begins. */
export const GENESIS: ChainPoint = { position: 0, hash: '0'.repeat(64) };

/** What is wrong with a chain. */
export type ChainFault =
  /** No event has this position, though later ones were sealed. */
  | 'missing'
  /** Two events have this position. */
  | 'repeated'
  /** The event is not the one that was sealed here. */
  | 'changed'
  /** Another event of the chain was sealed here. */
  | 'reordered'
  /** The database says that the chain went on from here. */
  | 'end_missing'
  /** The database says that the chain ends here, and the events say otherwise. */
  | 'end_differs'
  /** The expected hash is nowhere in the chain. */
  | 'head_missing';

export interface ChainFinding {
  readonly fault: ChainFault;
  readonly position: number;
  /** The event that stands there, if one does. */
  readonly eventId: string | null;
}

/** The hashes of events that are sealed after `last`, in this order. */
export function hashesAfter(
  last: ChainPoint,
  events: readonly AuditFields[],
  digest: EventDigest,
): readonly string[] {
  let point = last;
  return events.map((fields) => {
    point = { position: point.position + 1, hash: digest(fields, point) };
    return point.hash;
  });
}

function faultOf(last: ChainPoint, event: SealedEvent, digest: EventDigest): ChainFault | null {
  if (event.position > last.position + 1) return 'missing';
  if (event.position <= last.position) return 'repeated';
  return digest(event.fields, last) === event.hash ? null : 'changed';
}

export interface FollowedEvents {
  /** The last event that stands where it was sealed. */
  readonly last: ChainPoint;
  readonly finding: ChainFinding | null;
}

/** Follows the chain from `last` through the events, which are in order of their positions, up to the first fault. */
export function follow(
  last: ChainPoint,
  events: readonly SealedEvent[],
  digest: EventDigest,
): FollowedEvents {
  let point = last;
  for (const event of events) {
    const fault = faultOf(point, event, digest);
    if (fault !== null) {
      const position = fault === 'missing' ? point.position + 1 : event.position;
      const eventId = fault === 'missing' ? null : event.fields.id;
      return { last: point, finding: { fault, position, eventId } };
    }
    point = event;
  }
  return { last: point, finding: null };
}

/**
 * Whether one of `others` was sealed after `last`, where `found` stands now: it took its hash along, or left it behind.
 */
export function wasMoved(
  last: ChainPoint,
  found: SealedEvent,
  others: readonly SealedEvent[],
  digest: EventDigest,
): boolean {
  return others.some(({ fields, hash }) => {
    const expected = digest(fields, last);
    return expected === hash || expected === found.hash;
  });
}

/** What the database says of the end of a chain. */
export interface ChainEnd extends ChainPoint {
  /** Events have later positions. */
  readonly goesOn: boolean;
}

/** Compares the last event of a chain that was followed to its end with what the database says of the end. */
export function endFinding(last: ChainPoint, end: ChainEnd): ChainFinding | null {
  if (last.position < end.position) {
    return { fault: 'end_missing', position: last.position + 1, eventId: null };
  }
  if (end.goesOn || last.hash !== end.hash) {
    return { fault: 'end_differs', position: end.position, eventId: null };
  }
  return null;
}
