import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RECEIPT_NOTE, type ReceiptBody } from '../../../domain/erasure/receipt.ts';
import { NOTHING_ERASED } from '../../../domain/erasure/words.ts';
import { keyIdOf, signReceipt, verifyReceipt } from '../../../engine/erasure/receipts.ts';
import { sized } from '../../support/run.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const AT = '2026-01-02T03:04:05.678Z';

const body: ReceiptBody = {
  receipt: 'vouch-erasure-receipt-1',
  erasure_id: '0198c8c8-0000-7000-8000-00000000000a',
  mode: 'proportionate',
  requested_at: AT,
  verified_at: [AT, AT],
  completed_at: AT,
  erased: { ...NOTHING_ERASED, messages_deleted: 12 },
  manifest_sha256: 'a'.repeat(64),
  note: RECEIPT_NOTE,
};
const receipt = signReceipt(body, privateKey);
const text = JSON.stringify(receipt);

test('a receipt is valid as it was given, however its members are ordered and spaced', () => {
  expect(verifyReceipt(text, publicKey)).toBe('valid');
  const entries = Object.entries(receipt.body).toReversed();
  const other = {
    signature: receipt.signature,
    key_id: receipt.key_id,
    body: Object.fromEntries(entries),
  };
  expect(verifyReceipt(JSON.stringify(other, null, 2), publicKey)).toBe('valid');
});

test('a receipt of which one byte is another one is not valid', () => {
  const bytes = Buffer.from(text, 'utf8');
  fc.assert(
    fc.property(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = Buffer.from(bytes);
      changed[at] = (bytes[at] ?? 0) ^ by;
      const read = changed.toString('utf8');
      // White space between members says nothing; every other byte does.
      const isSame = ((): boolean => {
        try {
          return JSON.stringify(JSON.parse(read)) === text;
        } catch {
          return false;
        }
      })();
      expect(verifyReceipt(read, publicKey) === 'valid').toBe(isSame);
    }),
    { numRuns: sized({ short: 400, long: 2_000 }) },
  );
});

test('a receipt of another key, and what is no receipt, are told apart', () => {
  const other = generateKeyPairSync('ed25519');
  expect(verifyReceipt(text, other.publicKey)).toBe('other_key');
  const forged = { ...signReceipt(body, other.privateKey), key_id: keyIdOf(publicKey) };
  expect(verifyReceipt(JSON.stringify(forged), publicKey)).toBe('changed');
  for (const none of ['', '{}', 'null', text.slice(1)]) {
    expect(verifyReceipt(none, publicKey)).toBe('malformed');
  }
});

test('the key is known by the digest of its public half', () => {
  expect(keyIdOf(privateKey)).toBe(keyIdOf(publicKey));
  expect(receipt.key_id).toMatch(/^[0-9a-f]{64}$/);
});
