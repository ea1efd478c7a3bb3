/** The form of a receipt, as JSON. */
import { z } from 'zod';
import { ERASED_KINDS, ERASURE_MODES, type ErasedKind } from '../../domain/erasure/words.ts';
import { ERASURE_RECEIPT } from '../../domain/identities.ts';

const counts = Object.fromEntries(ERASED_KINDS.map((kind) => [kind, z.int().min(0)])) as Readonly<
  Record<ErasedKind, z.ZodInt>
>;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const receiptBody = z.strictObject({
  receipt: z.literal(ERASURE_RECEIPT),
  erasure_id: z.uuid(),
  mode: z.enum(ERASURE_MODES),
  requested_at: z.iso.datetime(),
  verified_at: z
    .tuple([z.iso.datetime(), z.iso.datetime()])
    .describe('When the service had read all stores back twice and found nothing.'),
  completed_at: z.iso.datetime(),
  erased: z.strictObject(counts).describe('How many rows of each kind the service erased.'),
  manifest_sha256: sha256.describe(
    'The SHA-256 of the ids of all erased rows, in order, one id a line.',
  ),
  note: z.string(),
});

export const signedReceipt = z
  .strictObject({
    body: receiptBody,
    key_id: sha256.describe('SHA-256 of the public key (SPKI, DER).'),
    signature: z
      .string()
      .regex(/^[A-Za-z0-9_-]{86}$/)
      .describe('The Ed25519 signature of the body in canonical JSON (RFC 8785), in base64url.'),
  })
  .meta({ id: 'ErasureReceipt', description: 'The signed receipt of an erasure.' });
