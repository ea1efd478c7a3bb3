/** Makes bearer secrets and their hashes. SHA-256 is enough, because 256 random bits cannot be guessed. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { formatBrowserSession } from '../../domain/identity/browser-session.ts';
import { formatApiKey, formatToken } from './secret-text.ts';
import type { IssuedSecret, SecretIssuer } from '../../operations/environment/secrets.ts';

const RANDOM_BYTES = 32;

/** The SHA-256 under which a secret is stored. */
export function hashSecret(text: string): Uint8Array {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** A hash that cannot be reproduced without the key, for e-mail and network addresses of sign-in attempts. */
export function keyedHash(key: Uint8Array, label: string, text: string): Uint8Array {
  return createHmac('sha256', key).update(`${label}\0${text}`, 'utf8').digest();
}

/** Of a person, in the form that its use has. */
function ofPerson(format: (random: string) => string): IssuedSecret {
  const text = format(randomBytes(RANDOM_BYTES).toString('base64url'));
  return { id: uuidv7(), text, hash: hashSecret(text) };
}

export function createSecretIssuer(): SecretIssuer {
  return {
    apiKey() {
      const id = uuidv7();
      const text = formatApiKey(id, randomBytes(RANDOM_BYTES));
      return { id, text, hash: hashSecret(text) };
    },
    token: () => ofPerson(formatToken),
    browserSession: () => ofPerson(formatBrowserSession),
  };
}
