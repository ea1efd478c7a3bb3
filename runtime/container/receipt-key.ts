/**
 * The Ed25519 key that signs receipts of erasures: a PEM file that only its owner may read. The first process that
 * signs creates it. If several processes create it at once, one wins and all use its key.
 */
import { createPrivateKey, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PreconditionError } from '../../stores/postgres/precondition-error.ts';

function codeOf(error: unknown): unknown {
  return Reflect.get(Object(error), 'code');
}

function read(path: string): KeyObject | null {
  try {
    const key = createPrivateKey(readFileSync(path));
    if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('another kind of key');
    return key;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new PreconditionError(
      'SERVICE_RECEIPT_KEY_FILE must be a readable PEM file with a private Ed25519 key.',
    );
  }
}

function make(path: string): void {
  const { privateKey } = generateKeyPairSync('ed25519');
  const draft = `${path}.${randomUUID()}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(draft, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  try {
    // A link is made whole or not at all, and never in the place of a file.
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * The key of the file in PEM, for a check of a receipt.
 * @throws PreconditionError where there is none, or the file holds anything else.
 */
export function knownReceiptKeyPem(file: string): string {
  const key = read(resolve(file));
  if (key === null) {
    throw new PreconditionError(
      'This service has signed no receipt yet: SERVICE_RECEIPT_KEY_FILE names no file. Name a public key.',
    );
  }
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/**
 * The private key of the file, which is made where it is missing.
 * @throws PreconditionError for a file that holds anything else.
 */
export function receiptKey(file: string): KeyObject {
  const path = resolve(file);
  const known = read(path);
  if (known !== null) return known;
  make(path);
  const made = read(path);
  if (made === null) throw new PreconditionError('SERVICE_RECEIPT_KEY_FILE cannot be made.');
  return made;
}
