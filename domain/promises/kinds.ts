/**
 * What people were promised would not come back: data that was erased or taken away, and rights that ended. The service
 * keeps each promise in a list outside of the database, so that a database of an earlier day can be held to it.
 *
 * A promise holds ids, times and words of closed lists. It never holds a text that somebody chose: a path of a scope
 * stands in it as a keyed hash.
 */
import { ERASURE_MODES } from '../erasure/words.ts';
import { ROLES } from '../identity/roles.ts';

/** How a statement was taken from its readers by a person, or because nobody answered its subject. */
export const WITHDRAWN_AS = ['contested', 'withheld', 'rejected'] as const;
export type WithdrawnAs = (typeof WITHDRAWN_AS)[number];

/**
 * The fields of each kind. `id` is a UUID, `time` an instant in ISO 8601 UTC, `hash` 64 lower-case hex digits; a list
 * holds the words that are allowed. A question mark allows null.
 */
export const PROMISE_FIELDS = {
  /** Everything by and about a person goes. `credential_id` asked for it and may read how it stands. */
  erasure: { erasure_id: 'id', peer_id: 'id', credential_id: 'id?', mode: ERASURE_MODES },
  /** The text of a statement is gone for everybody, by the word of its subject. */
  redaction: { knowledge_id: 'id' },
  /** Nobody but those who still decide about the statement reads it. */
  withdrawal: { knowledge_id: 'id', as: WITHDRAWN_AS },
  /** A speaker took back what it had said: it attests the statement no more. */
  attestation_withdrawn: { knowledge_id: 'id', peer_id: 'id' },
  document_withdrawn: { document_id: 'id', version_id: 'id', peer_id: 'id?', credential_id: 'id?' },
  /** The subject does not agree that a statement is read in a scope. */
  consent_denied: { consent_id: 'id', knowledge_id: 'id', scope_id: 'id' },
  /** One of peer and key holds it. `scope_id` is null where the scope had no row; `path_hash` is keyed. */
  grant_denied: {
    grant_id: 'id',
    peer_id: 'id?',
    credential_id: 'id?',
    scope_id: 'id?',
    path_hash: 'hash',
    role: ROLES,
    propagate: 'flag',
  },
  grant_removed: { grant_id: 'id' },
  /** The grant gives no more than this role. */
  grant_lowered: { grant_id: 'id', role: ROLES },
  circle_member_removed: { circle_id: 'id', peer_id: 'id' },
  circle_deleted: { circle_id: 'id' },
  /** The key, or the token, opens nothing; until `ends_at` it does, where that is not null. */
  key_revoked: { credential_id: 'id', ends_at: 'time?' },
  /** The person cannot sign in; `for_good` leaves nothing of the login. */
  login_closed: { login_id: 'id', for_good: 'flag' },
  /** The password before opens nothing. */
  password_changed: { login_id: 'id' },
} as const;

export type PromiseKind = keyof typeof PROMISE_FIELDS;
export const PROMISE_KINDS = Object.keys(PROMISE_FIELDS) as readonly PromiseKind[];

export type PromiseField = 'id' | 'id?' | 'time?' | 'hash' | 'flag' | readonly string[];

type ValueOf<F> = F extends 'id' | 'hash'
  ? string
  : F extends 'id?' | 'time?'
    ? string | null
    : F extends 'flag'
      ? boolean
      : F extends readonly (infer Word)[]
        ? Word
        : never;

type FieldsOf<K extends PromiseKind> = {
  readonly [F in keyof (typeof PROMISE_FIELDS)[K]]: ValueOf<(typeof PROMISE_FIELDS)[K][F]>;
};

/** What is promised: a kind with its ids. `K` narrows it to some kinds. */
export type Promised<K extends PromiseKind = PromiseKind> = {
  readonly [Kind in K]: { readonly kind: Kind } & FieldsOf<Kind>;
}[K];

/** Where and when it was promised. */
export interface PromiseOrigin {
  readonly account_id: string;
  /**
   * An event of the audit log that the transaction of the act wrote. A database that holds the event holds the act, and
   * whatever was decided since: there nothing has to be repeated.
   */
  readonly event_id: string;
  /** ISO 8601 UTC. */
  readonly given_at: string;
}

/** A line of the list. */
export type GivenPromise<K extends PromiseKind = PromiseKind> = Promised<K> & PromiseOrigin;
