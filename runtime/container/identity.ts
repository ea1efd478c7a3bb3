/** Builds what the identity operations need, on the pool of the process. */
import { sql } from 'slonik';
import type { IdentityServices } from '../../operations/identity/ports.ts';
import { withRefusals } from '../../stores/postgres/errors.ts';
import { newAccountId } from '../../stores/postgres/identity/accounts.store.ts';
import { resolveCaller } from '../../stores/postgres/identity/caller.store.ts';
import {
  lookupAccountId,
  lookupAccountIds,
  lookupLogin,
} from '../../stores/postgres/identity/directory.ts';
import {
  admitSignIn,
  forgiveSignIn,
} from '../../stores/postgres/identity/sign-in-attempts.store.ts';
import { createIdentityStores } from '../../stores/postgres/identity/stores.ts';
import { withAccount, type Queryable } from '../../stores/postgres/pool.ts';
import { createAuthenticator, type Clock } from '../identity/authenticator.ts';
import { createPasswords } from '../identity/passwords.ts';
import { createSecretIssuer, keyedHash } from '../identity/secrets.ts';

export interface IdentityDependencies {
  readonly db: Queryable;
  /** Keys the hashes of e-mails and addresses in sign-in attempts; the same in every process, 32 bytes. */
  readonly attemptHashKey: Uint8Array;
  readonly passwordTokenTtlMs: number;
  readonly unattended: boolean;
  /** The system's clocks unless a test says otherwise. */
  readonly clock?: Clock;
}

const SYSTEM_CLOCK: Clock = { now: () => new Date(), monotonicMs: () => performance.now() };
const NEW_ACCOUNT_LOCK = 0x7663_6e61;

export function buildIdentityServices(dependencies: IdentityDependencies): IdentityServices {
  const { db, attemptHashKey } = dependencies;
  return {
    authenticate: createAuthenticator({
      clock: dependencies.clock ?? SYSTEM_CLOCK,
      resolve: (secretHash, now) => withRefusals(() => resolveCaller(db, secretHash, now)),
    }),
    passwords: createPasswords(),
    secrets: createSecretIssuer(),
    signInLimits: {
      admit: ({ email, address, now }) =>
        withRefusals(() =>
          admitSignIn(
            db,
            {
              emailHash: keyedHash(attemptHashKey, 'email', email),
              addressHash: address === null ? null : keyedHash(attemptHashKey, 'address', address),
            },
            now,
          ),
        ),
      forgive: (attemptId) => withRefusals(() => forgiveSignIn(db, attemptId)),
    },
    policy: {
      passwordTokenTtlMs: dependencies.passwordTokenTtlMs,
      unattended: dependencies.unattended,
    },
    accountIds: () => withRefusals(() => lookupAccountIds(db)),
    accountIdByKey: (key) => withRefusals(() => lookupAccountId(db, key)),
    loginByEmail: (email) => withRefusals(() => lookupLogin(db, email)),
    inAccount: (accountId, work) =>
      withRefusals(() =>
        withAccount(db, accountId, (tx) => work(createIdentityStores(tx, accountId))),
      ),
    inNewAccount: (work) => {
      const accountId = newAccountId();
      return withRefusals(() =>
        withAccount(db, accountId, async (tx) => {
          await tx.query(sql.unsafe`select pg_advisory_xact_lock(${NEW_ACCOUNT_LOCK})`);
          return work(createIdentityStores(tx, accountId), accountId);
        }),
      );
    },
  };
}
