/** The hash of an audit event: SHA-256 over canonical JSON (RFC 8785). */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { EventDigest } from '../../domain/audit/chain.ts';
import { AUDIT_CHAIN_IDENTITY } from '../../domain/identities.ts';

/** The bytes that are hashed: the event, the position it takes, and the hash that stands before it. */
export const eventDigest: EventDigest = (fields, last) => {
  const text = canonicalize({
    chain: AUDIT_CHAIN_IDENTITY,
    position: last.position + 1,
    previous_hash: last.hash,
    ...fields,
  });
  if (text === undefined) throw new TypeError('an audit event is JSON');
  return createHash('sha256').update(text, 'utf8').digest('hex');
};
