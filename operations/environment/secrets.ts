/** Secrets of people and agents: passwords, keys and tokens, and how often a sign-in may be tried. */
import type { Admission } from '../../stores/postgres/identity/sign-in-attempts.store.ts';

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
  /** Of a browser session: never a bearer token. */
  browserSession(): IssuedSecret;
}

export interface SignInLimits {
  /** Enters an attempt as failed, or says how long to wait. */
  admit(attempt: {
    readonly email: string;
    readonly address: string | null;
    readonly now: Date;
  }): Promise<Admission>;
  /** Takes an attempt off the failures: its password was right, or was not checked. */
  forgive(attemptId: string): Promise<void>;
}
