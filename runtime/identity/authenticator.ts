/**
 * Resolves a bearer text to a caller and remembers it for at most 4 seconds, counted from before the database was
 * asked. One more second is left for the request itself, so that a revocation is effective everywhere within 5.
 *
 * An answer of the database that took longer than that is not used, whoever waits for it: the database is asked again.
 *
 * Only hits are remembered. A text with a wrong checksum never reaches the database. A well-formed guess costs one
 * indexed look-up; remembering it would let guesses push real callers out of the cache.
 * Requests that arrive together with the same credential share one look-up.
 */
import { LRUCache } from 'lru-cache';
import { Refusal } from '../../domain/errors.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { isWellFormedSecret } from './secret-text.ts';
import { hashSecret } from './secrets.ts';

const REMEMBERED_MS = 4_000;
const REMEMBERED_CALLERS = 10_000;
/** Times that a slow database is asked for one credential. */
const MOST_LOOK_UPS = 3;

export interface Clock {
  /** The wall clock, for expiry. */
  now(): Date;
  /** Milliseconds that never run backwards, for age. */
  monotonicMs(): number;
}

export interface AuthenticatorDependencies {
  readonly clock: Clock;
  resolve(
    secretHash: Uint8Array,
    now: Date,
  ): Promise<{ readonly caller: Caller; readonly expiresAt: Date | null } | null>;
}

interface Remembered {
  readonly caller: Caller;
  readonly expiresAt: Date | null;
  readonly since: number;
}

export function createAuthenticator(
  dependencies: AuthenticatorDependencies,
): (bearer: string) => Promise<Caller | null> {
  const { clock } = dependencies;
  const remembered = new LRUCache<string, Remembered>({ max: REMEMBERED_CALLERS });
  const underWay = new Map<string, Promise<Caller | null>>();

  const isOld = ({ since }: Pick<Remembered, 'since'>): boolean =>
    clock.monotonicMs() - since >= REMEMBERED_MS;
  const isExpired = ({ expiresAt }: Pick<Remembered, 'expiresAt'>): boolean =>
    expiresAt !== null && expiresAt <= clock.now();

  const recall = (key: string): Caller | null => {
    const entry = remembered.get(key);
    if (entry === undefined) return null;
    if (!isOld(entry) && !isExpired(entry)) return entry.caller;
    remembered.delete(key);
    return null;
  };

  const lookUp = async (key: string, secretHash: Uint8Array): Promise<Caller | null> => {
    for (let lookUps = 1; lookUps <= MOST_LOOK_UPS; lookUps += 1) {
      const since = clock.monotonicMs();
      const found = await dependencies.resolve(secretHash, clock.now());
      if (found === null || isExpired(found)) return null;
      if (isOld({ since })) continue;
      remembered.set(key, { ...found, since });
      return found.caller;
    }
    throw new Refusal('unavailable');
  };

  return async (bearer) => {
    if (!isWellFormedSecret(bearer)) return null;
    const secretHash = hashSecret(bearer);
    const key = Buffer.from(secretHash).toString('base64');
    const known = recall(key) ?? underWay.get(key);
    if (known !== undefined) return known;
    const looking = lookUp(key, secretHash).finally(() => underWay.delete(key));
    underWay.set(key, looking);
    return looking;
  };
}
