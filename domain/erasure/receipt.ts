/** What a person is given at the end of an erasure. It holds no content, and no id that leads to a person. */
import type { ERASURE_RECEIPT } from '../identities.ts';
import type { ErasedCounts, ErasureMode } from './words.ts';

/** Instants are ISO 8601 UTC. */
export interface ReceiptBody {
  readonly receipt: typeof ERASURE_RECEIPT;
  readonly erasure_id: string;
  readonly mode: ErasureMode;
  readonly requested_at: string;
  /** When the service had read all stores back twice and found nothing. */
  readonly verified_at: readonly [string, string];
  readonly completed_at: string;
  readonly erased: ErasedCounts;
  /** SHA-256 over the ids of everything that was erased, in order, one a line; lower-case hex. */
  readonly manifest_sha256: string;
  readonly note: string;
}

export interface SignedReceipt {
  readonly body: ReceiptBody;
  /** SHA-256 of the public key (SPKI, DER), lower-case hex. */
  readonly key_id: string;
  /** The Ed25519 signature of the body in canonical JSON (RFC 8785), in base64url. */
  readonly signature: string;
}

/** What a receipt does not promise. */
export const RECEIPT_NOTE =
  'Erased from the database, the search indexes and the document store of this service. Deletion is logical: freed disk pages and backups are overwritten in the course of their own retention. Others may go on sending observations about anybody; a key that is named again is a new peer without a link to the erased one.';
