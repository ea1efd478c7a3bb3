/** Signs and verifies receipts: Ed25519 (RFC 8032) over canonical JSON (RFC 8785). */
import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ReceiptBody, SignedReceipt } from '../../domain/erasure/receipt.ts';
import { signedReceipt } from './receipt-shape.ts';

/** The bytes that are signed. */
function bytesOf(body: ReceiptBody): Buffer {
  const text = canonicalize(body);
  if (text === undefined) throw new TypeError('a receipt is JSON');
  return Buffer.from(text, 'utf8');
}

/** SHA-256 of the public key (SPKI, DER), lower-case hex. Takes a private key as well. */
export function keyIdOf(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('hex');
}

/** Signs the body with a private Ed25519 key. */
export function signReceipt(body: ReceiptBody, privateKey: KeyObject): SignedReceipt {
  const signature = sign(null, bytesOf(body), privateKey).toString('base64url');
  return { body, key_id: keyIdOf(privateKey), signature };
}

export type ReceiptVerdict = 'valid' | 'malformed' | 'other_key' | 'changed';

/** Judges the text of a receipt by a public Ed25519 key. Needs nothing but the two. */
export function verifyReceipt(text: string, publicKey: KeyObject): ReceiptVerdict {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return 'malformed';
  }
  const receipt = signedReceipt.safeParse(parsed);
  if (!receipt.success) return 'malformed';
  const { body, key_id: keyId, signature } = receipt.data;
  if (keyId !== keyIdOf(publicKey)) return 'other_key';
  const signed = Buffer.from(signature, 'base64url');
  // The last character holds bits that mean nothing: only one spelling of a signature counts.
  const isSpelledOnce = signed.toString('base64url') === signature;
  const isValid = isSpelledOnce && verify(null, bytesOf(body), publicKey, signed);
  return isValid ? 'valid' : 'changed';
}
