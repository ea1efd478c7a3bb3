/**
 * Trace ids: 32 lowercase hex digits, never all zero. A caller's own is kept when it arrives in a valid
 * W3C `traceparent` header of version 00.
 */

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;
const ALL_ZERO = /^0+$/;

/** The trace id of a `traceparent` header, or null when the header is absent or not valid. */
export function parseTraceparent(header: string | undefined): string | null {
  const match = header === undefined ? null : TRACEPARENT.exec(header);
  const traceId = match?.[1];
  const parentId = match?.[2];
  if (traceId === undefined || parentId === undefined) return null;
  return ALL_ZERO.test(traceId) || ALL_ZERO.test(parentId) ? null : traceId;
}
