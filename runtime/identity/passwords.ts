/**
 * Password hashing: argon2id with 19 MiB, two passes and one lane, the first of OWASP's equivalent
 * recommendations (Password Storage Cheat Sheet). Two hashes at a time bound the memory to 38 MiB and leave
 * libuv's other two threads for files and name look-ups; the queue of waiting hashes is bounded.
 */
import { hash, verify } from '@node-rs/argon2';
import { Refusal } from '../../domain/errors.ts';
import { normalisePassword } from '../../domain/identity/password.ts';
import { createSemaphore } from '../../engine/semaphore.ts';
import type { Passwords } from '../../operations/environment/secrets.ts';

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const CONCURRENT_HASHES = 2;
const WAITING_HASHES = 64;

/** Checked when there is no hash, at the same cost. No password matches it, because its digest is all zeros. */
export const NOBODYS_HASH = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Throws `rate_limited` when more than 64 hashes wait already. */
export function createPasswords(): Passwords {
  const slots = createSemaphore(CONCURRENT_HASHES);
  let unfinished = 0;

  const inSlot = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    if (unfinished >= CONCURRENT_HASHES + WAITING_HASHES) {
      throw new Refusal('rate_limited', { retryAfterSeconds: 1 });
    }
    unfinished += 1;
    try {
      return await slots.run(signal, work);
    } finally {
      unfinished -= 1;
    }
  };

  return {
    hash: (password, signal) => inSlot(signal, () => hash(normalisePassword(password), PARAMETERS)),
    verify: (passwordHash, password, signal) =>
      inSlot(signal, () => verify(passwordHash ?? NOBODYS_HASH, normalisePassword(password))),
  };
}
