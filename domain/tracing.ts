/**
 * Trace ids: 32 lowercase hex digits, never all zero. A caller's own is kept when it arrives in a valid
 * W3C `traceparent` header of version 00.
 */

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const ALL_ZERO = /^0+$/;
const SAMPLED = 1;

/** The caller's span that a request continues. */
export interface TraceParent {
  readonly traceId: string;
  /** 16 lowercase hex digits. */
  readonly spanId: string;
  /** Whether the caller records its trace. */
  readonly sampled: boolean;
}

/** What a `traceparent` header says, or null when the header is absent or not valid. */
export function parseTraceparent(header: string | undefined): TraceParent | null {
  const match = header === undefined ? null : TRACEPARENT.exec(header);
  const traceId = match?.[1];
  const spanId = match?.[2];
  if (traceId === undefined || spanId === undefined) return null;
  if (ALL_ZERO.test(traceId) || ALL_ZERO.test(spanId)) return null;
  return { traceId, spanId, sampled: (Number.parseInt(match?.[3] ?? '', 16) & SAMPLED) !== 0 };
}
