/** Authentication: bearer texts, passwords, secrets and sign-in limits, on the pool of the process. */
import { isBrowserSessionText } from '../../domain/identity/browser-session.ts';
import { isWellFormedSecret } from '../identity/secret-text.ts';
import type { Environment } from '../../operations/environment/environment.ts';
import { withRefusals } from '../../stores/postgres/errors.ts';
import { CallerStore } from '../../stores/postgres/identity/caller.store.ts';
import { BrowserSessionCallerStore } from '../../stores/postgres/identity/browser-sessions.store.ts';
import { SignInAttemptsStore } from '../../stores/postgres/identity/sign-in-attempts.store.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import { createAuthenticator, type Clock } from '../identity/authenticator.ts';
import { createPasswords } from '../identity/passwords.ts';
import { createSecretIssuer, hashSecret, keyedHash } from '../identity/secrets.ts';

export interface IdentityDependencies {
  readonly db: Queryable;
  /** The key that hashes e-mail and network addresses in sign-in attempts; the same in every process, 32 bytes. */
  readonly attemptHashKey: Uint8Array;
  /** The system's clocks unless a test says otherwise. */
  readonly clock?: Clock | undefined;
}

type Identity = Pick<
  Environment,
  | 'authenticate'
  | 'authenticateErased'
  | 'passwords'
  | 'secrets'
  | 'browserSessions'
  | 'signInLimits'
>;

const SYSTEM_CLOCK: Clock = { now: () => new Date(), monotonicMs: () => performance.now() };

function buildBrowserSessions(db: Queryable, clock: Clock): Environment['browserSessions'] {
  const callers = new CallerStore(db);
  const browserSessions = new BrowserSessionCallerStore(db);
  const caller = async (text: string) =>
    isBrowserSessionText(text)
      ? withRefusals(() => browserSessions.resolve(hashSecret(text), clock.now()))
      : null;
  return {
    caller,
    async callerErased(text) {
      if (!isBrowserSessionText(text)) return null;
      return (await withRefusals(() => callers.erased(hashSecret(text)))) ?? caller(text);
    },
  };
}

export function buildIdentity({ db, attemptHashKey, clock }: IdentityDependencies): Identity {
  const callers = new CallerStore(db);
  const attempts = new SignInAttemptsStore(db);
  const authenticate = createAuthenticator({
    clock: clock ?? SYSTEM_CLOCK,
    resolve: (secretHash, now) => withRefusals(() => callers.resolve(secretHash, now)),
  });
  return {
    authenticate,
    async authenticateErased(bearer) {
      if (!isWellFormedSecret(bearer)) return null;
      const erased = await withRefusals(() => callers.erased(hashSecret(bearer)));
      return erased ?? authenticate(bearer);
    },
    browserSessions: buildBrowserSessions(db, clock ?? SYSTEM_CLOCK),
    passwords: createPasswords(),
    secrets: createSecretIssuer(),
    signInLimits: {
      admit: ({ email, address, now }) =>
        withRefusals(() =>
          attempts.admit(
            {
              emailHash: keyedHash(attemptHashKey, 'email', email),
              addressHash: address === null ? null : keyedHash(attemptHashKey, 'address', address),
            },
            now,
          ),
        ),
      forgive: (attemptId) => withRefusals(() => attempts.forgive(attemptId)),
    },
  };
}
