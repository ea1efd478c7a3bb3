/** What the identity and governance-preset operations reach the world through. */
import type { Caller } from '../../domain/identity/caller.ts';
import type { IdentityStores } from '../../stores/postgres/identity/stores.ts';

export interface Passwords {
  hash(password: string, signal: AbortSignal): Promise<string>;
  /** False for a null hash, after as much work as for a real one. */
  verify(passwordHash: string | null, password: string, signal: AbortSignal): Promise<boolean>;
}

/** A new secret: shown once as `text`, stored as `hash`, known as `id`. */
export interface IssuedSecret {
  readonly id: string;
  readonly text: string;
  readonly hash: Uint8Array;
}

export interface SecretIssuer {
  apiKey(): IssuedSecret;
  token(): IssuedSecret;
}

export interface SignInLimits {
  /** Enters an attempt as failed, or says how long to wait. */
  admit(attempt: {
    readonly email: string;
    readonly address: string | null;
    readonly now: Date;
  }): Promise<
    | { readonly admitted: true; readonly attemptId: string }
    | { readonly admitted: false; readonly retryAfterSeconds: number }
  >;
  /** Takes an attempt off the failures: its password was right, or nobody looked at it. */
  forgive(attemptId: string): Promise<void>;
}

export interface IdentityServices {
  /** The caller of a bearer text, or null. At most 5 s old. */
  authenticate(bearer: string): Promise<Caller | null>;
  readonly passwords: Passwords;
  readonly secrets: SecretIssuer;
  readonly signInLimits: SignInLimits;
  readonly policy: {
    readonly passwordTokenTtlMs: number;
    /** Whether new accounts start with the preset `unattended`. */
    readonly unattended: boolean;
  };
  /** The ids of all accounts, oldest first. */
  accountIds(): Promise<readonly string[]>;
  accountIdByKey(key: string): Promise<string | null>;
  loginByEmail(
    email: string,
  ): Promise<{ readonly accountId: string; readonly loginId: string } | null>;
  /** Runs `work` in one transaction under the row security of the account. */
  inAccount<T>(accountId: string, work: (stores: IdentityStores) => Promise<T>): Promise<T>;
  /** Like `inAccount`, under an id nobody has yet. Calls pass one by one, across processes. */
  inNewAccount<T>(work: (stores: IdentityStores, accountId: string) => Promise<T>): Promise<T>;
}
